#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Commutes: what somebody drives on the same days of each week. Requests and replies of the rides service.

public typealias RideSeriesID = ID<RideSeries>

/// What somebody drives on the same days of each week, as its driver sees it. It becomes rides of the next 28 days by itself; everybody else sees those.
public struct RideSeries: Codable, Hashable, Sendable {
    public var id: RideSeriesID
    /// What each of its rides says, with the way back where there is one. Its times are those of the first one.
    public var ride: RideDraft
    public var weekdays: [Weekday]
    /// The first and the last day (`2026-12-01`), as its zone has them.
    public var from: String
    public var until: String
    /// Days that are left out.
    public var skips: [String]
    /// Its rides that have not left, the soonest first; ways back among them.
    public var rides: [SeriesRide]
    /// Days of the next four weeks on which there is none, though they are among its weekdays.
    public var gaps: [SeriesGap]
    /// Whether no ride will be made any more: its last day is over, or its driver has ended it.
    public var isOver: Bool
    /// Names what its driver says of it.
    public var version: String

    public init(
        id: RideSeriesID, ride: RideDraft, weekdays: [Weekday], from: String, until: String, skips: [String] = [],
        rides: [SeriesRide] = [], gaps: [SeriesGap] = [], isOver: Bool = false, version: String
    ) {
        self.id = id
        self.ride = ride
        self.weekdays = weekdays
        self.from = from
        self.until = until
        self.skips = skips
        self.rides = rides
        self.gaps = gaps
        self.isOver = isOver
        self.version = version
    }
}

public enum Weekday: String, Codable, CaseIterable, Hashable, Sendable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday
}

/// One ride of a series.
public struct SeriesRide: Codable, Hashable, Sendable {
    public var id: RideID
    /// The day of the series to which it belongs.
    public var day: String
    public var isReturn: Bool
    public var departsAt: Date
    /// How many have a seat, ask for one, or wait for one: it stays as it is when the series changes.
    public var requests: Int

    public init(id: RideID, day: String, isReturn: Bool, departsAt: Date, requests: Int) {
        self.id = id
        self.day = day
        self.isReturn = isReturn
        self.departsAt = departsAt
        self.requests = requests
    }
}

/// A day on which there is no ride.
public struct SeriesGap: Codable, Hashable, Sendable {
    public var day: String
    public var why: Reason

    public enum Reason: String, Codable, CaseIterable, Hashable, Sendable {
        /// Clocks are put forward then, and pass its time over.
        case noSuchTime
        /// Its driver drives such a ride already.
        case duplicate
        /// Its driver has taken that day's ride back.
        case removed
    }

    public init(day: String, why reason: Reason) {
        self.day = day
        why = reason
    }
}

/// `POST /v1/ride-series`, `PATCH /v1/ride-series/{id}`, `POST /v1/ride-series/quote`. In a change what is absent stays. Rides that nobody has asked for
/// follow it; those that somebody has asked for stay as they are.
public struct RideSeriesDraft: Codable, Hashable, Sendable {
    /// The first ride. The first day is the day on which it leaves, or the next one that is among the weekdays. In a change only its time of day counts.
    public var ride: RideDraft?
    /// At least one.
    public var weekdays: [Weekday]?
    /// The last day: at most 84 days after the first one.
    public var until: String?
    public var skips: [String]?
    /// That of the series when the change was made up: where it is another one by now, nothing is changed (`changed_meanwhile`).
    public var version: String?

    public init(
        ride: RideDraft? = nil, weekdays: [Weekday]? = nil, until: String? = nil, skips: [String]? = nil,
        version: String? = nil
    ) {
        self.ride = ride
        self.weekdays = weekdays
        self.until = until
        self.skips = skips
        self.version = version
    }
}

/// What a series would be, before it is posted.
public struct RideSeriesQuote: Codable, Hashable, Sendable {
    /// Its first ride.
    public var ride: RideQuote
    /// All days on which there would be one.
    public var days: [String]
    public var gaps: [SeriesGap]

    public init(ride: RideQuote, days: [String], gaps: [SeriesGap] = []) {
        self.ride = ride
        self.days = days
        self.gaps = gaps
    }
}

public struct RideSeriesReference: Codable, Hashable, Sendable {
    public var id: RideSeriesID
    public init(id: RideSeriesID) { self.id = id }
}

/// `GET /v1/ride-series`: the caller's own, the latest posted first.
public struct MySeriesQuery: Codable, Hashable, Sendable {
    public var limit: Int?
    public var cursor: String?

    public init(limit: Int? = nil, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }
}

/// What comes with the end of a series.
public struct RideSeriesEnding: Codable, Hashable, Sendable {
    /// Up to 1,000 characters to everybody who has to do with its rides.
    public var reason: String?
    /// Whether rides that somebody has asked for stay, each by itself. Where absent all that have not left are removed.
    public var keepsAsked: Bool?

    public init(reason: String? = nil, keepsAsked: Bool? = nil) {
        self.reason = reason
        self.keepsAsked = keepsAsked
    }
}
