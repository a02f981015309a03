import Foundation
public import WireProtocol

// One order with one deliverer: first as an offer, then as a delivery.

extension KampongClient {
    public func match(_ id: MatchID) async throws -> DeliveryMatch { try await call(.get, "v1/matches/\(id)") }

    /// The person's own, as orderer and as deliverer, the latest first.
    public func matches(_ query: MatchQuery = MatchQuery()) async throws -> Page<DeliveryMatch> {
        try await call(
            .get, "v1/matches",
            query: Self.query([
                ("role", query.role?.rawValue), ("isOver", query.isOver.map(String.init)),
                ("disputed", query.disputed.map(String.init)), ("limit", query.limit.map(String.init)),
                ("cursor", query.cursor),
            ]))
    }

    /// Accepts, declines, picks up, completes, or what else is among `possible` of the match.
    /// - Throws: `Problem` with code `wrong_state`, whose errors say what is possible instead; `offerGone` where it is an offer that is over;
    ///   `termsChanged` where it is not as the draft expects.
    public func act(
        _ act: MatchAct, on id: MatchID, _ draft: MatchActDraft = MatchActDraft(), key: String? = nil
    ) async throws -> DeliveryMatch {
        try await call(.post, "v1/matches/\(id)/\(act.path)", body: draft, key: key)
    }

    /// Shows the orderer where one is: by the deliverer, who has picked it up.
    public func movePosition(of id: MatchID, to draft: MatchPositionDraft, key: String? = nil) async throws {
        let _: Nothing = try await call(.put, "v1/matches/\(id)/position", body: draft, key: key)
    }

    /// Shows it no more.
    public func hidePosition(of id: MatchID, key: String? = nil) async throws {
        let _: Nothing = try await call(.delete, "v1/matches/\(id)/position", key: key)
    }

    /// Where the deliverer is, as they showed it last.
    public func position(of id: MatchID) async throws -> MatchPosition {
        try await call(.get, "v1/matches/\(id)/position")
    }

    /// How the two reach each other, from the acceptance until it is over.
    public func matchContact(_ id: MatchID) async throws -> MatchContact {
        try await call(.get, "v1/matches/\(id)/contact")
    }
}
