import FoundationEssentials
import WireProtocol

// What is true of a request for seats. No I/O and no clock. `SeatRule.table` says what may be done; this says what is kept of it.

/// A request for seats in a ride, and what became of it.
struct SeatAgreement: Hashable, Sendable {
    let id: SeatRequestID
    let ride: RideID
    let driver: PersonID
    let rider: PersonID
    let seats: Int
    /// First names of others for whom they are.
    var riders: [String]
    let part: WayPart
    /// For all its seats, in minor units; 0 where it costs nothing.
    let cost: Int
    let currency: String?
    var message: String?
    let askedAt: Date
    /// For how long the driver may think, in seconds, once there is a seat to be had.
    let answerWithin: TimeInterval
    /// Only of one that is pending.
    var answerBy: Date?
    /// Only of one that is accepted, where the rider has to say that they keep it.
    var confirmBy: Date?
    var isConfirmed = true
    /// Of one who waits: whether they get a seat without being looked at again.
    var isApproved = false
    var state: SeatState
    /// When the state began.
    var changedAt: Date
    /// Nil where time did it.
    var changedBy: PersonID?
    var reason: String?
    /// The request on the other one of outward and return that was made with it: both are accepted, or neither.
    var together: SeatRequestID?
}
