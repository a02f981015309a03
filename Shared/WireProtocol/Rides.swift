#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Rides that people share: requests and replies of the rides service.

public typealias RideID = ID<Ride>

/// A ride that somebody drives and has seats in, as one person may see it.
public struct Ride: Codable, Hashable, Sendable {
    public var id: RideID
    public var state: RideState
    public var driver: PersonSummary
    /// The driver's own, in the order in which they are driven to: the start, up to six between, the end.
    public var stops: [RideStop]
    public var departsAt: Date
    /// Where it leaves between two times, the later one.
    public var leavesBy: Date?
    /// As far as the way tells.
    public var arrivesAt: Date
    /// IANA's name of the time zone in which its times are meant.
    public var zone: String
    public var seats: Int
    /// Seats that are free all the way from each stop to the next: one number fewer than there are stops.
    public var free: [Int]
    /// Of one seat all the way; nil where it costs nothing. A part of the way costs its share of the metres.
    public var cost: Money?
    /// Metres from the start to the end.
    public var length: Int
    /// How many metres the driver would go out of the way in all, and how many are left of them.
    public var maxDetour: Int
    public var detourLeft: Int
    public var luggage: RideLuggage
    public var accepts: RideAcceptance
    public var notes: String?
    /// Who rides along: to the driver, to those who ride along, and to who looks at it while signed in.
    public var passengers: [RidePassenger]
    public var postedAt: Date
    /// Whether the caller drives it.
    public var mine: Bool
    public var isSaved: Bool
    /// The one button of it.
    public var action: RideAction
    /// The caller's own request that is not over.
    public var request: SeatRequestID?
    /// The way back of this way there, or the way there of this way back, while the caller can see it.
    public var other: OtherWay?
    /// The series that it is a ride of.
    public var series: RideSeriesID?
    /// What its driver may do with it now.
    public var possible: [RideAct]
    /// Where moderators have hidden it: only to its driver, and to moderators.
    public var hidden: Hiding?
    /// Names what its driver says of it, to its driver alone.
    public var version: String?

    public init(
        id: RideID, state: RideState, driver: PersonSummary, stops: [RideStop], departsAt: Date,
        leavesBy: Date? = nil, arrivesAt: Date, zone: String, seats: Int, free: [Int], cost: Money? = nil,
        length: Int, maxDetour: Int, detourLeft: Int, luggage: RideLuggage, accepts: RideAcceptance,
        notes: String? = nil, passengers: [RidePassenger] = [], postedAt: Date, mine: Bool, isSaved: Bool = false,
        action: RideAction, request: SeatRequestID? = nil, other: OtherWay? = nil, series: RideSeriesID? = nil,
        possible: [RideAct] = [], hidden: Hiding? = nil, version: String? = nil
    ) {
        self.id = id
        self.state = state
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
        self.maxDetour = maxDetour
        self.detourLeft = detourLeft
        self.luggage = luggage
        self.accepts = accepts
        self.notes = notes
        self.passengers = passengers
        self.postedAt = postedAt
        self.mine = mine
        self.isSaved = isSaved
        self.action = action
        self.request = request
        self.other = other
        self.series = series
        self.possible = possible
        self.hidden = hidden
        self.version = version
    }
}

public enum RideState: String, Codable, CaseIterable, Hashable, Sendable {
    case open
    /// On the way.
    case departed
    case completed
    /// By its driver, or because its driver has gone or may not take part.
    case removed
}

/// One of the driver's own stops.
public struct RideStop: Codable, Hashable, Sendable {
    /// What everybody may know of where it is: a town, a quarter, a street.
    public var name: String
    /// The door: to the driver, and to who rides along from the acceptance on.
    public var address: String?
    /// To whom `address` is told, exactly; to everybody else the middle of the field of a fixed grid in which it lies.
    public var position: Position
    public var isExact: Bool
    /// One of the community's regions, else the state or province; once it is known.
    public var region: String?
    /// Metres from the start, along the way.
    public var at: Int
    /// When it is passed, as far as the way tells.
    public var time: Date

    public init(
        name: String, address: String? = nil, position: Position, isExact: Bool, region: String? = nil, at: Int,
        time: Date
    ) {
        self.name = name
        self.address = address
        self.position = position
        self.isExact = isExact
        self.region = region
        self.at = at
        self.time = time
    }
}

/// Somebody who rides along, and how many seats are theirs.
public struct RidePassenger: Codable, Hashable, Sendable {
    public var person: PersonSummary
    public var seats: Int

    public init(person: PersonSummary, seats: Int) {
        self.person = person
        self.seats = seats
    }
}

/// The one button of a ride.
public enum RideAction: String, Codable, CaseIterable, Hashable, Sendable {
    /// There is a free seat on some part of the way.
    case ask
    /// It is full, and has a list of those who wait.
    case wait
    /// The caller has asked or waits, and may withdraw.
    case withdraw
    /// The caller rides along, and may leave.
    case leave
    case own
    /// It has left, is over, or was removed.
    case unavailable
}

/// What its driver may do with a ride.
public enum RideAct: String, Codable, CaseIterable, Hashable, Sendable {
    case change, remove, depart, arrive
}

/// How much fits in.
public enum RideLuggage: String, Codable, CaseIterable, Hashable, Sendable {
    case none, small, medium, large
}

/// Who gets a seat without being looked at first.
public enum RideAcceptance: String, Codable, CaseIterable, Hashable, Sendable {
    case nobody
    /// Friends of its driver.
    case friends
    /// Whoever has shown that they belong to a campus.
    case verified
    case everybody
}

/// Outward and return of one person: each a ride of its own, and each knows the other one.
public struct OtherWay: Codable, Hashable, Sendable {
    public var id: RideID
    /// Whether the other one is the way back.
    public var isReturn: Bool
    public var state: RideState
    public var departsAt: Date
    public var zone: String

    public init(id: RideID, isReturn: Bool, state: RideState, departsAt: Date, zone: String) {
        self.id = id
        self.isReturn = isReturn
        self.state = state
        self.departsAt = departsAt
        self.zone = zone
    }
}

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

public struct RideReference: Codable, Hashable, Sendable {
    public var id: RideID
    public init(id: RideID) { self.id = id }
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
