package import FoundationEssentials
package import Postgres
import Synchronization
package import WireProtocol

/// A transaction under way that may publish events: they become durable with it, or not at all.
package struct CommandTransaction: Sendable {
    /// One moment for everything that this transaction writes.
    package let now: Date
    let transaction: PostgresTransaction
    let collected: CollectedEvents

    /// Runs one statement.
    @discardableResult
    package func query(_ query: SQLQuery) async throws -> PostgresRows { try await transaction.query(query) }

    /// Runs statements one after another in a single round trip.
    @discardableResult
    package func pipeline(_ queries: [SQLQuery]) async throws -> [PostgresRows] {
        try await transaction.pipeline(queries)
    }

    /// Runs statements together with COMMIT, in this order, ahead of the events: they cost no round trip, and nobody sees what they answer. What they
    /// fail by is thrown by whoever runs the transaction.
    package func last(_ queries: [SQLQuery]) { collected.add(last: queries) }

    /// Does something in this process as soon as the transaction is committed, as ringing for a round that goes on with what it wrote. Where the outcome
    /// is unknown, it is not done.
    package func whenCommitted(_ body: @escaping @Sendable () -> Void) { collected.add(whenCommitted: body) }

    /// Publishes an event when the transaction commits.
    ///
    /// Hold the row lock of the thing it is about, so that its events are in the order of its changes. Events of one transaction
    /// keep their order. What people are to be told because of it (`Event.notices`) is published with it.
    /// - Parameters:
    ///   - aggregate: the thing it happened to, as `spot/<id>`.
    ///   - audience: who may hear of it on the live stream.
    ///   - position: where it happened, for streams that are limited to a box.
    ///   - concerned: whose thing it is, or who did it, where others may hear of it: those whom they have blocked, and who have blocked
    ///     them, do not.
    ///   - campus: where a community keeps its campuses apart, whose people alone may hear of it (`EventHeader.campus`).
    package func publish(
        _ event: some Event, about aggregate: String, to audience: Audience, at position: Position? = nil,
        concerning concerned: [PersonID] = [], within campus: String? = nil
    ) {
        let notices = event.notices(at: now)
        let header = EventHeader(
            id: .version7(at: now), type: Swift.type(of: event).type, aggregate: aggregate, audience: audience,
            occurredAt: now, location: position, concerns: concerned.isEmpty ? nil : concerned,
            campus: campus, trace: TraceParent.current(), told: notices.isEmpty ? nil : true)
        collected.append { (try WireJSON.encode(header), try WireJSON.encode(event)) }
        for notice in notices { publish(notice.event, about: aggregate, to: .nobody) }
    }
}

extension SQLQuery {
    /// An advisory lock of this schema: others who take the same wait until the transaction ends. For invariants that no row and no
    /// constraint stands for. A statement of its own, ahead of what it guards: the snapshot of a statement is older than its lock.
    ///
    /// Lock in this order, or two transactions may wait for each other: persons (the smaller id first), then rows. A command's request
    /// is locked before all of these.
    /// - Parameters:
    ///   - purpose: what kind of thing `key` names, as `person`: ids of different kinds may be equal.
    package static func lock(_ purpose: String, _ key: some CustomStringConvertible) -> SQLQuery {
        "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '/' || \(purpose) || '/' || \(key.description), 0))"
    }

    /// The same for several things of one kind, the smaller id first.
    package static func lock<Kind>(_ purpose: String, allOf keys: some Sequence<ID<Kind>>) -> SQLQuery {
        """
        SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '/' || \(purpose) || '/' || key, 0))
        FROM unnest(\(Set(keys).sorted())) AS key
        """
    }
}

/// What a transaction leaves to its end: statements, the events that it has published so far, which are inserted last, and what follows its commit.
final class CollectedEvents: Sendable {
    /// Of an event, payload and header (which names its audience, person by person). A message on the bus is limited to 1 MiB, and a batch of
    /// events must hold at least one, in which the payload may be twice as long: as text within JSON.
    static let sizeLimit = 256 * 1024

    private typealias Encoded = (header: [UInt8], payload: [UInt8])
    private let events = Mutex<[@Sendable () throws -> (header: [UInt8], payload: [UInt8])]>([])

    private let last = Mutex<[SQLQuery]>([])
    private let following = Mutex<[@Sendable () -> Void]>([])

    var isEmpty: Bool { events.withLock(\.isEmpty) }
    var statements: [SQLQuery] { last.withLock { $0 } }

    func add(last queries: [SQLQuery]) { last.withLock { $0 += queries } }
    func add(whenCommitted body: @escaping @Sendable () -> Void) { following.withLock { $0.append(body) } }

    /// Does what was to be done as soon as the transaction is committed.
    func follow() { for body in following.withLock({ $0 }) { body() } }

    func append(_ event: @escaping @Sendable () throws -> (header: [UInt8], payload: [UInt8])) {
        events.withLock { $0.append(event) }
    }

    /// One statement for all; `WITH ORDINALITY` keeps their order.
    func insert() throws -> SQLQuery? {
        let encoded = try events.withLock { $0 }.map { try $0() }
        guard !encoded.isEmpty else { return nil }
        for (header, payload) in encoded where header.count + payload.count > Self.sizeLimit {
            throw PostgresError(
                .misuse, debugDetail: "an event of \(header.count) bytes of header and \(payload.count) of payload")
        }
        return """
            INSERT INTO outbox (header, payload)
            SELECT header, payload
            FROM unnest(\(encoded.map { RawJSON(bytes: $0.header) }), \(encoded.map { RawJSON(bytes: $0.payload) }))
                WITH ORDINALITY AS event (header, payload, number)
            ORDER BY number
            """
    }
}
