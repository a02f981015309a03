import Messaging
import Postgres
import WireProtocol

/// How often the event at hand was tried, counted in the database: a restart does not begin anew, and an event by which the whole process
/// ends is found out as well. One row for each publisher suffices, since its events are handled one after another.
struct Attempts: Hashable, Sendable {
    /// Ended in an error that was the event's own fault.
    var failed: Int
    /// Begun, with no end that anybody told of: the one that is begun now, and those during which the process ended.
    var unfinished: Int
}

extension DurableConsumer {
    /// Notes that an attempt begins, in a transaction of its own, and says how many there were.
    func begin(_ event: EventEnvelope) async throws -> Attempts {
        let rows = try await database.pool.query(
            """
            INSERT INTO event_attempts AS known (publisher, epoch, position, failed, unfinished)
            VALUES (\(event.publisher), \(event.epoch), \(event.position), 0, 1)
            ON CONFLICT (publisher) DO UPDATE SET
                (epoch, position, failed, unfinished) = (SELECT EXCLUDED.epoch, EXCLUDED.position,
                    CASE WHEN same THEN known.failed ELSE 0 END, CASE WHEN same THEN known.unfinished + 1 ELSE 1 END
                    FROM (SELECT (known.epoch, known.position) = (EXCLUDED.epoch, EXCLUDED.position) AS same) AS compared)
            RETURNING failed, unfinished
            """)
        guard let row = rows.first else { return Attempts(failed: 0, unfinished: 1) }
        return Attempts(
            failed: Int(try row.get("failed", as: Int32.self)),
            unfinished: Int(try row.get("unfinished", as: Int32.self)))
    }

    /// Notes that the attempt ended, and whether the event was to blame; answers how often it was.
    @discardableResult
    func end(_ event: EventEnvelope, failed: Bool) async throws -> Int {
        let rows = try await database.pool.query(
            """
            UPDATE event_attempts SET unfinished = GREATEST(unfinished - 1, 0), failed = failed + \(failed ? 1 : 0)
            WHERE publisher = \(event.publisher) AND epoch = \(event.epoch) AND position = \(event.position)
            RETURNING failed
            """)
        return Int(try rows.first?.get("failed", as: Int32.self) ?? 0)
    }

    /// Goes with the transaction that is done with the event, one way or the other.
    func forget(_ event: EventEnvelope) -> SQLQuery {
        "DELETE FROM event_attempts WHERE publisher = \(event.publisher) AND epoch = \(event.epoch) AND position = \(event.position)"
    }
}
