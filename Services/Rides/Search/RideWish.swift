import FoundationEssentials
import WireProtocol

// What somebody looks for. No I/O and no clock.

/// A way along which somebody wants to ride, and when.
struct RideWish: Hashable, Sendable {
    /// As they were asked for.
    let from: Position
    let to: Position
    /// When they would get in.
    var times: ClosedRange<Date>
    /// Whether the driver may go out of the way for them.
    var mayDetour: Bool

    /// The middles of their fields, from which all is measured: who is in the field of a stop has nowhere to go to it.
    let start: Position
    let end: Position
    /// Metres from the one to the other.
    let between: Double
    /// More metres than these are no help to anybody: as many as the way itself has, and two kilometres where that is shorter; fewer where somebody asks for
    /// that.
    var mostExtra: Int
    static let leastExtra = 2_000

    init(
        from: Position, to: Position, times: ClosedRange<Date>, mayDetour: Bool = true, mostExtra: Int? = nil
    ) {
        (self.from, self.to, self.times, self.mayDetour) = (from, to, times, mayDetour)
        (start, end) = (from.onGrid, to.onGrid)
        between = start.metres(to: end)
        self.mostExtra = min(mostExtra ?? .max, max(Self.leastExtra, Int(between.rounded())))
    }

    /// Whether who leaves between two times is there in time after so many metres.
    func isMet(_ departsAt: Date, _ leavesBy: Date, after metres: Int) -> Bool {
        let seconds = RideWay.seconds(to: metres)
        return departsAt + seconds <= times.upperBound && leavesBy + seconds >= times.lowerBound
    }
}

/// The place of a ride in what was found: the fewest extra metres first, then the soonest.
struct FoundKey: Hashable, Comparable, Sendable {
    var extra: Int
    var departsAt: Date
    var id: RideID

    static func < (one: FoundKey, other: FoundKey) -> Bool {
        (one.extra, one.departsAt, one.id) < (other.extra, other.departsAt, other.id)
    }
}
