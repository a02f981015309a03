import DurableMessaging
import FoundationEssentials
import WireProtocol

/// Why something about a ride, or seats in it, is refused.
enum RideError: Error, Hashable, Sendable {
    case notFound
    case forbidden
    /// What is possible instead.
    case wrongState([SeatAct])
    case rideOver([RideAct])
    case yourOwn
    case invalid([FieldError])
    /// Free on that part; of the other one of outward and return where both are asked for.
    case soldOut(free: Int, isOtherWay: Bool = false)
    case alreadyAsked(SeatRequestID?)
    case tooManyRides(limit: Int)
    case tooManyRequests(limit: Int)
    /// Another seat or ride of one's own at that time.
    case overlaps(RideID)
    /// One's own ride that is there already.
    case duplicate(RideID)
    /// The fields that differ from what was expected.
    case termsChanged([FieldError])
    /// It says something else by now: this is its version.
    case changedMeanwhile(String?)
    /// The stops stay while somebody has asked for a seat, or has one.
    case inUse
    /// More ride along somewhere than there would be seats.
    case seatsTaken(Int)
}
