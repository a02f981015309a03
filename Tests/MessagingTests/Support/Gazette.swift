import FoundationEssentials
import Glibc
import Logging
import Reactor
import Synchronization
import TestKit
import Testing
import WireProtocol
import ZeroMQ

@testable import Messaging

/// A publisher whose table is in memory: answers `eventsSince` and sends heartbeats as a service does, and publishes what the
/// test says.
final class Gazette: Sendable {
    struct Table {
        var epoch = UUID()
        var events: [EventEnvelope] = []
        /// Positions up to here are no longer kept.
        var floor: Int64 = 0
        var pulls = 0
        /// How many of the next pulls fail.
        var broken = 0
        var head: Int64 { events.last?.position ?? floor }
    }

    let table: Mutex<Table>
    let context: ZMQContext
    let publisher: EventPublisher
    let requests: String
    let events: String
    private let running: [Running]

    /// - Parameters: after a restart, the table and the addresses of before.
    init(
        _ town: Town, in context: ZMQContext? = nil, table: Table = Table(), requests: String? = nil,
        events: String? = nil, logger: Logger = quiet
    )
        async throws
    {
        let context = try context ?? town.context(.listings)
        self.context = context
        self.table = Mutex(table)
        let holder = Mutex<Gazette?>(nil)
        let gazette: @Sendable () -> Gazette? = { holder.withLock { $0 } }
        publisher = EventPublisher(
            ListingsEvents.stream, context: context, endpoint: events ?? "tcp://127.0.0.1:*", logger: logger
        ) { gazette()?.table.withLock { StreamOffset(epoch: $0.epoch, position: $0.head) } }
        var router = RequestRouter(service: "listings")
        router.on(ListingsEvents.stream.methods.eventsSince) { since, _, _ in
            guard let gazette = gazette() else { throw ServiceError(.unavailable, "") }
            return try gazette.answer(since)
        }
        let server = RequestServer(router, context: context, endpoint: requests ?? "tcp://127.0.0.1:*", logger: logger)
        running = [town.start(publisher), town.start(server)]
        self.requests = try await server.address()
        self.events = try await publisher.address()
        holder.withLock { $0 = self }
    }

    /// Returns when its ports can be bound again: libzmq lets go of them a moment after the sockets are closed.
    func stop() async throws {
        for service in running { await service.kill() }
        for endpoint in [requests, events] {
            let port = try #require(endpoint.split(separator: ":").last.flatMap { UInt16($0) })
            try await eventually("port \(port) to be free") { canBind(port) }
        }
    }

    var pulls: Int { table.withLock { $0.pulls } }

    /// Writes `count` events into the table, and returns them.
    @discardableResult
    func write(_ count: Int) -> [EventEnvelope] {
        table.withLock { table in
            let events = (0..<Int64(count)).map { event(table.epoch, table.head + 1 + $0) }
            table.events += events
            return events
        }
    }

    private func answer(_ since: EventsSince) throws -> EventBatch {
        try table.withLock { table in
            table.pulls += 1
            if table.broken > 0 {
                table.broken -= 1
                throw ServiceError(.internalError, "")
            }
            var position = since.position
            if since.epoch == nil {
                position = max(position, table.floor)
            } else {
                guard since.epoch == table.epoch else {
                    return EventBatch(epoch: table.epoch, head: table.head, events: [])
                }
                guard position >= table.floor, position <= table.head else { throw ServiceError(.eventsGone, "") }
            }
            let events = table.events.drop { $0.position <= position }.prefix(since.limit)
            return EventBatch(
                epoch: table.epoch, head: table.head,
                events: events.map {
                    StoredEvent(
                        position: $0.position, header: $0.header, payload: String(decoding: $0.payload, as: UTF8.self))
                })
        }
    }
}

func event(_ epoch: UUID, _ position: Int64, publisher: String = "listings") -> EventEnvelope {
    EventEnvelope(
        publisher: publisher, epoch: epoch, position: position,
        header: EventHeader(
            id: UUID(), type: "noted", aggregate: "note/1", audience: .nobody,
            occurredAt: Date(timeIntervalSince1970: 1_700_000_000)),
        payload: Array(#"{"number":\#(position)}"#.utf8))
}

/// A consumer that remembers what it was given, and fails or stands still where the test says so.
actor Reader: EventConsumer {
    private(set) var offset: StreamOffset?
    private(set) var positions: [Int64] = []
    private(set) var payloads: [String] = []
    private(set) var resynchronised = 0
    private var failures = 0
    private var isHeld = false
    private let keepsHistory: Bool
    struct Failure: Error {}

    /// - Parameter keepsHistory: on a new stream it wants all again, as a projection does; otherwise it goes on at the head.
    init(at offset: StreamOffset? = nil, keepsHistory: Bool = true) {
        self.offset = offset
        self.keepsHistory = keepsHistory
    }

    func fail(_ times: Int) { failures = times }

    /// Takes nothing until `goOn`.
    func hold() { isHeld = true }
    func goOn() { isHeld = false }

    func offset(of publisher: String) -> StreamOffset? { offset }

    func consume(_ events: [EventEnvelope]) async throws {
        while isHeld { try await Task.sleep(for: .milliseconds(1)) }
        for event in events {
            if let offset {
                guard event.epoch == offset.epoch, event.position == offset.position + 1 else { throw Failure() }
            }
            // In the middle of a batch: what came before it is durable.
            if failures > 0, event.position % 3 == 0 {
                failures -= 1
                throw Failure()
            }
            offset = StreamOffset(epoch: event.epoch, position: event.position)
            positions.append(event.position)
            payloads.append(String(decoding: event.payload, as: UTF8.self))
        }
    }

    func resynchronise(_ publisher: String, epoch: UUID, head: Int64) {
        resynchronised += 1
        offset = keepsHistory ? nil : StreamOffset(epoch: epoch, position: head)
    }
}

/// Whether a listener could have this port of 127.0.0.1 now, as libzmq asks for it.
private func canBind(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}
