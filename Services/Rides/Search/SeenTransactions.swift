import Postgres

/// Which transactions a reader has seen, as PostgreSQL's snapshot says it: all that had ended when it looked.
///
/// A row says by which it was last written (`changed_in`). So what was written by others since is found by these few numbers, however long one
/// of them takes to commit and in whatever order they do.
struct SeenTransactions: Hashable, Sendable {
    /// The database's life, as events have it: a restored backup begins another one.
    let epoch: String
    /// The first that had not begun.
    let next: UInt64
    /// Those before it that ran.
    let running: [UInt64]

    /// What `init(_:)` reads.
    static let columns: SQLQuery = """
        pg_current_snapshot()::text AS snapshot, (SELECT epoch::text FROM outbox_head) AS epoch
        """
    static let columnCount = 2

    init(_ row: PostgresRow) throws {
        try self.init(snapshot: row.get(at: 0), epoch: row.get(at: 1))
    }

    /// - Parameter snapshot: the text of a `pg_snapshot`: `10:20:10,14,15`.
    /// - Throws: `PostgresError` of kind `.unexpectedValue` where it is none.
    init(snapshot: String, epoch: String) throws {
        let parts = snapshot.split(separator: ":", omittingEmptySubsequences: false)
        let running = parts.last?.split(separator: ",").map { UInt64($0) } ?? []
        guard parts.count == 3, let next = UInt64(parts[1]), !running.contains(nil) else {
            throw PostgresError(.unexpectedValue, debugDetail: "\(snapshot) is no snapshot")
        }
        (self.epoch, self.next, self.running) = (epoch, next, running.compactMap(\.self))
    }

    /// Whether it was seen later in the same life.
    func follows(_ before: SeenTransactions) -> Bool { epoch == before.epoch && next >= before.next }

    /// Rides that were written by others since, in rows of their own for each of these spans.
    ///
    /// Each span is read in the order of its index, whatever PostgreSQL thinks of how many rides it has. What a restored backup says of transactions
    /// that are yet to come is nothing new.
    func changes(_ columns: SQLQuery, where condition: SQLQuery = "true", atMost most: Int) -> SQLQuery {
        let low = running.map(String.init) + [String(next)]
        let high = running.map(String.init) + [String(UInt64.max)]
        return """
            SELECT late.* FROM unnest(\(low)::xid8[], \(high)::xid8[]) AS span (low, high)
            CROSS JOIN LATERAL (
                SELECT \(columns) FROM rides
                WHERE changed_in >= span.low AND changed_in <= span.high
                    AND changed_in < pg_snapshot_xmax(pg_current_snapshot()) AND \(condition)
                ORDER BY changed_in LIMIT \(unescaped: "\(most)")
            ) AS late
            """
    }
}
