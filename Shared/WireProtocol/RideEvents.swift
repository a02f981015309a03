#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Events about rides, and about seats in them.

/// What everybody sees of a ride: no door, nothing that depends on who looks.
public struct PublicRide: Codable, Hashable, Sendable {
    public var id: RideID
    public var driver: PersonSummary
    /// Without their doors, at the middle of their fields of the grid.
    public var stops: [RideStop]
    public var departsAt: Date
    public var leavesBy: Date?
    public var arrivesAt: Date
    public var zone: String
    public var seats: Int
    /// As of `Ride`.
    public var free: [Int]
    public var cost: Money?
    public var length: Int
    public var detourLeft: Int
    public var postedAt: Date

    public init(
        id: RideID, driver: PersonSummary, stops: [RideStop], departsAt: Date, leavesBy: Date? = nil,
        arrivesAt: Date, zone: String, seats: Int, free: [Int], cost: Money? = nil, length: Int, detourLeft: Int,
        postedAt: Date
    ) {
        self.id = id
        self.driver = driver
        self.stops = stops
        self.departsAt = departsAt
        self.leavesBy = leavesBy
        self.arrivesAt = arrivesAt
        self.zone = zone
        self.seats = seats
        self.free = free
        self.cost = cost
        self.length = length
        self.detourLeft = detourLeft
        self.postedAt = postedAt
    }
}

/// A ride can be found: for the first time, or again.
public struct RidePosted: Codable, Hashable, Sendable {
    public var ride: PublicRide
    public init(ride: PublicRide) { self.ride = ride }
}

/// What is said of a ride changed, or how many seats are free.
public struct RideChanged: Codable, Hashable, Sendable {
    public var ride: PublicRide
    public init(ride: PublicRide) { self.ride = ride }
}

/// A ride can be found no more: it has left, or was removed.
public struct RideRemoved: Codable, Hashable, Sendable {
    public var id: RideID
    public var state: RideState

    public init(id: RideID, state: RideState) {
        self.id = id
        self.state = state
    }
}

/// What the two of a request are told of it. No door: that is asked for.
public struct SeatNews: Codable, Hashable, Sendable {
    public var id: SeatRequestID
    public var ride: RequestedRide
    public var driver: PersonSummary
    public var rider: PersonSummary
    public var state: SeatState
    public var seats: Int
    public var boardsAt: Date
    public var answerBy: Date?
    public var confirmBy: Date?
    /// As of `SeatRequest`: the other one of outward and return, and whether this one is the way back.
    public var together: SeatRequestID?
    public var isReturn: Bool
    /// Who did it; absent where time did, or where it follows from a seat in another ride.
    public var by: PersonID?

    public init(
        id: SeatRequestID, ride: RequestedRide, driver: PersonSummary, rider: PersonSummary, state: SeatState,
        seats: Int, boardsAt: Date, answerBy: Date? = nil, confirmBy: Date? = nil, together: SeatRequestID? = nil,
        isReturn: Bool = false, by person: PersonID? = nil
    ) {
        self.id = id
        self.ride = ride
        self.driver = driver
        self.rider = rider
        self.state = state
        self.seats = seats
        self.boardsAt = boardsAt
        self.answerBy = answerBy
        self.confirmBy = confirmBy
        self.together = together
        self.isReturn = isReturn
        by = person
    }

    /// Events of earlier versions say nothing of a way back.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(SeatRequestID.self, forKey: .id)
        ride = try container.decode(RequestedRide.self, forKey: .ride)
        driver = try container.decode(PersonSummary.self, forKey: .driver)
        rider = try container.decode(PersonSummary.self, forKey: .rider)
        state = try container.decode(SeatState.self, forKey: .state)
        seats = try container.decode(Int.self, forKey: .seats)
        boardsAt = try container.decode(Date.self, forKey: .boardsAt)
        answerBy = try container.decodeIfPresent(Date.self, forKey: .answerBy)
        confirmBy = try container.decodeIfPresent(Date.self, forKey: .confirmBy)
        together = try container.decodeIfPresent(SeatRequestID.self, forKey: .together)
        isReturn = try container.decodeIfPresent(Bool.self, forKey: .isReturn) ?? false
        by = try container.decodeIfPresent(PersonID.self, forKey: .by)
    }
}

/// Somebody asks for seats: pending, waiting, or accepted where the driver lets them have it at once.
public struct SeatRequested: Codable, Hashable, Sendable {
    public var request: SeatNews
    public init(request: SeatNews) { self.request = request }
}

/// A request was accepted, rejected, or expired.
public struct SeatAnswered: Codable, Hashable, Sendable {
    public var request: SeatNews
    public init(request: SeatNews) { self.request = request }
}

/// Something else became of a request, or of the ride that it is for.
public struct SeatChanged: Codable, Hashable, Sendable {
    public var request: SeatNews
    public var what: Change

    public enum Change: String, Codable, CaseIterable, Hashable, Sendable {
        case withdrawn, left
        /// The driver took the seat back.
        case removed
        /// A seat came free, and is theirs; or is theirs if they say in time that they keep it.
        case promoted
        case kept, approved
        /// Who got a seat did not say in time that they keep it.
        case lapsed
        /// The ride says something else, within what needs no consent; or beyond it, and they are asked whether they keep the seat.
        case rideChanged, rideMoved
        case rideRemoved, departed, completed
        case noShow, disputed, settled
        /// One of the two can't take part any more, or they are apart.
        case ended
    }

    public init(request: SeatNews, what: Change) {
        self.request = request
        self.what = what
    }
}

/// Something is due soon. Told once for each.
public struct SeatReminder: Codable, Hashable, Sendable {
    public var request: SeatNews
    public var about: Occasion

    public enum Occasion: String, Codable, CaseIterable, Hashable, Sendable {
        /// The driver has not answered, and there is little time left.
        case answer
        /// They have not said that they keep the seat, and there is little time left.
        case confirm
        /// The ride leaves in a day, in two hours.
        case tomorrow, soon
    }

    public init(request: SeatNews, about occasion: Occasion) {
        self.request = request
        about = occasion
    }
}

extension RidePosted: Event { package static let type = "ridePosted" }
extension RideChanged: Event { package static let type = "rideChanged" }
extension RideRemoved: Event { package static let type = "rideRemoved" }
extension SeatRequested: Event { package static let type = "seatRequested" }
extension SeatAnswered: Event { package static let type = "seatAnswered" }
extension SeatChanged: Event { package static let type = "seatChanged" }
extension SeatReminder: Event { package static let type = "seatReminder" }
