import Messaging
import Postgres
package import WireProtocol

/// Why an event was set aside, for the operator; no values of rows, which `description` of errors leaves out.
enum Reason {
    static let interrupted = "The service ended in the middle of it each time."
    static let follows = "It follows an event of the same thing that was set aside."

    static func text(of error: any Error) -> String {
        if let error = error as? ServiceError { return "\(error.code.rawValue): \(error.detail)" }
        return String(describing: error)
    }
}

// Events that could not be handled: visible, and tried again in their order when someone asks for it.
extension DurableConsumer {
    func setAside(
        _ event: EventEnvelope, _ reason: String, attempts: Int, _ transaction: CommandTransaction
    ) async throws {
        try await transaction.query(
            """
            INSERT INTO dead_letters (publisher, epoch, position, aggregate, header, payload, reason, attempts)
            VALUES (\(event.publisher), \(event.epoch), \(event.position), \(event.header.aggregate),
                \(RawJSON(bytes: try WireJSON.encode(event.header))), \(RawJSON(bytes: event.payload)), \(reason),
                \(Int32(attempts)))
            ON CONFLICT (publisher, epoch, position) DO NOTHING
            """)
    }

    /// Tries everything that was set aside once more, each thing's events in their order until one fails again.
    package func replayDeadLetters() async throws -> DeadLetterReplay {
        let things = try await database.read(
            "SELECT publisher, aggregate FROM dead_letters GROUP BY publisher, aggregate ORDER BY min(id)")
        var replayed = 0
        for thing in things {
            let (publisher, aggregate) = (
                try thing.get("publisher", as: String.self), try thing.get("aggregate", as: String.self)
            )
            while try await replayNext(publisher, aggregate) { replayed += 1 }
        }
        let rest = try await database.read("SELECT count(*) AS count FROM dead_letters")
        return DeadLetterReplay(replayed: replayed, remaining: try rest[0].get("count"))
    }

    /// Handles the first event of the thing; false where there is none, or where it failed.
    private func replayNext(_ publisher: String, _ aggregate: String) async throws -> Bool {
        do {
            return try await database.retrying(commitsOfUnknownOutcome: false) { [self] in
                try await database.attempt { transaction in
                    guard let (id, event) = try await next(publisher, aggregate, transaction) else {
                        return (false, [])
                    }
                    try await handle(event, transaction)
                    return (true, ["DELETE FROM dead_letters WHERE id = \(id)"])
                }
            }
        } catch let error as PostgresError where error.isTransient {
            throw error
        } catch {
            if Task.isCancelled { throw error }
            _ = try await database.pool.query(
                """
                UPDATE dead_letters SET attempts = attempts + 1, reason = \(Reason.text(of: error))
                WHERE id = (SELECT min(id) FROM dead_letters WHERE publisher = \(publisher) AND aggregate = \(aggregate))
                """)
            return false
        }
    }

    /// The lock on the offset keeps events of the same thing that come meanwhile behind the one that is handled here.
    private func next(
        _ publisher: String, _ aggregate: String, _ transaction: CommandTransaction
    ) async throws -> (Int64, EventEnvelope)? {
        let rows = try await transaction.pipeline([
            "SELECT FROM offsets WHERE publisher = \(publisher) FOR UPDATE",
            """
            SELECT id, epoch, position, header, payload FROM dead_letters
            WHERE publisher = \(publisher) AND aggregate = \(aggregate) ORDER BY id LIMIT 1
            """,
        ])[1]
        guard let row = rows.first else { return nil }
        let event = EventEnvelope(
            publisher: publisher, epoch: try row.get("epoch"), position: try row.get("position"),
            header: try WireJSON.decode(from: row.get("header", as: RawJSON.self).bytes),
            payload: try row.get("payload", as: RawJSON.self).bytes)
        return (try row.get("id"), event)
    }
}

extension Database {
    /// What was set aside, oldest first, at most a thousand.
    package func deadLetters() async throws -> [DeadLetter] {
        try await read(
            """
            SELECT publisher, epoch, position, header, reason, attempts, set_aside_at FROM dead_letters
            ORDER BY id LIMIT 1000
            """
        ).map { row in
            DeadLetter(
                publisher: try row.get("publisher"), epoch: try row.get("epoch"), position: try row.get("position"),
                header: try WireJSON.decode(from: row.get("header", as: RawJSON.self).bytes),
                reason: try row.get("reason"), attempts: try row.get("attempts"),
                setAsideAt: try row.get("set_aside_at"))
        }
    }
}
