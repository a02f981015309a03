#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Blocks: requests, replies and events of the auth service.
//
// Whoever blocks somebody is apart from them, and they from whoever did: neither is there for the other. Which of the two did it is
// known to auth and told to the one who did; services and gateways are told of pairs.

/// Somebody whom the caller has blocked.
public struct BlockedPerson: Codable, Hashable, Sendable {
    public var person: PersonSummary
    public var since: Date

    public init(person: PersonSummary, since: Date) {
        self.person = person
        self.since = since
    }
}

/// `GET /v1/blocks`: those whom the caller has blocked, the latest first.
public struct BlockQuery: Codable, Hashable, Sendable {
    public var limit: Int?
    public var cursor: String?

    public init(limit: Int? = nil, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }
}

/// Two people who are apart: the smaller id first.
package struct BlockedPair: Codable, Hashable, Sendable {
    package var low: PersonID
    package var high: PersonID

    package init(_ one: PersonID, _ other: PersonID) {
        (low, high) = (min(one, other), max(one, other))
    }
}

/// Asks for pairs, in their order.
package struct BlockedPairsQuery: Codable, Hashable, Sendable {
    package static let largest = 500
    package var after: BlockedPair?
    package var limit: Int

    package init(after: BlockedPair? = nil, limit: Int = largest) {
        self.after = after
        self.limit = limit
    }
}

/// Asks for those from whom the caller is apart, in the order of their ids.
package struct ApartQuery: Codable, Hashable, Sendable {
    package static let largest = 5000
    package var after: PersonID?
    package var limit: Int

    package init(after: PersonID? = nil, limit: Int = largest) {
        self.after = after
        self.limit = limit
    }
}

/// One page of those from whom the caller is apart.
package struct ApartPage: Codable, Hashable, Sendable {
    package var items: [PersonID]
    /// There while there are more.
    package var next: String?
    /// Where the caller belongs.
    package var campus: String?

    package init(items: [PersonID], next: String? = nil, campus: String? = nil) {
        self.items = items
        self.next = next
        self.campus = campus
    }
}

extension AuthMethods {
    package static let blocks = Method<BlockQuery, Nothing, Page<BlockedPerson>>("auth.blocks", .query)
    package static let block = Method<PersonReference, Nothing, BlockedPerson>("auth.block", .command)
    package static let unblock = Method<PersonReference, Nothing, Nothing>("auth.unblock", .command)
    /// From whom the caller is apart, whichever of the two did it: for the live stream, never for anybody to see.
    package static let apart = Method<ApartQuery, Nothing, ApartPage>("auth.apart", .query)
    /// Services that start later, or anew, learn by it of all blocks that were made before. `next` is there while there are more.
    package static let blockedPairs = Method<BlockedPairsQuery, Nothing, Page<BlockedPair>>(
        "auth.blockedPairs", .query, peers: Capability.people.peers)
}

// MARK: Events

/// Two people are apart from now on. For services and gateways: neither of the two is told.
package struct PeopleBlocked: Event {
    package static let type = "peopleBlocked"
    package var pair: BlockedPair
    package init(pair: BlockedPair) { self.pair = pair }
}

/// Two people are no longer apart.
package struct PeopleUnblocked: Event {
    package static let type = "peopleUnblocked"
    package var pair: BlockedPair
    package init(pair: BlockedPair) { self.pair = pair }
}
