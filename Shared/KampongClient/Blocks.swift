import Foundation
public import WireProtocol

// Blocks.

extension KampongClient {
    /// Those whom one has blocked, the latest first.
    public func blocks(limit: Int? = nil, cursor: String? = nil) async throws -> Page<BlockedPerson> {
        try await call(
            .get, "v1/blocks", query: Self.query([("limit", limit.map(String.init)), ("cursor", cursor)]))
    }

    /// From then on neither is there for the other; who is blocked is not told.
    public func block(_ id: PersonID, key: String? = nil) async throws -> BlockedPerson {
        try await call(.put, "v1/blocks/\(id)", key: key)
    }

    public func unblock(_ id: PersonID, key: String? = nil) async throws {
        let _: Nothing = try await call(.delete, "v1/blocks/\(id)", key: key)
    }
}
