#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// What somebody asks for when they ask for seats, and what that would be.

/// `POST /v1/rides/{id}/requests`.
public struct SeatDraft: Codable, Hashable, Sendable {
    /// 1 where absent, at most 8.
    public var seats: Int?
    /// First names, where seats are for others: up to 60 characters each.
    public var riders: [String]?
    /// Where to get in; the start where absent.
    public var from: SeatPointDraft?
    /// Where to get out; the end where absent.
    public var to: SeatPointDraft?
    /// Up to 500 characters to the driver.
    public var message: String?
    /// Hours in which an answer is wanted: 3, 6, 12 or 24, which is usual.
    public var answerWithin: Int?
    /// Whether to join the list of those who wait where there is no seat.
    public var waitlist: Bool?
    /// The same seats on the other one of outward and return: both or neither. Not with `waitlist`.
    public var together: TogetherDraft?
    /// As it was shown: where the ride costs or leaves otherwise meanwhile, nothing is asked for (`terms_changed`).
    public var expected: SeatExpectation?

    public init(
        seats: Int? = nil, riders: [String]? = nil, from: SeatPointDraft? = nil, to: SeatPointDraft? = nil,
        message: String? = nil, answerWithin: Int? = nil, waitlist: Bool? = nil, together: TogetherDraft? = nil,
        expected: SeatExpectation? = nil
    ) {
        self.seats = seats
        self.riders = riders
        self.from = from
        self.to = to
        self.message = message
        self.answerWithin = answerWithin
        self.waitlist = waitlist
        self.together = together
        self.expected = expected
    }
}

/// Where to get in and out on the other one of outward and return. Who, how many, words and time to answer are the same.
public struct TogetherDraft: Codable, Hashable, Sendable {
    /// The start where absent.
    public var from: SeatPointDraft?
    /// The end where absent.
    public var to: SeatPointDraft?
    public var expected: SeatExpectation?

    public init(from: SeatPointDraft? = nil, to: SeatPointDraft? = nil, expected: SeatExpectation? = nil) {
        self.from = from
        self.to = to
        self.expected = expected
    }
}

/// One of the driver's stops, or a point of one's own.
public struct SeatPointDraft: Codable, Hashable, Sendable {
    /// The number of the stop, 0 being the start.
    public var stop: Int?
    /// Of a point of one's own: what others may know of it, up to 120 characters.
    public var name: String?
    /// The door, up to 200 characters.
    public var address: String?
    public var position: Position?

    public init(stop: Int? = nil, name: String? = nil, address: String? = nil, position: Position? = nil) {
        self.stop = stop
        self.name = name
        self.address = address
        self.position = position
    }
}

/// What a ride was when somebody was shown it. What is absent is not compared.
public struct SeatExpectation: Codable, Hashable, Sendable {
    /// For all seats, in minor units of the ride's currency; 0 for nothing.
    public var cost: Int?
    public var departsAt: Date?

    public init(cost: Int? = nil, departsAt: Date? = nil) {
        self.cost = cost
        self.departsAt = departsAt
    }
}

/// What seats on a part of a ride would be, before they are asked for.
public struct SeatQuote: Codable, Hashable, Sendable {
    public var boarding: SeatPoint
    public var leaving: SeatPoint
    public var seats: Int
    /// Free on that part.
    public var free: Int
    /// Metres that the driver would go out of the way: along streets where they are known.
    public var detour: Int
    /// Seconds that it would take them; absent where there are no streets.
    public var detourSeconds: Int?
    public var cost: Money?
    /// How many wait already.
    public var waiting: Int
    /// Where both ways are asked for: the other one.
    public var together: OtherSeatQuote?

    public init(
        boarding: SeatPoint, leaving: SeatPoint, seats: Int, free: Int, detour: Int, detourSeconds: Int? = nil,
        cost: Money? = nil, waiting: Int, together: OtherSeatQuote? = nil
    ) {
        self.boarding = boarding
        self.leaving = leaving
        self.seats = seats
        self.free = free
        self.detour = detour
        self.detourSeconds = detourSeconds
        self.cost = cost
        self.waiting = waiting
        self.together = together
    }
}

/// What the same seats on the other one of outward and return would be.
public struct OtherSeatQuote: Codable, Hashable, Sendable {
    public var ride: RequestedRide
    public var boarding: SeatPoint
    public var leaving: SeatPoint
    public var free: Int
    public var detour: Int
    public var detourSeconds: Int?
    public var cost: Money?

    public init(
        ride: RequestedRide, boarding: SeatPoint, leaving: SeatPoint, free: Int, detour: Int,
        detourSeconds: Int? = nil, cost: Money? = nil
    ) {
        self.ride = ride
        self.boarding = boarding
        self.leaving = leaving
        self.free = free
        self.detour = detour
        self.detourSeconds = detourSeconds
        self.cost = cost
    }
}
