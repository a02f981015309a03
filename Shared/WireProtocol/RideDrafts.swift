#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// What a driver says of a ride, and what that would be.

/// `POST /v1/rides`, `PATCH /v1/rides/{id}`, `POST /v1/rides/quote`. In a change what is absent stays.
public struct RideDraft: Codable, Hashable, Sendable {
    /// Two to eight, in the order in which they are driven to. They stay while somebody has asked for a seat or has one.
    public var stops: [RideStopDraft]?
    /// In its own time (`2026-03-06T17:00`), or a moment (`2026-03-06T16:00:00Z`).
    public var departsAt: String?
    /// The same, of a ride that leaves between two times: at most six hours later. Empty takes it away.
    public var leavesBy: String?
    /// IANA's name; the community's where absent.
    public var zone: String?
    public var seats: Int?
    /// Of one seat all the way; an amount of 0 takes it away.
    public var cost: Money?
    /// Metres; 5,000 where absent, 0 for no way but one's own, at most a quarter of the way and 50,000.
    public var maxDetour: Int?
    /// `small` where absent.
    public var luggage: RideLuggage?
    /// `nobody` where absent.
    public var accepts: RideAcceptance?
    /// Up to 1,000 characters.
    public var notes: String?
    /// The way back, which is posted with it or not at all. Not of a change: each of the two is changed by itself.
    public var returnRide: ReturnDraft?
    /// That of the ride as it was when the change was made up: where it is another one by now, nothing is changed (`changed_meanwhile`).
    public var version: String?

    public init(
        stops: [RideStopDraft]? = nil, departsAt: String? = nil, leavesBy: String? = nil, zone: String? = nil,
        seats: Int? = nil, cost: Money? = nil, maxDetour: Int? = nil, luggage: RideLuggage? = nil,
        accepts: RideAcceptance? = nil, notes: String? = nil, returnRide: ReturnDraft? = nil, version: String? = nil
    ) {
        self.stops = stops
        self.departsAt = departsAt
        self.leavesBy = leavesBy
        self.zone = zone
        self.seats = seats
        self.cost = cost
        self.maxDetour = maxDetour
        self.luggage = luggage
        self.accepts = accepts
        self.notes = notes
        self.returnRide = returnRide
        self.version = version
    }
}

/// The way back of a ride that is posted. What is absent is as on the way there; luggage, detour, notes and who is accepted always are.
public struct ReturnDraft: Codable, Hashable, Sendable {
    /// Those of the way there in the other order, where absent.
    public var stops: [RideStopDraft]?
    /// After the arrival of the way there. In a change of a series an empty one takes the way back away.
    public var departsAt: String?
    public var leavesBy: String?
    public var seats: Int?
    public var cost: Money?

    public init(
        stops: [RideStopDraft]? = nil, departsAt: String? = nil, leavesBy: String? = nil, seats: Int? = nil,
        cost: Money? = nil
    ) {
        self.stops = stops
        self.departsAt = departsAt
        self.leavesBy = leavesBy
        self.seats = seats
        self.cost = cost
    }
}

public struct RideStopDraft: Codable, Hashable, Sendable {
    /// What everybody may know of it: up to 120 characters.
    public var name: String
    /// The door, where that says more: up to 200 characters.
    public var address: String?
    public var position: Position?

    public init(name: String, address: String? = nil, position: Position? = nil) {
        self.name = name
        self.address = address
        self.position = position
    }
}

/// What a ride would be, before it is posted.
public struct RideQuote: Codable, Hashable, Sendable {
    /// As its driver would see them.
    public var stops: [RideStop]
    public var departsAt: Date
    public var arrivesAt: Date
    public var zone: String
    public var length: Int
    /// What a seat costs from each stop to the next; empty where it costs nothing.
    public var costs: [Money]
    /// The most that a seat may cost on this way, where the community has a limit.
    public var highestCost: Money?
    public var warnings: [RideWarning]
    public var returnRide: ReturnQuote?

    public init(
        stops: [RideStop], departsAt: Date, arrivesAt: Date, zone: String, length: Int, costs: [Money] = [],
        highestCost: Money? = nil, warnings: [RideWarning] = [], returnRide: ReturnQuote? = nil
    ) {
        self.stops = stops
        self.departsAt = departsAt
        self.arrivesAt = arrivesAt
        self.zone = zone
        self.length = length
        self.costs = costs
        self.highestCost = highestCost
        self.warnings = warnings
        self.returnRide = returnRide
    }
}

/// What the way back would be, in the same zone.
public struct ReturnQuote: Codable, Hashable, Sendable {
    public var stops: [RideStop]
    public var departsAt: Date
    public var arrivesAt: Date
    public var length: Int
    public var costs: [Money]
    public var highestCost: Money?
    public var warnings: [RideWarning]

    public init(
        stops: [RideStop], departsAt: Date, arrivesAt: Date, length: Int, costs: [Money] = [],
        highestCost: Money? = nil, warnings: [RideWarning] = []
    ) {
        self.stops = stops
        self.departsAt = departsAt
        self.arrivesAt = arrivesAt
        self.length = length
        self.costs = costs
        self.highestCost = highestCost
        self.warnings = warnings
    }
}

/// What its driver may want to look at once more. Nothing is refused for it.
public enum RideWarning: String, Codable, CaseIterable, Hashable, Sendable {
    /// The way through the stops is half as long again as the straight one.
    case roundabout
    /// Its driver drives another ride at about that time.
    case closeToAnother
    /// It is shorter than two kilometres.
    case short
    /// Clocks are put back then, and this time is shown twice: the first is meant.
    case shownTwice
}

/// What comes with the removal of a ride.
public struct RideRemoval: Codable, Hashable, Sendable {
    /// Up to 1,000 characters to everybody who has to do with it.
    public var reason: String?
    /// Whether the other one of outward and return is removed with it, where its driver may remove that as well.
    public var withOther: Bool?

    public init(reason: String? = nil, withOther: Bool? = nil) {
        self.reason = reason
        self.withOther = withOther
    }
}
