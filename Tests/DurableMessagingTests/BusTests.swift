import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import Reactor
import ServiceLifecycle
import TestKit
import Testing
import WireProtocol
import ZeroMQ

#if canImport(Glibc)
    import Glibc
#endif

/// Two services with schemas of their own on a real bus: what one publishes the other has applied, whoever dies in between.
@Suite(.timeLimit(.minutes(2))) struct BusTests {
    /// Everything of one service's process that can be ended and started again.
    private struct Process {
        let context: ZMQContext
        let life: Task<Void, any Error>
        let group: ServiceGroupRun
        let database: Database

        /// Without any grace.
        func kill() async {
            life.cancel()
            _ = try? await life.value
            await database.pool.close()
            context.reactor.stop()
        }
    }

    private let keys: TemporaryDirectory
    private let requests = "tcp://127.0.0.1:\(FreePort.next())"
    private let events = "tcp://127.0.0.1:\(FreePort.next())"

    init() throws { keys = try TemporaryDirectory("bus") }

    private func context(_ role: PeerRole) throws -> ZMQContext {
        ZMQContext(
            identity: try BusKeys.create(role: role, in: keys.path), reactor: Reactor(name: role.rawValue),
            logger: ServiceDatabase.logger)
    }

    /// libzmq's own thread lets go of the ports of a process that was killed, when it comes round to it: until then they are tried again.
    private func publisher(_ service: ServiceDatabase) async throws -> Process {
        var patience = 50
        while true {
            let (process, publisher, server) = try beginPublisher(service)
            do {
                (_, _) = (try await publisher.address(), try await server.address())
                return process
            } catch let error as ZMQError where error.code == EADDRINUSE && patience > 0 {
                patience -= 1
                await process.kill()
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    private func beginPublisher(_ service: ServiceDatabase) throws -> (Process, EventPublisher, RequestServer) {
        let context = try context(.auth)
        let database = try service.another(service: "auth", on: context.reactor)
        var router = RequestRouter(service: "auth")
        database.answer(on: &router, publishing: AuthEvents.stream)
        let publisher = EventPublisher(
            AuthEvents.stream, context: context, endpoint: events, logger: ServiceDatabase.logger,
            head: { try await database.head() })
        let server = RequestServer(router, context: context, endpoint: requests, logger: ServiceDatabase.logger)
        let group = ServiceGroupRun(database.background(publishingWith: publisher) + [server])
        let process = Process(context: context, life: Task { try await group.run() }, group: group, database: database)
        return (process, publisher, server)
    }

    private func subscriber(_ service: ServiceDatabase) throws -> Process {
        let context = try context(.listings)
        let database = try service.another(service: "listings", on: context.reactor)
        let consumer = DurableConsumer(database: database)
        consumer.on(Became.self, from: "auth") { event, _, transaction in
            try await transaction.query("INSERT INTO things VALUES (\(String(event.n)), 1)")
        }
        let client = try RequestClient(peers: [.auth: [requests]], context: context, logger: ServiceDatabase.logger)
        let subscriber = try EventSubscriber(
            publishers: [.auth: [events]], client: client, consumer: consumer, context: context,
            logger: ServiceDatabase.logger)
        let group = ServiceGroupRun(database.background() + [client, subscriber])
        return Process(context: context, life: Task { try await group.run() }, group: group, database: database)
    }

    private func publish(_ numbers: Range<Int>, _ database: Database) async throws {
        for number in numbers {
            try await database.transaction { $0.publish(Became(n: number), about: "a/\(number % 7)", to: .nobody) }
        }
    }

    private func expect(_ count: Int, in service: ServiceDatabase) async throws {
        try await eventually("\(count) events", within: .seconds(30)) {
            try await service.database.pool.query("SELECT FROM things").count == count
        }
    }

    /// The handler inserts under a primary key: an event that came twice would fail, and be set aside.
    @Test func nothingIsLostOrRepeatedWhoeverDies() async throws {
        try await ServiceDatabase.with { source in
            try await ServiceDatabase.with { target in
                var here = try await publisher(source)
                var there = try subscriber(target)
                try await publish(0..<100, here.database)
                try await expect(100, in: target)

                await there.kill()
                try await publish(100..<200, here.database)
                there = try subscriber(target)
                try await expect(200, in: target)

                let writer = Task { [here] in try await publish(200..<300, here.database) }
                try await Task.sleep(for: .milliseconds(50))
                await there.kill()
                there = try subscriber(target)
                try await writer.value
                await here.kill()
                here = try await publisher(source)
                try await publish(300..<400, here.database)
                try await expect(400, in: target)

                #expect(try await target.database.deadLetters().items.isEmpty)
                #expect(try await source.database.head()?.position == 400)
                await there.kill()
                await here.kill()
            }
        }
    }

    @Test func aRestoredPublisherIsConsumedAnew() async throws {
        try await ServiceDatabase.with { source in
            try await ServiceDatabase.with { target in
                var here = try await publisher(source)
                let there = try subscriber(target)
                try await publish(0..<20, here.database)
                try await expect(20, in: target)
                await here.kill()
                // The backup was older, and knew 5 events less.
                _ = try await source.database.query("DELETE FROM outbox WHERE position > 15")
                _ = try await source.database.query("UPDATE outbox_head SET head = 15")
                try await source.database.newEpoch()
                _ = try await target.database.query("DELETE FROM things")
                here = try await publisher(source)
                try await publish(100..<110, here.database)
                try await expect(25, in: target)
                #expect(try await target.value(of: "19") == nil)
                #expect(try await target.value(of: "109") == 1)
                await there.kill()
                await here.kill()
            }
        }
    }
}
