import Foundation
public import WireProtocol

// Friendships.

extension KampongClient {
    /// One's own, those of the latest change first: friends, or questions that are open.
    public func friends(
        _ state: FriendState = .friends, limit: Int? = nil, cursor: String? = nil
    ) async throws -> Page<Friend> {
        try await call(
            .get, "v1/friends",
            query: Self.query([("state", state.rawValue), ("limit", limit.map(String.init)), ("cursor", cursor)]))
    }

    /// How somebody stands to oneself.
    public func friend(_ id: PersonID) async throws -> Friend { try await call(.get, "v1/friends/\(id)") }

    /// Asks; or accepts, where the other one has asked.
    public func befriend(_ id: PersonID, key: String? = nil) async throws -> Friend {
        try await call(.put, "v1/friends/\(id)", key: key)
    }

    /// Ends a friendship, takes a question back, or declines one.
    /// - Parameter state: only where it stands so; else `wrong_state`.
    public func unfriend(_ id: PersonID, where state: FriendState? = nil, key: String? = nil) async throws {
        let _: Nothing = try await call(
            .delete, "v1/friends/\(id)", query: Self.query([("state", state?.rawValue)]), key: key)
    }

    /// Friends of both, and how many there are.
    public func mutualFriends(with id: PersonID, limit: Int? = nil, cursor: String? = nil) async throws -> MutualFriends
    {
        try await call(
            .get, "v1/people/\(id)/mutual-friends",
            query: Self.query([("limit", limit.map(String.init)), ("cursor", cursor)]))
    }
}
