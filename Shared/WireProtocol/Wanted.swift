#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Standing searches: requests and replies of the matching service.

public typealias WantedID = ID<Wanted>

/// A standing search: somebody is told when something appears that it finds. `GET /v1/wanted/{id}`, its own person alone.
public struct Wanted: Codable, Hashable, Sendable {
    public var id: WantedID
    public var query: WantedQuery
    /// True where others see who seeks this: a ride alone can be sought so.
    public var isVisible: Bool?
    public var state: WantedState
    public var createdAt: Date
    /// When it ends unless it is renewed.
    public var expiresAt: Date
    /// How many things it has found since it began, without those that were there already.
    public var found: Int
    public var lastFoundAt: Date?
    /// Names what it looks for, for who changes it.
    public var version: String

    public init(
        id: WantedID, query: WantedQuery, isVisible: Bool? = nil, state: WantedState, createdAt: Date,
        expiresAt: Date, found: Int = 0, lastFoundAt: Date? = nil, version: String
    ) {
        self.id = id
        self.query = query
        self.isVisible = isVisible
        self.state = state
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.found = found
        self.lastFoundAt = lastFoundAt
        self.version = version
    }
}

/// What is looked for, as the search of its vertical asks for it: exactly one of these. A vertical more adds its form here.
public struct WantedQuery: Codable, Hashable, Sendable {
    /// A free spot around a point: `near`, and `radius`.
    public var spots: SpotQuery?
    /// Something to rent: `kind`, and what its search may say, but for order, owner and page.
    public var things: ThingQuery?
    /// A ride along a way: `from`, `to` and when. It may say all that a search of rides says, without `limit` and `cursor`.
    public var rides: RideSearchQuery?
    /// Somebody who can bring something from a restaurant.
    public var deliverers: DelivererSearch?

    public init(spots: SpotQuery) { self.spots = spots }
    public init(things: ThingQuery) { self.things = things }
    public init(rides: RideSearchQuery) { self.rides = rides }
    public init(deliverers: DelivererSearch) { self.deliverers = deliverers }
}

public enum WantedState: String, Codable, CaseIterable, Hashable, Sendable {
    case live
    /// By the person, or because they looked at nothing that it told: nothing is looked for until they go on.
    case paused
    /// By time. It can be renewed for a month, and is forgotten then.
    case ended
}

/// `POST /v1/wanted`, `POST /v1/wanted/estimate`.
public struct WantedDraft: Codable, Hashable, Sendable {
    public var query: WantedQuery
    /// Whether others see who seeks this, roughly where, and when: a ride alone. Not where absent.
    public var isVisible: Bool?

    public init(query: WantedQuery, isVisible: Bool? = nil) {
        self.query = query
        self.isVisible = isVisible
    }
}

/// `PATCH /v1/wanted/{id}`: what is absent stays.
public struct WantedChange: Codable, Hashable, Sendable {
    public var query: WantedQuery?
    public var isPaused: Bool?
    /// Whether others see who seeks this.
    public var isVisible: Bool?
    /// Where it looks for something else by now than what this names, nothing is changed (`changed_meanwhile`).
    public var version: String?

    public init(
        query: WantedQuery? = nil, isPaused: Bool? = nil, isVisible: Bool? = nil, version: String? = nil
    ) {
        self.query = query
        self.isPaused = isPaused
        self.isVisible = isVisible
        self.version = version
    }
}

public struct WantedReference: Codable, Hashable, Sendable {
    public var id: WantedID
    public init(id: WantedID) { self.id = id }
}

/// How much a search would find.
public struct WantedEstimate: Codable, Hashable, Sendable {
    /// What appeared in the last 30 days of which it would have told, at most.
    public var perMonth: Int
    /// Whether that is too much to be told of: such a search is refused (`too_wide`).
    public var isTooWide: Bool
    /// What fits now, as far as it is counted: 100 stands for 100 or more.
    public var fitting: Int

    package static let mostFitting = 100

    public init(perMonth: Int, isTooWide: Bool, fitting: Int) {
        self.perMonth = perMonth
        self.isTooWide = isTooWide
        self.fitting = fitting
    }
}

/// `GET /v1/wanted`: one's own, the newest first.
public struct WantedListQuery: Codable, Hashable, Sendable {
    public var limit: Int?
    public var cursor: String?

    public init(limit: Int? = nil, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }
}

/// `GET /v1/wanted/{id}/finds`: what it has found, the latest first.
public struct WantedFindQuery: Codable, Hashable, Sendable {
    public var id: WantedID
    public var limit: Int?
    public var cursor: String?

    public init(id: WantedID, limit: Int? = nil, cursor: String? = nil) {
        self.id = id
        self.limit = limit
        self.cursor = cursor
    }
}

/// One thing that a search has found, as it is now for its person. A vertical more adds its form here; where none is given, it is gone.
public struct WantedFind: Codable, Hashable, Sendable {
    public var foundAt: Date
    public var spot: Spot?
    public var thing: Thing?
    public var ride: Ride?
    public var deliverer: DelivererFound?

    package init(at moment: Date, _ item: ShelfItem?) {
        foundAt = moment
        spot = item?.spot
        thing = item?.thing
        ride = item?.ride
        deliverer = item?.deliverer
    }
}

/// Asks which of the caller's searches have found something.
package struct WantedFinders: Codable, Hashable, Sendable {
    package var subject: Subject
    package init(of subject: Subject) { self.subject = subject }
}

extension MatchingMethods {
    package static let postWanted = Method<Nothing, WantedDraft, Wanted>("matching.postWanted", .command)
    package static let changeWanted = Method<WantedReference, WantedChange, Wanted>("matching.changeWanted", .command)
    /// For another 60 days from now; what had ended begins again.
    package static let renewWanted = Method<WantedReference, Nothing, Wanted>("matching.renewWanted", .command)
    package static let removeWanted = Method<WantedReference, Nothing, Nothing>("matching.removeWanted", .command)
    package static let wanted = Method<WantedReference, Nothing, Wanted>("matching.wanted", .query)
    package static let allWanted = Method<WantedListQuery, Nothing, Page<Wanted>>("matching.allWanted", .query)
    package static let wantedFinds = Method<WantedFindQuery, Nothing, Page<WantedFind>>("matching.wantedFinds", .query)
    package static let wantedFinders = Method<WantedFinders, Nothing, Page<Wanted>>("matching.wantedFinders", .query)
    package static let estimateWanted = Method<Nothing, WantedDraft, WantedEstimate>("matching.estimateWanted", .query)
}
