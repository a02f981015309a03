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

public struct RideReference: Codable, Hashable, Sendable {
    public var id: RideID
    public init(id: RideID) { self.id = id }
}
