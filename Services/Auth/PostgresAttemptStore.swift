import FoundationEssentials
import Postgres

struct PostgresAttemptStore: AttemptStore {
    let statements: any Statements

    /// Two statements, each committed: attempts at the same moment see each other, and of those that rank among the first, all
    /// are let through, however many came at once.
    func count(_ attempt: Attempt, now: Date, window: TimeInterval) async throws -> AttemptTally {
        try await statements.query(
            """
            INSERT INTO attempts (key, attempt, at)
            VALUES (\(attempt.pair), \(attempt.id), \(now)), (\(attempt.address), \(attempt.id), \(now)), (\(attempt.email), \(attempt.id), \(now))
            ON CONFLICT DO NOTHING
            """)
        let rows = try await statements.query(
            """
            SELECT mine.key, tally.attempts, tally.oldest,
                EXISTS (SELECT FROM known_addresses WHERE key = \(attempt.pair) AND until > \(now)) AS known
            FROM attempts mine CROSS JOIN LATERAL (
                SELECT count(*) AS attempts, min(at) AS oldest FROM attempts other
                WHERE other.key = mine.key AND other.number <= mine.number AND other.at > \(now.addingTimeInterval(-window))
            ) AS tally
            WHERE mine.attempt = \(attempt.id) AND mine.key IN (\(attempt.pair), \(attempt.address), \(attempt.email))
            """)
        var tally = AttemptTally()
        for row in rows {
            let count = AttemptTally.Count(attempts: try row.get("attempts"), oldest: try row.get("oldest"))
            switch try row.get("key", as: [UInt8].self) {
            case attempt.pair: tally.pair = count
            case attempt.address: tally.address = count
            default: tally.email = count
            }
            tally.isKnown = try row.get("known")
        }
        return tally
    }

    func withdraw(_ attempt: Attempt) async throws {
        try await statements.query("DELETE FROM attempts WHERE attempt = \(attempt.id)")
    }

    func forgive(_ attempt: Attempt, knownUntil: Date) async throws {
        try await statements.query(
            """
            WITH forgiven AS (DELETE FROM attempts WHERE key = \(attempt.pair) OR attempt = \(attempt.id))
            INSERT INTO known_addresses (key, until) VALUES (\(attempt.pair), \(knownUntil))
            ON CONFLICT (key) DO UPDATE SET until = excluded.until
            """)
    }

    func prune(before: Date, now: Date) async throws {
        try await statements.query("DELETE FROM attempts WHERE at < \(before)")
        try await statements.query("DELETE FROM known_addresses WHERE until < \(now)")
    }
}
