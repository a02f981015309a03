#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Seats in rides: who asked for them, and what became of it. Requests and replies of the rides service.

public typealias SeatRequestID = ID<SeatRequest>

/// A request for seats, and what became of it. Seen by the driver, by who asked, and by moderators where it is disputed.
public struct SeatRequest: Codable, Hashable, Sendable {
    public var id: SeatRequestID
    public var ride: RequestedRide
    public var driver: PersonSummary
    public var rider: PersonSummary
    /// As the caller is in it; absent for moderators.
    public var role: SeatRole?
    public var state: SeatState
    public var seats: Int
    /// First names of those for whom seats are asked, where they are others than who asks.
    public var riders: [String]
    public var boarding: SeatPoint
    public var leaving: SeatPoint
    /// Metres that the driver goes out of the way for it.
    public var detour: Int
    /// For all its seats, as it was agreed: a later price changes nothing of it. Nil where it costs nothing.
    public var cost: Money?
    public var message: String?
    public var askedAt: Date
    /// Until when the driver may answer; only while it is pending.
    public var answerBy: Date?
    /// Until when who asked has to say that they keep the seat; only where they have to.
    public var confirmBy: Date?
    /// False where the ride changed, or a seat came free, and who has it has not said yet that they keep it; of one that expired, where they did not in time.
    public var isConfirmed: Bool
    /// Of one who waits: whether they get a seat without being looked at again.
    public var isApproved: Bool
    /// Of one who waits: how many wait before them.
    public var ahead: Int?
    /// The request on the other one of outward and return that was made with it: both are accepted, or neither.
    public var together: SeatRequestID?
    /// When the state began.
    public var changedAt: Date
    /// Who brought it into this state; absent where time did.
    public var changedBy: PersonSummary?
    /// Why, in their words.
    public var reason: String?
    /// What the caller may do now.
    public var possible: [SeatAct]

    public init(
        id: SeatRequestID, ride: RequestedRide, driver: PersonSummary, rider: PersonSummary, role: SeatRole?,
        state: SeatState, seats: Int, riders: [String] = [], boarding: SeatPoint, leaving: SeatPoint, detour: Int = 0,
        cost: Money? = nil, message: String? = nil, askedAt: Date, answerBy: Date? = nil, confirmBy: Date? = nil,
        isConfirmed: Bool = true, isApproved: Bool = false, ahead: Int? = nil, together: SeatRequestID? = nil,
        changedAt: Date, changedBy: PersonSummary? = nil, reason: String? = nil, possible: [SeatAct] = []
    ) {
        self.id = id
        self.ride = ride
        self.driver = driver
        self.rider = rider
        self.role = role
        self.state = state
        self.seats = seats
        self.riders = riders
        self.boarding = boarding
        self.leaving = leaving
        self.detour = detour
        self.cost = cost
        self.message = message
        self.askedAt = askedAt
        self.answerBy = answerBy
        self.confirmBy = confirmBy
        self.isConfirmed = isConfirmed
        self.isApproved = isApproved
        self.ahead = ahead
        self.together = together
        self.changedAt = changedAt
        self.changedBy = changedBy
        self.reason = reason
        self.possible = possible
    }
}

/// What of a ride stands on a request.
public struct RequestedRide: Codable, Hashable, Sendable {
    public var id: RideID
    public var state: RideState
    /// What everybody may know of its start and its end.
    public var from: String
    public var to: String
    public var departsAt: Date
    public var arrivesAt: Date
    public var zone: String

    public init(
        id: RideID, state: RideState, from: String, to: String, departsAt: Date, arrivesAt: Date, zone: String
    ) {
        self.id = id
        self.state = state
        self.from = from
        self.to = to
        self.departsAt = departsAt
        self.arrivesAt = arrivesAt
        self.zone = zone
    }
}

/// Where somebody gets in, or out.
public struct SeatPoint: Codable, Hashable, Sendable {
    public var name: String
    /// The door: to who asked, to the driver where it is their own stop, and to both from the acceptance on.
    public var address: String?
    public var position: Position
    public var isExact: Bool
    /// The number of the driver's stop that it is, 0 being the start; absent of a point of one's own.
    public var stop: Int?
    /// Metres from the start, along the driver's way.
    public var at: Int
    public var time: Date

    public init(
        name: String, address: String? = nil, position: Position, isExact: Bool, stop: Int? = nil, at: Int,
        time: Date
    ) {
        self.name = name
        self.address = address
        self.position = position
        self.isExact = isExact
        self.stop = stop
        self.at = at
        self.time = time
    }
}

public enum SeatRole: String, Codable, CaseIterable, Hashable, Sendable {
    case driver, rider
}

public enum SeatState: String, Codable, CaseIterable, Hashable, Sendable {
    /// Waits for the driver's answer.
    case pending
    /// Is on the list of those who get a seat when one comes free.
    case waiting
    case accepted, rejected
    /// By who asked, before there was a seat.
    case withdrawn
    /// Nobody answered in time; or who got a seat did not say in time that they keep it.
    case expired
    /// By who had the seat.
    case left
    /// By the driver, or with the ride, or because the two are apart.
    case removed
    /// They rode along.
    case rode
    /// One of the two did not come, as the other one says.
    case noShow
    case disputed
    /// A moderator has settled the dispute.
    case settled

    /// Whether it is over.
    public var isOver: Bool {
        switch self {
        case .pending, .waiting, .accepted, .disputed: false
        case .rejected, .withdrawn, .expired, .left, .removed, .rode, .noShow, .settled: true
        }
    }
}

/// What one may do to a request.
public enum SeatAct: String, Codable, CaseIterable, Hashable, Sendable {
    case accept, reject
    /// Of one who waits: they get a seat without being looked at again.
    case approve
    case withdraw, keep, leave
    /// By the driver.
    case remove
    case reportNoShow, dispute
    /// By moderators.
    case settle

    /// How it is called in addresses.
    public var path: String { self == .reportNoShow ? "no-show" : rawValue }

    public init?(path: String) {
        guard let act = Self.allCases.first(where: { $0.path == path }) else { return nil }
        self = act
    }
}

public struct SeatRequestReference: Codable, Hashable, Sendable {
    public var id: SeatRequestID
    public init(id: SeatRequestID) { self.id = id }
}

/// `POST /v1/seat-requests/{id}/{accept|reject|approve|withdraw|keep|leave|remove|no-show|dispute|settle}`.
public struct SeatActReference: Codable, Hashable, Sendable {
    public var id: SeatRequestID
    public var act: SeatAct

    public init(id: SeatRequestID, act: SeatAct) {
        self.id = id
        self.act = act
    }
}

/// What comes with an act; nothing of it has to be there where the act does not say so.
public struct SeatActDraft: Codable, Hashable, Sendable {
    /// Up to 1,000 characters; required of a dispute and of its settlement.
    public var reason: String?
    /// Where a dispute is settled: whether they rode along.
    public var rode: Bool?
    /// The state in which it was shown to who acts: where it is in another one by now, nothing is done (`terms_changed`).
    public var expected: SeatState?

    public init(reason: String? = nil, rode: Bool? = nil, expected: SeatState? = nil) {
        self.reason = reason
        self.rode = rode
        self.expected = expected
    }
}

/// `GET /v1/seat-requests/{id}/contact`: how the two reach each other, from the acceptance until a day after the arrival.
public struct SeatContact: Codable, Hashable, Sendable {
    /// The other one's telephone number; absent where they have given none.
    public var phone: String?
    public init(phone: String?) { self.phone = phone }
}
