import FoundationEssentials
import WireProtocol

// The way of a ride. No I/O and no clock.

/// One of the driver's own stops.
struct WayStop: Hashable, Sendable {
    /// What everybody may know of it.
    var name: String
    /// The door.
    var address: String?
    var position: Position
    var region: String?
    /// Metres from the start, along the way.
    var at: Int
}

/// The driver's own stops in their order: two or more.
///
/// All lengths are great circles between the middles of the fields of the grid (`Position.onGrid`), so that no length tells more of where a door
/// is than the field that everybody is told.
struct RideWay: Hashable, Sendable {
    var stops: [WayStop]

    /// Metres from the start to the end.
    var length: Int { stops.last?.at ?? 0 }

    /// How long it takes to get this far: two minutes for each of the first ten kilometres of the great circle, 45 seconds for each further one,
    /// which is what cars take on European and Californian roads, within a fifth.
    static func seconds(to metres: Int) -> TimeInterval {
        Double(min(metres, 10_000)) * 0.12 + Double(max(0, metres - 10_000)) * 0.045
    }
}

/// Where somebody gets in, or out.
struct WayPoint: Hashable, Sendable {
    /// Metres from the start, along the driver's way.
    var at: Int
    /// The number of the driver's stop that it is; nil of a point of one's own.
    var stop: Int?
    var own: OwnPoint?
}

/// A point that is none of the driver's stops.
struct OwnPoint: Codable, Hashable, Sendable {
    var name: String
    var address: String?
    var position: Position
}

/// A part of the way, and how far the driver goes out of the way for it.
struct WayPart: Hashable, Sendable {
    var boarding: WayPoint
    var leaving: WayPoint
    /// Metres: in straight lines, or along streets where that is more.
    var detour: Int
    /// How long it would take, where all of it is along streets. Not kept.
    var detourSeconds: Int?
}
