package import FoundationEssentials
import Logging
package import Messaging
import Postgres
import Synchronization
package import WireProtocol

/// Applies the events of other services to this service's own tables, each once and in order, across crashes of either side.
///
/// The offset moves in the transaction that applies the event. Register handlers before the subscriber runs. After a publisher was
/// restored from a backup, or has pruned what this consumer had not seen, its events come anew from the first that it keeps:
/// handlers must be such that applying an event again does no harm (upserts by the aggregate's id).
package final class DurableConsumer: EventConsumer {
    package typealias Handler<E> = @Sendable (E, EventHeader, CommandTransaction) async throws -> Void
    /// Of what follows from events that followed one another, in their order.
    package typealias RunHandler<Item> = @Sendable ([Item], CommandTransaction) async throws -> Void

    /// What is done with events of one kind, or of several kinds that are handled together.
    private final class Handling: Sendable {
        /// Whether it takes several at once.
        let takesRuns: Bool
        let apply: @Sendable ([EventEnvelope], CommandTransaction) async throws -> Void

        init(
            takesRuns: Bool, _ apply: @escaping @Sendable ([EventEnvelope], CommandTransaction) async throws -> Void
        ) {
            (self.takesRuns, self.apply) = (takesRuns, apply)
        }
    }

    let database: Database
    let limits: Limits
    private let handlers = Mutex<[EventKind: Handling]>([:])

    /// How many events of each publisher were handled one by one since this process started.
    private let proven = Mutex<[String: Int]>([:])
    let passed = PassedOver()
    private let renewals = Mutex<[String: [Renewal]]>([:])

    /// What else is to be done where a publisher's events come anew.
    package struct Renewal: Sendable {
        /// In the transaction that forgets the offset.
        var within: @Sendable (CommandTransaction) async throws -> Void
        /// Once that is committed.
        var after: @Sendable () -> Void
    }

    struct EventKind: Hashable {
        var publisher: String
        var type: String
    }

    /// How stubborn it is.
    package struct Limits: Sendable {
        /// How often an event is tried before it is set aside, not counting failures that are nobody's fault.
        package var attempts = 5
        /// How often the process may end in the middle of it before it is set aside: more often than anybody kills it by chance.
        package var interruptions = 8
        /// The pause before the second attempt; it doubles.
        package var firstPause: Duration = .milliseconds(50)
        /// The most events applied in one transaction.
        package var batch = 100
        /// How many events without a handler the offset may be behind, and for how long.
        package var mostUnwritten = 500
        package var longestUnwritten: Duration = .milliseconds(250)
        package init() {}
    }

    package init(database: Database, limits: Limits = Limits()) {
        self.database = database
        self.limits = limits
    }

    /// Handles events of one type by `handler`, in the transaction that moves the offset. One handler for each type;
    /// events without one are passed over.
    package func on<E: Event>(_ type: E.Type, from publisher: String, _ handler: @escaping Handler<E>) {
        let handling = Handling(takesRuns: false) { envelopes, transaction in
            for envelope in envelopes {
                try await handler(try WireJSON.decode(from: envelope.payload), envelope.header, transaction)
            }
        }
        add(handling, of: [E.type], from: publisher)
    }

    /// Handles what follows from events of several types by `handler`, of those that follow one another together: for what is written by few
    /// statements for many events rather than by some for each. Events that nobody handles may be between them. Of a run that fails each is handled
    /// alone.
    package func on<Item: Sendable>(
        runsOf readings: [EventReading<Item>], from publisher: String, _ handler: @escaping RunHandler<Item>
    ) {
        let read = Dictionary(uniqueKeysWithValues: readings.map { ($0.type, $0.read) })
        let handling = Handling(takesRuns: true) { envelopes, transaction in
            try await handler(try envelopes.compactMap { try read[$0.header.type]?($0) }, transaction)
        }
        add(handling, of: readings.map(\.type), from: publisher)
    }

    private func add(_ handling: Handling, of types: [String], from publisher: String) {
        handlers.withLock { handlers in
            for type in types {
                let kind = EventKind(publisher: publisher, type: type)
                precondition(handlers[kind] == nil, "\(publisher).\(type) is handled already")
                handlers[kind] = handling
            }
        }
    }

    /// Says what is to be done where the events of `publisher` come anew: it was restored from a backup, or no longer keeps what was
    /// missed. What is told by events alone may then be out of date. May be said more than once: all of it is done, in order.
    package func whenAnew(
        _ publisher: String, within: @escaping @Sendable (CommandTransaction) async throws -> Void,
        after: @escaping @Sendable () -> Void
    ) {
        renewals.withLock { $0[publisher, default: []].append(Renewal(within: within, after: after)) }
    }

    private func handles(_ event: EventEnvelope) -> Bool { handling(of: event) != nil }

    private func handling(of event: EventEnvelope) -> Handling? {
        handlers.withLock { $0[EventKind(publisher: event.publisher, type: event.header.type)] }
    }

    func handle(_ event: EventEnvelope, _ transaction: CommandTransaction) async throws {
        try await handle([event], transaction)
    }

    /// Handles a run, of which all are handled together: in the trace of the first.
    func handle(_ run: [EventEnvelope], _ transaction: CommandTransaction) async throws {
        guard let first = run.first, let handling = handling(of: first) else { return }
        try await TraceParent.continuing(first.header.trace) { try await handling.apply(run, transaction) }
    }

    /// The first of these events, with those behind it that are handled together with it, up to one of a thing that waits.
    func run(of events: ArraySlice<EventEnvelope>, upTo blocked: Set<String>) -> [EventEnvelope] {
        guard let first = events.first, let together = handling(of: first), together.takesRuns else {
            return Array(events.prefix(1))
        }
        return Array(
            events.prefix {
                let handling = handling(of: $0)
                return $0.publisher == first.publisher && (handling == nil || handling === together)
                    && !blocked.contains($0.header.aggregate)
            })
    }

    // MARK: EventConsumer

    package func offset(of publisher: String) async throws -> StreamOffset? {
        let rows = try await database.pool.read("SELECT epoch, position FROM offsets WHERE publisher = \(publisher)")
        guard let row = rows.first else { return nil }
        var offset = StreamOffset(epoch: try row.get("epoch"), position: try row.get("position"))
        passed.reached(publisher, offset.epoch, offset.position)
        if let run = passed.run(of: publisher), run.epoch == offset.epoch {
            offset.position = run.moved(offset.position)
        }
        return offset
    }

    /// Many in one transaction as long as all goes well; one by one from the first that does not. Those that nobody handles go without one.
    ///
    /// After a start as many as a batch may hold go one by one, each noted before: what ended this process the last time, if that was an
    /// event, is among them.
    package func consume(_ events: [EventEnvelope]) async throws {
        var rest = events[...]
        while let publisher = rest.first?.publisher {
            let ignored = rest.prefix { $0.publisher == publisher && !handles($0) }
            if try await passOver(ignored) {
                rest = rest.dropFirst(ignored.count)
                continue
            }
            var batch = Array(rest.prefix(limits.batch))
            if proven.withLock({ $0[publisher, default: 0] >= limits.batch }) {
                do {
                    try await apply(batch)
                } catch  where !(error is StreamBroken) && !Task.isCancelled {
                    for event in batch { try await consume(single: event) }
                }
            } else {
                // Up to the next ones that may be passed over.
                batch = Array(batch.prefix { handles($0) })
                if batch.isEmpty { batch = Array(rest.prefix(1)) }
                for event in batch {
                    try await consume(single: event)
                    proven.withLock { $0[publisher, default: 0] += 1 }
                }
            }
            rest = rest.dropFirst(batch.count)
        }
    }

    /// Forgets the offset, so that the publisher's events come again from the first that it keeps; but not one that a replica of this process
    /// has taken of the new stream since.
    package func resynchronise(_ publisher: String, epoch: UUID, head: Int64) async throws {
        database.logger.notice(
            "events come anew", metadata: ["publisher": "\(publisher)", "epoch": "\(epoch)", "head": "\(head)"])
        let renewals = renewals.withLock { $0[publisher] ?? [] }
        // Of the same epoch (what was missed is kept no longer) the old place is the one that this process knows.
        let known = passed.run(of: publisher)
        let old = known?.epoch == epoch ? known.map { $0.written...max($0.written, $0.through) } : nil
        passed.forget(publisher)
        try await database.transaction { transaction in
            let offsets = try await transaction.query(
                "SELECT epoch, position FROM offsets WHERE publisher = \(publisher) FOR UPDATE")
            if let offset = offsets.first {
                let position = try offset.get("position", as: Int64.self)
                // Of the new stream, and not beyond its head: a replica has begun it.
                let isBegun = try offset.get("epoch") == epoch && position <= head && old?.contains(position) != true
                if isBegun { return }
                _ = try await transaction.query("DELETE FROM offsets WHERE publisher = \(publisher)")
            }
            for renewal in renewals { try await renewal.within(transaction) }
        }
        for renewal in renewals { renewal.after() }
    }
}

/// What follows from events of one type.
package struct EventReading<Item: Sendable>: Sendable {
    let type: String
    let read: @Sendable (EventEnvelope) throws -> Item?

    package init<E: Event>(_ type: E.Type, _ item: @escaping @Sendable (E, EventHeader) throws -> Item) {
        self.type = E.type
        read = { try item(try WireJSON.decode(E.self, from: $0.payload), $0.header) }
    }

    /// Of events with a header from which something is read. Of others nothing follows.
    package init<E: Event>(
        _ type: E.Type, where isRead: @escaping @Sendable (EventHeader) -> Bool,
        _ item: @escaping @Sendable (E, EventHeader) throws -> Item
    ) {
        self.type = E.type
        read = {
            guard isRead($0.header) else { return nil }
            return try item(try WireJSON.decode(E.self, from: $0.payload), $0.header)
        }
    }
}
