import FoundationEssentials
import WireProtocol

/// A ride as the board keeps it: what decides where it is found.
struct BoardRide: Hashable, Sendable {
    var id: RideID
    var way: [BoardStop]
    var departsAt: Date
    var leavesBy: Date
    /// Metres.
    var detourLeft: Int
    /// Seats that are free where most are.
    var free: Int
    var luggage: RideLuggage
    /// Nil where nobody knows yet where its driver belongs.
    var campus: String?
}

struct BoardStop: Hashable, Sendable {
    var point: GridPoint
    /// Metres from the start.
    var at: Int
}

/// The middle of a field of the grid in ten thousandths of a degree, which it has no fractions of.
struct GridPoint: Hashable, Sendable {
    var latitude: Int32
    var longitude: Int32

    init(_ position: Position) {
        let middle = position.onGrid
        latitude = Int32((middle.latitude * 10_000).rounded())
        longitude = Int32((middle.longitude * 10_000).rounded())
    }

    /// The same as `Position.onGrid` has it, to the last bit.
    var position: Position { Position(latitude: Double(latitude) / 10_000, longitude: Double(longitude) / 10_000) }
}

extension RideLuggage {
    /// How much goes in: what fits into less fits into more.
    var rank: UInt8 {
        switch self {
        case .none: 0
        case .small: 1
        case .medium: 2
        case .large: 3
        }
    }
}

extension BoardRide {
    init(_ ride: OfferedRide, campus: String?) {
        self.init(
            id: ride.id, way: ride.way.stops.map { BoardStop(point: GridPoint($0.position), at: $0.at) },
            departsAt: ride.departsAt, leavesBy: ride.leavesBy, detourLeft: ride.detourLeft,
            free: ride.freeByLeg.max() ?? 0, luggage: ride.luggage, campus: campus)
    }
}
