import FoundationEssentials
import Messaging
import Postgres
import WireProtocol

/// The events that a service publishes: every statement on `outbox` and `outbox_head` but the insert.
struct Outbox: Sendable {
    let pool: PostgresPool
    let publisher: String

    /// Positions for up to `limit` committed events that have none, in the order in which they were inserted.
    ///
    /// Dense, because the head is locked from reading it to storing it; in commit order, because only what is committed is
    /// seen; and in separate statements, because a statement sees what was committed when it began: one that both
    /// waited for the lock and numbered would miss what its predecessor had numbered.
    func number(limit: Int) async throws -> [EventEnvelope] {
        try await pool.transaction { transaction in
            let answers = try await transaction.pipeline([
                "SELECT epoch FROM outbox_head FOR UPDATE",
                """
                WITH next AS MATERIALIZED (SELECT id FROM outbox WHERE position IS NULL ORDER BY id LIMIT \(limit)),
                    numbered AS (SELECT id, (SELECT head FROM outbox_head) + row_number() OVER (ORDER BY id) AS place FROM next)
                UPDATE outbox SET position = place, numbered_at = clock_timestamp() FROM numbered
                WHERE outbox.id = numbered.id
                RETURNING outbox.id, position, header, payload
                """,
                "UPDATE outbox_head SET head = GREATEST(head, (SELECT max(position) FROM outbox))",
            ])
            guard let epoch = try answers[0].first?.get("epoch", as: UUID.self) else { throw OutboxError.noHead }
            return try answers[1].map { try envelope($0, epoch) }.sorted { $0.position < $1.position }
        }
    }

    /// Whether there is anything to number; cheap enough to ask often.
    func hasUnnumbered() async throws -> Bool {
        try await pool.read("SELECT FROM outbox WHERE position IS NULL LIMIT 1").count > 0
    }

    func head() async throws -> StreamOffset? {
        try await pool.read("SELECT epoch, head FROM outbox_head").first.map {
            StreamOffset(epoch: try $0.get("epoch"), position: try $0.get("head"))
        }
    }

    func newEpoch() async throws {
        _ = try await pool.query("UPDATE outbox_head SET epoch = gen_random_uuid()")
    }

    // MARK: Reading

    /// A reply's size is limited, and so is the number of events that make one.
    static let batchLimit = 500
    static let batchBytes = 512 * 1024

    /// The events after a position. Whoever names no epoch begins with the first that is kept.
    /// - Throws: `events_gone` where there are events after the position that are no longer kept, or where it is ahead of the head
    ///   in the same epoch, so that the two cannot belong together.
    func events(since: EventsSince) async throws -> EventBatch {
        let limit = min(max(1, since.limit), Self.batchLimit)
        // One statement, so that head, floor and events are of one moment.
        let rows = try await pool.read(
            """
            SELECT epoch, head, floor, position, header, payload FROM outbox_head
            LEFT JOIN LATERAL (
                SELECT position, header, payload FROM outbox
                WHERE position > GREATEST(\(since.position), CASE WHEN \(since.epoch == nil) THEN floor ELSE 0 END)
                    AND position <= head
                ORDER BY position LIMIT \(limit)) AS event ON true
            ORDER BY position
            """)
        guard let first = rows.first else { throw OutboxError.noHead }
        let (epoch, head) = (try first.get("epoch", as: UUID.self), try first.get("head", as: Int64.self))
        guard let asked = since.epoch else { return try batch(rows, epoch, head) }
        guard asked == epoch else { return EventBatch(epoch: epoch, head: head, events: []) }
        guard try since.position >= first.get("floor", as: Int64.self), since.position <= head else {
            throw ServiceError(.eventsGone, "The events after this position are not kept any more.")
        }
        return try batch(rows, epoch, head)
    }

    private func batch(_ rows: PostgresRows, _ epoch: UUID, _ head: Int64) throws -> EventBatch {
        var events: [StoredEvent] = []
        var size = 0
        for row in rows {
            // Without events there is one row, of NULLs.
            guard let position = try row.get("position", as: Int64?.self) else { break }
            let header = try row.get("header", as: String.self)
            let payload = try row.get("payload", as: String.self)
            // Text within JSON: quotes are escaped, so that it may grow.
            size += header.utf8.count + payload.utf8.count * 5 / 4 + 64
            if size > Self.batchBytes, !events.isEmpty { break }
            events.append(
                StoredEvent(
                    position: position, header: try WireJSON.decode(from: Array(header.utf8)), payload: payload))
        }
        return EventBatch(epoch: epoch, head: head, events: events)
    }

    private func envelope(_ row: PostgresRow, _ epoch: UUID) throws -> EventEnvelope {
        let header: EventHeader
        do { header = try WireJSON.decode(from: row.get("header", as: RawJSON.self).bytes) } catch {
            throw OutboxError.unreadable(id: try row.get("id"))
        }
        return EventEnvelope(
            publisher: publisher, epoch: epoch, position: try row.get("position"), header: header,
            payload: try row.get("payload", as: RawJSON.self).bytes)
    }

    // MARK: Pruning

    /// Forgets the oldest events that were numbered before `moment`, up to `limit`; answers how many.
    ///
    /// By `numbered_at`: `created_at` is when the transaction began, which may be long before anybody could have seen the event.
    func prune(numberedBefore moment: Date, limit: Int) async throws -> Int {
        try await pool.transaction { transaction in
            let answers = try await transaction.pipeline([
                "SELECT FROM outbox_head FOR UPDATE",
                """
                WITH oldest AS (
                    SELECT position, numbered_at FROM outbox WHERE position IS NOT NULL ORDER BY position LIMIT \(limit))
                DELETE FROM outbox USING oldest
                WHERE outbox.position = oldest.position AND oldest.numbered_at < \(moment)
                """,
                """
                UPDATE outbox_head SET floor = COALESCE((SELECT min(position) - 1 FROM outbox), head)
                """,
            ])
            return answers[1].affected
        }
    }

    /// Seconds since the oldest committed event without a position was written; 0 where there is none.
    func oldestUnnumbered() async throws -> Double {
        try await pool.read(
            """
            SELECT COALESCE(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8 AS age
            FROM outbox WHERE position IS NULL
            """
        )[0].get("age")
    }
}

enum OutboxError: Error, Hashable {
    case noHead
    /// The row `id` has no header that this version knows; positions are given again once it is mended.
    case unreadable(id: Int64)
}
