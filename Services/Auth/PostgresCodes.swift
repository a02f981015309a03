import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

/// What tables of six-digit codes have in common: who tries, how often, once.
struct PostgresCodes: Sendable {
    let statements: any Statements
    let table: SQLQuery

    /// Of a table whose codes go to addresses: what there was since then, after waiting for what is being added.
    func tally(of person: PersonID, to digest: [UInt8], since: Date) async throws -> VerificationTally {
        // The person's lock always comes first, so that nobody waits in a circle.
        try await statements.query(.lock(table.text, person))
        try await statements.query(.lock(table.text, Base64URL.encode(digest)))
        let rows = try await statements.query(
            """
            SELECT count(*) FILTER (WHERE person = \(person.uuid)) AS person,
                count(*) FILTER (WHERE address_digest = \(digest)) AS address,
                max(requested_at) FILTER (WHERE person = \(person.uuid)) AS latest
            FROM \(table)
            WHERE requested_at > \(since) AND (person = \(person.uuid) OR address_digest = \(digest))
            """)
        return VerificationTally(
            ofPerson: try rows[0].get("person"), toAddress: try rows[0].get("address"),
            latestOfPerson: try rows[0].get("latest"))
    }

    /// Counts one more attempt at the person's latest code, where it is still good: one statement, so that guesses at once are no more
    /// than those one after the other.
    func attempt(by person: PersonID, now: Date, atMost most: Int, returning columns: SQLQuery) async throws
        -> PostgresRow?
    {
        try await statements.query(
            """
            UPDATE \(table) SET attempts = attempts + 1
            WHERE id = (SELECT id FROM \(table) WHERE person = \(person.uuid)
                    ORDER BY requested_at DESC, id DESC LIMIT 1)
                AND used_at IS NULL AND expires_at > \(now) AND attempts < \(most)
            RETURNING \(columns)
            """
        ).first
    }

    /// - Returns: False where it was used before.
    func spend(_ id: UUID, at date: Date) async throws -> Bool {
        try await statements.query(
            "UPDATE \(table) SET used_at = \(date) WHERE id = \(id) AND used_at IS NULL"
        ).affected == 1
    }

    func prune(before: Date) async throws {
        try await statements.query("DELETE FROM \(table) WHERE requested_at < \(before)")
    }
}
