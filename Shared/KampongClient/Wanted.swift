import Foundation
public import WireProtocol

// What somebody wants to be told of when it appears. That something was found comes on the live stream and into the inbox.

extension KampongClient {
    /// Looks from now on for what appears.
    /// - Throws: `Problem` with code `invalid` where it is no search, or would find more than anybody reads (`too_wide`); `tooManyWanted` for whoever has
    ///   as many that have not ended as one may have.
    public func postWanted(_ draft: WantedDraft, key: String? = nil) async throws -> Wanted {
        try await call(.post, "v1/wanted", body: draft, key: key)
    }

    /// How much a search would find; nothing is kept of it.
    public func estimateWanted(_ draft: WantedDraft) async throws -> WantedEstimate {
        try await call(.post, "v1/wanted/estimate", body: draft)
    }

    /// Pauses it, goes on with it, or looks for something else. What the change leaves out stays.
    /// - Throws: `Problem` with code `changedMeanwhile` where it looks for something else by now than what the change's version names.
    public func changeWanted(_ id: WantedID, _ change: WantedChange, key: String? = nil) async throws -> Wanted {
        try await call(.patch, "v1/wanted/\(id)", body: change, key: key)
    }

    /// Has it last longer; what had ended begins again.
    public func renewWanted(_ id: WantedID, key: String? = nil) async throws -> Wanted {
        try await call(.post, "v1/wanted/\(id)/renew", key: key)
    }

    public func removeWanted(_ id: WantedID, key: String? = nil) async throws {
        let _: Nothing = try await call(.delete, "v1/wanted/\(id)", key: key)
    }

    public func wanted(_ id: WantedID) async throws -> Wanted { try await call(.get, "v1/wanted/\(id)") }

    /// The person's own, the newest first.
    public func allWanted(_ query: WantedListQuery = WantedListQuery()) async throws -> Page<Wanted> {
        try await call(
            .get, "v1/wanted",
            query: Self.query([("limit", query.limit.map(String.init)), ("cursor", query.cursor)]))
    }

    /// What one of them has found, as it is now; the latest first.
    public func wantedFinds(_ query: WantedFindQuery) async throws -> Page<WantedFind> {
        try await call(
            .get, "v1/wanted/\(query.id)/finds",
            query: Self.query([("limit", query.limit.map(String.init)), ("cursor", query.cursor)]))
    }

    /// Which of the person's searches have found a spot, something to rent, a ride, or somebody who brings something.
    public func wantedFinders(of subject: Subject) async throws -> Page<Wanted> {
        try await call(
            .get, "v1/wanted/finders",
            query: Self.query([("kind", subject.kind.rawValue), ("id", "\(subject.id)")]))
    }
}
