import DurableMessaging
import FoundationEssentials
import MatchEngine
import People
import Postgres
import WireProtocol

/// What may be done to deliveries, all together or not at all. Whatever changes something also tells its events. In which order locks are taken is said
/// in DeliveryLocks.swift; what is kept, and what follows of it, in DeliveryKeeping.swift.
struct DeliveryTransaction: Sendable {
    let transaction: CommandTransaction
    let people: PeopleProjection
    let words: SealedWords

    var now: Date { transaction.now }

    /// What is known of people, without asking anybody else.
    func people(_ ids: Set<PersonID>, for viewer: PersonID?) async throws -> KnownPeople {
        try await people.summaries(of: ids, for: viewer, in: transaction)
    }

    /// Whether one may bring the other something: they are not apart, of one campus where these are kept apart, and neither is suspended.
    func mayMeet(_ one: PersonID, _ other: PersonID) async throws -> Bool {
        try await transaction.query(
            """
            SELECT (\(BlockProjection.isTogetherHere("\(other)::uuid", with: one))
                \(people.campuses.condition("\(other)::uuid", isTogetherWith: one))
                AND NOT \(SuspensionProjection.isSuspendedHere("\(other)::uuid", at: now))
                AND NOT \(SuspensionProjection.isSuspendedHere("\(one)::uuid", at: now))) AS may
            """)[0].get("may", as: Bool?.self) ?? false
    }

    // MARK: Reading what is locked

    /// As it is now, with the hands that the database has counted.
    func availability(_ id: AvailabilityID) async throws -> OfferedAvailability {
        let rows = try await transaction.query(
            "SELECT \(OfferedAvailability.columns) FROM availabilities WHERE id = \(id)")
        return try OfferedAvailability(rows[0])
    }

    /// All of an order, the earliest first.
    func matches(of order: OrderID) async throws -> [MatchAgreement] {
        try await transaction.query(MatchAgreement.selection(of: [order])).map { try MatchAgreement($0, words) }
    }

    /// What is offered to them, or in their hands.
    func held(by availability: AvailabilityID) async throws -> [MatchAgreement] {
        try await transaction.query(MatchAgreement.selection(heldBy: availability))
            .map { try MatchAgreement($0, words) }
    }

    /// How many orders a person has that are not over.
    func openOrders(of person: PersonID) async throws -> Int {
        try await transaction.query(
            """
            SELECT count(*) AS open FROM orders
            WHERE orderer = \(person) AND \(PlacedOrder.isOpen) AND NOT coalesce(due_at <= \(now), false)
            """)[0].get("open")
    }

    // MARK: Turns

    /// Keeps the credits of some, in the order of their ids, as everybody does.
    func keep(_ credits: [PersonID: Credit]) async throws {
        if credits.isEmpty { return }
        let sorted = credits.sorted { $0.key < $1.key }
        _ = try await transaction.query(
            """
            INSERT INTO credits (person, credit, as_of)
            SELECT person, credit, as_of
            FROM unnest(\(sorted.map(\.key)), \(sorted.map(\.value.value)), \(sorted.map(\.value.asOf)))
                AS kept (person, credit, as_of)
            WHERE NOT EXISTS (SELECT FROM people_erased WHERE people_erased.id = kept.person) ORDER BY person
            ON CONFLICT (person) DO UPDATE SET credit = excluded.credit, as_of = excluded.as_of
            """)
    }

    /// Keeps the credits that a round has changed, on top of what somebody else has kept since it read them: who could be asked too holds nobody's hand.
    func keep(_ changed: [PersonID: Credit], since before: [PersonID: Credit]) async throws {
        if changed.isEmpty { return }
        let stored = try await lockedCredits(of: Array(changed.keys))
        try await keep(DeliveryTurns.moved(changed, since: before, to: stored, at: now))
    }

    private func lockedCredits(of people: [PersonID]) async throws -> [PersonID: Credit] {
        try await transaction.query(
            """
            SELECT person, credit, as_of FROM credits WHERE person = ANY(\(people)) ORDER BY person FOR NO KEY UPDATE
            """
        ).reduce(into: [:]) { credits, row in
            credits[try row.get("person")] = Credit(value: try row.get("credit"), asOf: try row.get("as_of"))
        }
    }

    /// The orderer has ended an offer: who was asked, and who could have been, has their chances as before.
    func giveTurnsBack(of match: MatchAgreement, _ chances: [PersonID]) async throws {
        if chances.isEmpty { return }
        let credits = try await lockedCredits(of: Array(Set(chances + [match.deliverer])))
        try await keep(DeliveryTurns.givenBack(chances, by: match.deliverer, credits, at: now))
    }
}

extension PlacedOrder {
    /// Whether it is not over, in SQL.
    static let isOpen: SQLQuery = "state IN ('waiting', 'asking', 'offered', 'matched')"
}
