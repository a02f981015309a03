import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

/// What may be done to standing searches, all together or not at all. Locks are taken in this order: persons, rows of `wanted` by their ids, rows of `hits`.
struct WantedTransaction: Sendable {
    let transaction: CommandTransaction
    let people: PeopleProjection

    var now: Date { transaction.now }

    // MARK: Reading

    /// Somebody's own, locked, as it is by now.
    /// - Throws: `WantedError.notFound`.
    func own(_ id: WantedID, of person: PersonID) async throws -> WantedSearch {
        let rows = try await transaction.query(
            "SELECT \(WantedSearch.columns) FROM wanted WHERE id = \(id) AND person = \(person) FOR NO KEY UPDATE")
        guard let row = rows.first else { throw WantedError.notFound }
        return try WantedSearch(row).asItIs(at: now)
    }

    /// How many searches of a person have not ended.
    func open(of person: PersonID) async throws -> Int {
        try await transaction.query(
            """
            SELECT count(*) AS number FROM wanted WHERE person = \(person) AND state <> 'ended' AND due_at > \(now)
            """)[0].get("number")
    }

    // MARK: Writing

    func add(_ search: WantedSearch) async throws {
        try await transaction.query(search.insertion)
    }

    /// Writes what became of a search that is locked.
    func keep(_ search: WantedSearch) async throws {
        try await transaction.query(search.update)
    }

    /// Keeps what was there when a search began: its person is not told of it.
    func keepWhatWasThere(_ subjects: [Subject], for id: WantedID) async throws {
        if subjects.isEmpty { return }
        try await transaction.query(
            """
            INSERT INTO finds (wanted, kind, subject, found_at, is_new)
            SELECT \(id), kind, subject, \(now), false
            FROM unnest(\(subjects.map(\.kind.rawValue))::text[], \(subjects.map(\.id))) AS there (kind, subject)
            ON CONFLICT DO NOTHING
            """)
    }

    /// What was there when it began is no longer known: it looks for something else now.
    func forgetWhatWasThere(for id: WantedID) async throws {
        try await transaction.query("DELETE FROM finds WHERE wanted = \(id) AND NOT is_new")
    }

    /// Drops what some searches have found and nobody was told of: they are paused, have ended, or look for something else. What another search of the same
    /// person finds too is told by that one. The searches are locked.
    func dropWaiting(of ids: [WantedID]) async throws {
        if ids.isEmpty { return }
        let dropping: SQLQuery = """
            WITH dropped AS (
                DELETE FROM finds USING wanted AS own, hits
                WHERE finds.wanted = ANY(\(ids)) AND finds.is_new AND own.id = finds.wanted
                    AND hits.kind = finds.kind AND hits.subject = finds.subject AND hits.person = own.person
                    AND hits.state IN ('waiting', 'late')
                RETURNING finds.wanted
            ), lost AS (SELECT wanted, count(*) AS number FROM dropped GROUP BY wanted)
            UPDATE wanted SET found = greatest(0, wanted.found - lost.number) FROM lost WHERE wanted.id = lost.wanted
            """
        let ending: SQLQuery = "UPDATE wanted SET digest_at = NULL WHERE id = ANY(\(ids)) AND digest_at IS NOT NULL"
        try await transaction.pipeline([dropping] + passingOn(from: ids, where: "true") + [ending])
    }

    /// What a search that is locked has found goes with it; of what its person was told, it stays known that they were.
    func remove(_ id: WantedID) async throws {
        try await dropWaiting(of: [id])
        try await transaction.query("DELETE FROM wanted WHERE id = \(id)")
    }
}
