import Foundation
public import WireProtocol

// Reviews.

extension KampongClient {
    /// What people who dealt with somebody say of them, the latest first; strangers may read it too.
    public func reviews(of id: PersonID, limit: Int? = nil, cursor: String? = nil) async throws -> Page<Review> {
        try await call(
            .get, "v1/people/\(id)/reviews",
            query: Self.query([("limit", limit.map(String.init)), ("cursor", cursor)]))
    }

    /// One that everybody may read, or that one has written.
    public func review(_ id: ReviewID) async throws -> Review { try await call(.get, "v1/reviews/\(id)") }

    /// Whom one may still review, and for what, the latest first.
    public func encounters(
        with person: PersonID? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws -> Page<Encounter> {
        try await call(
            .get, "v1/encounters",
            query: Self.query([
                ("with", person?.description), ("limit", limit.map(String.init)), ("cursor", cursor),
            ]))
    }

    /// - Throws: `forbidden` where the two have not completed that together; `wrong_state` where it was written, or too late.
    public func writeReview(_ draft: ReviewDraft, about id: PersonID, key: String? = nil) async throws -> Review {
        try await call(.post, "v1/people/\(id)/reviews", body: draft, key: key)
    }

    /// Says something to a review of oneself, instead of what one said before.
    /// - Parameter version: the review's, as it was read.
    /// - Throws: `changed_meanwhile` where something else was replied since.
    public func reply(
        to id: ReviewID, _ text: String, version: String? = nil, key: String? = nil
    ) async throws -> Review {
        let draft = ReviewReplyDraft(text: text, version: version)
        return try await call(.put, "v1/reviews/\(id)/reply", body: draft, key: key)
    }
}
