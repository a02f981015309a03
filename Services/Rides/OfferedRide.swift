import FoundationEssentials
import WireProtocol

// What is true of a ride. No I/O and no clock.

/// From one stop to the next along streets, between the middles of their fields.
struct StreetLeg: Hashable, Sendable {
    var metres: Int
    var seconds: Int
}

/// A ride that somebody offers, and what became of it.
struct OfferedRide: Hashable, Sendable {
    let id: RideID
    let driver: PersonID
    let postedAt: Date
    var state: RideState
    var way: RideWay
    var departsAt: Date
    /// The same as `departsAt` where it leaves at one time.
    var leavesBy: Date
    /// IANA's name.
    var zone: String
    var seats: Int
    /// Of one seat all the way, in minor units; 0 where it costs nothing.
    var cost: Int
    /// Nil where it costs nothing.
    var currency: String?
    /// Metres.
    var maxDetour: Int
    /// The sum of what the accepted ones cost. The database makes it, and refuses what exceeds `maxDetour`.
    var detourUsed = 0
    var luggage: RideLuggage
    var accepts: RideAcceptance
    var notes: String?
    var load = SeatLoad()
    var hidden: Hiding?
    /// Whether others do not find it while its driver is suspended.
    var isWithheld = false
    /// When the state began, and why, in the driver's words.
    var changedAt: Date
    var reason: String?
    /// The way there, of a way back.
    var returnOf: RideID?
    /// The series that it is a ride of, and the day of it.
    var series: RideSeriesID?
    var seriesDay: CivilDay?
    /// From each stop to the next along streets; nil where that is not known.
    var legs: [StreetLeg]?

    var arrivesAt: Date { departsAt + RideWay.seconds(to: way.length) }

    /// When the driver is at a point, as far as the way tells.
    func time(at metres: Int) -> Date { departsAt + RideWay.seconds(to: metres) }

    var detourLeft: Int { maxDetour - detourUsed }

    /// Seats that are free all the way between two points.
    func free(from start: Int, to end: Int) -> Int { max(0, seats - load.most(from: start, to: end)) }

    /// Whether it can be found and asked for.
    var isListed: Bool { state == .open && hidden == nil && !isWithheld }
}
