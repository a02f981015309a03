import ArgumentParser
import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import ServiceLifecycle
import WireProtocol
import ZeroMQ

struct Subscribe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Applies events to its own schema until it has seen the last, and says when each was durable.")
    @OptionGroup var options: EventOptions
    @Option(help: "Ends after the event at this position.") var until: Int64

    func run() async throws {
        let context = try busContext(.listings, keys: options.keys)
        let database = try await options.database("listings", on: context.reactor)
        let durable = DurableConsumer(database: database)
        durable.on(Happened.self, from: "auth") { event, _, transaction in
            try await transaction.query("INSERT INTO effects VALUES (\(event.number))")
        }
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let witness = Witness(consumer: durable, last: until) { end.finish() }
        let client = try RequestClient(peers: [.auth: [options.requests]], context: context, logger: quiet)
        let subscriber = try EventSubscriber(
            publishers: [.auth: [options.events]], client: client, consumer: witness, context: context, logger: quiet)
        let group = ServiceGroup(services: database.background() + [client, subscriber], logger: quiet)
        let begin = nanoseconds()
        let life = Task { try await group.run() }
        for await _ in ended {}
        let seconds = Double(nanoseconds() - begin) / 1e9
        try options.write(witness.moments.withLock { $0 })
        let dead = try await database.deadLetters().items.count
        life.cancel()
        try report(CaughtUp(seconds: seconds, count: witness.moments.withLock(\.count), setAside: dead))
    }

    private struct CaughtUp: Encodable {
        var seconds: Double
        var count: Int
        var setAside: Int
    }
}

/// Notes when the consumer behind it has made events durable.
private struct Witness: EventConsumer {
    let consumer: DurableConsumer
    let last: Int64
    let ended: @Sendable () -> Void
    let moments = Shared<[(Int, Int64)]>([])

    func offset(of publisher: String) async throws -> StreamOffset? { try await consumer.offset(of: publisher) }

    func consume(_ events: [EventEnvelope]) async throws {
        try await consumer.consume(events)
        let now = nanoseconds()
        let numbers = try events.map { try WireJSON.decode(Happened.self, from: $0.payload).number }
        moments.withLock { $0 += numbers.map { ($0, now) } }
        if events.contains(where: { $0.position >= last }) { ended() }
    }

    func resynchronise(_ publisher: String, epoch: UUID, head: Int64) async throws {
        try await consumer.resynchronise(publisher, epoch: epoch, head: head)
    }
}
