import Foundation
public import WireProtocol

// Agreements about what is rented, whatever it is.

extension KampongClient {
    /// What a period would cost; nothing is asked for by it.
    public func quote(for id: ThingID, _ kind: ThingKind, from: String, until: String) async throws -> RentalQuote {
        try await call(
            .get, "\(Self.path(kind, id))/quote", query: Self.query([("from", from), ("until", until)]))
    }

    /// Asks for a thing; agreed at once where it is let to whoever asks.
    /// - Throws: `Problem` with code `overlaps` where somebody else has it then; `termsChanged` where the terms are no longer those that the draft
    ///   expects (`thing.terms`, as they were shown).
    public func rent(_ id: ThingID, _ kind: ThingKind, _ draft: RentalDraft, key: String? = nil) async throws -> Rental
    {
        try await call(.post, "\(Self.path(kind, id))/rentals", body: draft, key: key)
    }

    /// The person's own, the latest request first.
    public func rentals(_ query: RentalQuery = RentalQuery()) async throws -> Page<Rental> {
        try await call(
            .get, "v1/rentals",
            query: Self.query([
                ("role", query.role?.rawValue), ("state", query.state?.rawValue),
                ("thing", query.thing.map { "\($0)" }),
                ("disputed", query.disputed.map(String.init)), ("limit", query.limit.map(String.init)),
                ("cursor", query.cursor),
            ]))
    }

    public func rental(_ id: RentalID) async throws -> Rental { try await call(.get, "v1/rentals/\(id)") }

    /// How the two reach each other, from the acceptance until it is over.
    public func rentalContact(_ id: RentalID) async throws -> RentalContact {
        try await call(.get, "v1/rentals/\(id)/contact")
    }

    /// Accepts, declines, cancels, hands over, gives back, or what else is among `possible` of the agreement.
    /// - Throws: `Problem` with code `wrong_state`, whose errors say what is possible instead.
    public func act(
        _ act: RentalAct, on id: RentalID, _ draft: RentalActDraft = RentalActDraft(), key: String? = nil
    ) async throws -> Rental {
        try await call(.post, "v1/rentals/\(id)/\(act.path)", body: draft, key: key)
    }
}
