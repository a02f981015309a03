import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// What is locked of somebody who leaves, or may not take part any more, in the order that DeliveryLocks.swift says.

extension DeliveryTransaction {
    /// Locks everything of somebody's, and everything that names them: what they have to do with now, and what they ever had to do with.
    func lockPast(of person: PersonID) async throws {
        let answers = try await transaction.pipeline([
            """
            SELECT id FROM availabilities WHERE id = ANY(ARRAY(
                SELECT id FROM availabilities WHERE person = \(person)
                UNION SELECT availability FROM matches WHERE orderer = \(person)))
            ORDER BY id FOR NO KEY UPDATE
            """,
            """
            SELECT id FROM orders WHERE id = ANY(ARRAY(
                SELECT id FROM orders WHERE orderer = \(person)
                UNION SELECT "order" FROM matches WHERE deliverer = \(person)))
            ORDER BY id FOR NO KEY UPDATE
            """,
            """
            SELECT id, CASE WHEN \(person) IN (orderer, deliverer) THEN availability END AS availability FROM matches
            WHERE id = ANY(ARRAY(
                SELECT id FROM matches WHERE orderer = \(person) UNION SELECT id FROM matches WHERE deliverer = \(person)
                UNION SELECT id FROM matches WHERE changed_by = \(person) AND state = 'settled'
                UNION SELECT id FROM matches WHERE \(MatchAgreement.hasChance(person))))
            ORDER BY id FOR NO KEY UPDATE
            """,
        ])
        let availabilities = try Set(answers[0].map { try $0.get("id", as: AvailabilityID.self) })
        let needed = try answers[2].compactMap { try $0.get("availability", as: AvailabilityID?.self) }
        // Somebody was asked between the first look and the last.
        guard availabilities.isSuperset(of: needed) else { throw PostgresError.meanwhile }
    }

    /// Locks whose turn may come back where these people end what they have ordered.
    func lockTurns(givenBackBy people: [PersonID]) async throws {
        try await transaction.query(
            """
            SELECT person FROM credits WHERE person = ANY(ARRAY(
                SELECT unnest(chances || deliverer) FROM matches
                WHERE orderer = ANY(\(people)) AND state IN ('offered', 'accepted')))
            ORDER BY person FOR NO KEY UPDATE
            """)
    }
}
