#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Friendships: requests, replies and events of the auth service.

/// How another person stands to the one who asks.
public enum FriendState: String, Codable, CaseIterable, Hashable, Sendable {
    case none
    /// The caller has asked, and waits.
    case asked
    /// The other one has asked, and waits for the caller.
    case waiting
    case friends
}

/// Another person, and how they stand to the caller.
public struct Friend: Codable, Hashable, Sendable {
    public var person: PersonSummary
    public var state: FriendState
    /// Since when it has been so; absent where there is nothing between the two.
    public var since: Date?

    public init(person: PersonSummary, state: FriendState, since: Date? = nil) {
        self.person = person
        self.state = state
        self.since = since
    }
}

/// `GET /v1/friends`: the caller's, those of the latest change first.
public struct FriendQuery: Codable, Hashable, Sendable {
    /// `friends` where absent.
    public var state: FriendState?
    public var limit: Int?
    public var cursor: String?

    public init(state: FriendState? = nil, limit: Int? = nil, cursor: String? = nil) {
        self.state = state
        self.limit = limit
        self.cursor = cursor
    }
}

/// `DELETE /v1/friends/{id}`: ends a friendship, takes a question back, or declines one.
public struct FriendEnding: Codable, Hashable, Sendable {
    public var id: PersonID
    /// Only where it stands so: a button that was shown for a question must not end a friendship.
    public var state: FriendState?

    public init(id: PersonID, state: FriendState? = nil) {
        self.id = id
        self.state = state
    }
}

/// `GET /v1/people/{id}/mutual-friends`.
public struct MutualFriendsQuery: Codable, Hashable, Sendable {
    public var id: PersonID
    public var limit: Int?
    public var cursor: String?

    public init(id: PersonID, limit: Int? = nil, cursor: String? = nil) {
        self.id = id
        self.limit = limit
        self.cursor = cursor
    }
}

/// Those who are friends of the caller and of somebody else: one page of them, and how many there are.
public struct MutualFriends: Codable, Hashable, Sendable {
    public var items: [PersonSummary]
    public var next: String?
    public var count: Int

    public init(items: [PersonSummary], next: String? = nil, count: Int) {
        self.items = items
        self.next = next
        self.count = count
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(items, forKey: .items)
        try container.encode(next, forKey: .next)  // null, not absent, as in every list
        try container.encode(count, forKey: .count)
    }

    private enum CodingKeys: String, CodingKey { case items, next, count }
}

/// Of which two people a service wants to know whether they are friends.
package struct FriendshipQuery: Codable, Hashable, Sendable {
    package var one: PersonID
    package var other: PersonID

    package init(one: PersonID, other: PersonID) {
        self.one = one
        self.other = other
    }
}

package struct FriendshipAnswer: Codable, Hashable, Sendable {
    package var areFriends: Bool
    package init(areFriends: Bool) { self.areFriends = areFriends }
}

extension AuthMethods {
    package static let friends = Method<FriendQuery, Nothing, Page<Friend>>("auth.friends", .query)
    package static let friend = Method<PersonReference, Nothing, Friend>("auth.friend", .query)
    /// Asks, or accepts where the other one has asked.
    package static let befriend = Method<PersonReference, Nothing, Friend>("auth.befriend", .command)
    package static let unfriend = Method<FriendEnding, Nothing, Nothing>("auth.unfriend", .command)
    /// Whether two people are friends. Who asks does so for one of the two.
    package static let areFriends = Method<FriendshipQuery, Nothing, FriendshipAnswer>(
        "auth.areFriends", .query, peers: [.rides])
    package static let mutualFriends = Method<MutualFriendsQuery, Nothing, MutualFriends>(
        "auth.mutualFriends", .query)
}

// MARK: Events

/// Someone asks somebody to be their friend. On the live stream of the one who is asked.
package struct FriendAsked: Event {
    package static let type = "friendAsked"
    package var asker: PersonSummary
    package var asked: PersonID
    package init(asker: PersonSummary, asked: PersonID) {
        self.asker = asker
        self.asked = asked
    }
}

/// A question was declined or taken back; by which of the two is not said. For services: neither is told.
package struct FriendQuestionEnded: Event {
    package static let type = "friendQuestionEnded"
    package var asker: PersonID
    package var asked: PersonID
    package init(asker: PersonID, asked: PersonID) {
        self.asker = asker
        self.asked = asked
    }
}

/// Two people are friends. On the live streams of both.
package struct FriendshipBegan: Event {
    package static let type = "friendshipBegan"
    package var people: [PersonSummary]
    package init(people: [PersonSummary]) { self.people = people }
}

/// Two people are no longer friends. For services: nobody is told who did not look.
package struct FriendshipEnded: Event {
    package static let type = "friendshipEnded"
    package var people: [PersonID]
    package init(people: [PersonID]) { self.people = people }
}
