package import FoundationEssentials
import Logging
import Messaging
import Postgres
package import WireProtocol

/// Why an event was set aside, for the operator; no values of rows, which `description` of errors leaves out.
enum Reason {
    static let interrupted = "The service ended in the middle of it each time."
    static let follows = "It follows an event of the same thing that was set aside."

    /// Long enough for any sentence; what an error says of itself has no bound.
    private static let longest = 2000

    static func text(of error: any Error) -> String {
        if let error = error as? ServiceError {
            return String("\(error.code.rawValue): \(error.detail)".prefix(longest))
        }
        return String(String(describing: error).prefix(longest))
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
    /// Throws away what will never be handled, with the copies that new epochs brought. The later events of the same things stay set aside
    /// until they are replayed.
    package func discardDeadLetters(_ events: [UUID]) async throws -> DeadLetterDiscard {
        let (gone, rest) = try await transaction { transaction in
            let answers = try await transaction.pipeline([
                // As for a replay: whoever applies events now has seen what is set aside, and must be done with it.
                "SELECT FROM offsets ORDER BY publisher FOR UPDATE",
                """
                DELETE FROM dead_letters WHERE (header->>'id')::uuid = ANY(\(events))
                RETURNING publisher, position, aggregate, header->>'type' AS type
                """,
                "SELECT count(*) AS count FROM dead_letters",
            ])
            return (answers[1], try answers[2][0].get("count", as: Int.self))
        }
        for row in gone {
            let position = try row.get("position", as: Int64.self)
            var metadata: Logger.Metadata = ["position": "\(position)"]
            for name in ["publisher", "aggregate", "type"] { metadata[name] = .string(try row.get(name)) }
            logger.warning("dead letter discarded", metadata: metadata)
        }
        return DeadLetterDiscard(discarded: gone.count, remaining: rest)
    }

    /// What was set aside, oldest first: a page that fits into a reply.
    /// - Parameter cursor: `next` of the page before.
    package func deadLetters(after cursor: String? = nil) async throws -> Page<DeadLetter> {
        guard let last = cursor.map({ Int64($0) }) ?? 0 else {
            throw ServiceError(.malformed, "The cursor is none of this list.")
        }
        let rows = try await read(
            """
            SELECT id, publisher, epoch, position, header, reason, attempts, set_aside_at FROM dead_letters
            WHERE id > \(last) ORDER BY id LIMIT \(Outbox.batchLimit + 1)
            """)
        var page = Page<DeadLetter>(items: [])
        var size = 0
        for row in rows {
            let header = try row.get("header", as: RawJSON.self).bytes
            let reason = try row.get("reason", as: String.self)
            // Text within JSON: quotes are escaped, so that it may grow.
            size += header.count + reason.utf8.count * 2 + 256
            if !page.items.isEmpty, size > Outbox.batchBytes || page.items.count == Outbox.batchLimit {
                return page
            }
            page.items.append(
                DeadLetter(
                    publisher: try row.get("publisher"), epoch: try row.get("epoch"),
                    position: try row.get("position"), header: try WireJSON.decode(from: header), reason: reason,
                    attempts: try row.get("attempts"), setAsideAt: try row.get("set_aside_at")))
            page.next = String(try row.get("id", as: Int64.self))
        }
        page.next = nil
        return page
    }
}
