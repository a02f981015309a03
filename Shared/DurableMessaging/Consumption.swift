import Logging
import Messaging
import Postgres
import WireProtocol

/// The events that came do not follow those that were handled: the offset has to be asked again.
struct StreamBroken: Error, CustomStringConvertible {
    var description: String
}

// How events are applied: one transaction locks the offset, requires the same epoch and the next position, applies, advances.
extension DurableConsumer {
    /// Applies all events, or none. Those that were handled before (by a replica, or before an answer was lost) are passed over.
    /// - Parameter last: goes with the transaction.
    func apply(_ events: [EventEnvelope], _ last: SQLQuery? = nil) async throws {
        let newest = try await database.retrying(commitsOfUnknownOutcome: true) { [self] in
            try await database.attempt { transaction -> (EventEnvelope?, [SQLQuery]) in
                let pending = try await lockOffset(for: events, transaction)
                guard let newest = pending.events.last else { return (nil, last.map { [$0] } ?? []) }
                var rest = pending.events
                while let event = rest.first {
                    if pending.blocked.contains(event.header.aggregate) {
                        try await setAside(event, Reason.follows, attempts: 0, transaction)
                        rest = rest.dropFirst()
                    } else {
                        let run = run(of: rest, upTo: pending.blocked)
                        try await handle(run, transaction)
                        rest = rest.dropFirst(run.count)
                    }
                }
                return (newest, [advance(to: newest)] + (last.map { [$0] } ?? []))
            }
        }
        if let newest { passed.reached(newest.publisher, newest.epoch, newest.position) }
    }

    /// Applies one event, however often it takes, and sets it aside where it cannot be done.
    func consume(single event: EventEnvelope) async throws {
        var pause = limits.firstPause
        while true {
            let attempts = try await begin(event)
            guard attempts.unfinished <= limits.interruptions else {
                return try await giveUp(event, Reason.interrupted, attempts: attempts.unfinished - 1)
            }
            do {
                return try await apply([event], forget(event))
            } catch {
                let isBlameless = error.isBlameless || Task.isCancelled
                // Where even this cannot be noted, the attempt counts as one that was interrupted.
                let failed = try await end(event, failed: !isBlameless)
                // The subscriber pauses and brings it again.
                if isBlameless { throw error }
                guard failed < limits.attempts else {
                    return try await giveUp(event, Reason.text(of: error), attempts: failed)
                }
                try await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(5))
            }
        }
    }

    private func giveUp(_ event: EventEnvelope, _ reason: String, attempts: Int) async throws {
        database.logger.error(
            "event set aside",
            metadata: [
                "publisher": "\(event.publisher)", "position": "\(event.position)", "type": "\(event.header.type)",
                "aggregate": "\(event.header.aggregate)", "reason": "\(reason)", "attempts": "\(attempts)",
            ])
        try await database.retrying(commitsOfUnknownOutcome: true) { [self] in
            try await database.attempt { transaction in
                guard try await lockOffset(for: [event], transaction).events.last != nil else { return ((), []) }
                try await setAside(event, reason, attempts: attempts, transaction)
                return ((), [advance(to: event), forget(event)])
            }
        }
    }

    private struct Pending {
        var events: ArraySlice<EventEnvelope>
        /// Things with an event that was set aside: their later events wait behind it.
        var blocked: Set<String>
    }

    /// Locks the offset, making it at the first contact, and says what of `events` is still to be done.
    private func lockOffset(
        for events: [EventEnvelope], _ transaction: CommandTransaction
    ) async throws -> Pending {
        guard let first = events.first else { return Pending(events: [], blocked: []) }
        let aggregates = Array(Set(events.map(\.header.aggregate)))
        let answers = try await transaction.pipeline([
            """
            INSERT INTO offsets (publisher, epoch, position)
            VALUES (\(first.publisher), \(first.epoch), \(first.position - 1)) ON CONFLICT DO NOTHING
            """,
            "SELECT epoch, position FROM offsets WHERE publisher = \(first.publisher) FOR UPDATE",
            """
            SELECT DISTINCT aggregate FROM dead_letters
            WHERE publisher = \(first.publisher) AND aggregate = ANY(\(aggregates))
            """,
        ])
        guard let offset = answers[1].first else { throw StreamBroken(description: "the offset is gone") }
        guard try offset.get("epoch") == first.epoch, events.allSatisfy({ $0.epoch == first.epoch }) else {
            throw StreamBroken(description: "events of another epoch")
        }
        var position = try offset.get("position", as: Int64.self)
        // What was passed over meanwhile is done with this transaction.
        if let run = passed.run(of: first.publisher), run.epoch == first.epoch { position = run.moved(position) }
        let pending = events.drop { $0.position <= position }
        for (index, event) in pending.enumerated() where event.position != position + 1 + Int64(index) {
            throw StreamBroken(description: "event \(event.position) does not follow \(position)")
        }
        return Pending(events: pending, blocked: Set(try answers[2].map { try $0.get("aggregate") }))
    }

    private func advance(to event: EventEnvelope) -> SQLQuery {
        """
        UPDATE offsets SET position = \(event.position), updated_at = clock_timestamp()
        WHERE publisher = \(event.publisher)
        """
    }
}

extension Error {
    /// Nothing follows from it about the event that was handled.
    fileprivate var isBlameless: Bool {
        self is StreamBroken || self is CancellationError || (self as? PostgresError)?.isTransient == true
            || (self as? ServiceError)?.isTransient == true
    }
}

extension PostgresError {
    /// Not the event's fault: it may be tried for as long as it takes.
    var isTransient: Bool { isRetriable || kind == .commitUnknown || kind == .cancelled }
}

extension ServiceError {
    /// A handler asked another service that was away.
    var isTransient: Bool { [.unavailable, .outcomeUnknown, .tooManyRequests].contains(code) }
}
