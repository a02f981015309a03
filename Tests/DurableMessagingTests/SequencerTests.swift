import FoundationEssentials
import Logging
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import DurableMessaging

@Suite struct SequencerTests {
    private struct Refusal: Error {}

    /// One more for the thing, and its event; under the row lock of the thing, as services do it.
    private func increment(_ database: Database, _ thing: String, refusing: Bool = false) async throws {
        try await database.transaction { transaction in
            let rows = try await transaction.query("UPDATE things SET n = n + 1 WHERE id = \(thing) RETURNING n")
            transaction.publish(Became(n: try rows[0].get("n")), about: thing, to: .nobody)
            if refusing { throw Refusal() }
        }
    }

    private func all(_ database: Database) async throws -> [StoredEvent] {
        var events: [StoredEvent] = []
        while true {
            let batch = try await database.sequencer.outbox.events(
                since: EventsSince(epoch: nil, position: events.last?.position ?? 0, limit: 500))
            events += batch.events
            if batch.events.isEmpty { return events }
        }
    }

    /// Thousands of transactions on many things, some refused, from two processes' worth of pools, under two rival sequencers.
    @Test func rivalsNumberDenselyAndInOrder() async throws {
        try await ServiceDatabase.with { service in
            let databases = [service.database, try service.another()]
            let things = (0..<12).map { "thing/\($0)" }
            for thing in things { _ = try await service.database.query("INSERT INTO things VALUES (\(thing), 0)") }
            let published = Locked<[Int64]>([])
            let rivals = databases.map { database in
                Task { await database.sequencer.run { events in published.change { $0 += events.map(\.position) } } }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<8 {
                    group.addTask {
                        var generator = SeededGenerator(seed: UInt64(worker))
                        for _ in 0..<400 {
                            let thing = things.randomElement(using: &generator)!
                            let refusing = Int.random(in: 0..<20, using: &generator) == 0
                            do {
                                try await increment(databases[worker % 2], thing, refusing: refusing)
                            } catch is Refusal {}
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await eventually("everything to be numbered") {
                try await !service.database.sequencer.outbox.hasUnnumbered()
            }
            for rival in rivals { rival.cancel() }
            for rival in rivals { await rival.value }
            let events = try await all(service.database)
            #expect(events.map(\.position) == Array(1...Int64(events.count)))
            #expect(published.value.sorted() == events.map(\.position))
            for thing in things {
                let values = try events.filter { $0.header.aggregate == thing }
                    .map { try WireJSON.decode(Became.self, from: Array($0.payload.utf8)).n }
                let count = try #require(try await service.value(of: thing))
                #expect(values == Array(1..<(count + 1)), "\(thing)")
            }
            #expect(try await service.database.head()?.position == Int64(events.count))
            await databases[1].pool.close()
        }
    }

    @Test func anOpenTransactionDelaysOnlyItsOwnEvents() async throws {
        try await ServiceDatabase.with { service in
            let database = service.database
            _ = try await database.query("INSERT INTO things VALUES ('slow', 0), ('quick', 0)")
            let (isOpen, opened) = AsyncStream.makeStream(of: Void.self)
            let (mayEnd, end) = AsyncStream.makeStream(of: Void.self)
            let slow = Task {
                // The outbox row is inserted, and its id given out, long before the commit.
                try await database.pool.transaction { transaction in
                    let header = EventHeader(
                        id: .version7(), type: "became", aggregate: "slow", audience: .nobody, occurredAt: Date())
                    try await transaction.query(
                        """
                        INSERT INTO outbox (header, payload)
                        VALUES (\(RawJSON(bytes: WireJSON.encode(header))), \(RawJSON(text: #"{"n": 1}"#)))
                        """)
                    opened.finish()
                    for await _ in mayEnd {}
                }
            }
            for await _ in isOpen {}
            for _ in 0..<20 { try await increment(database, "quick") }
            let early = try await database.sequencer.outbox.number(limit: 100)
            #expect(early.map(\.position) == Array(1...20))
            #expect(try await database.sequencer.outbox.number(limit: 100).isEmpty)
            end.finish()
            try await slow.value
            let late = try await database.sequencer.outbox.number(limit: 100)
            #expect(late.map(\.position) == [21] && late[0].header.aggregate == "slow")
        }
    }

    @Test func aRolledBackTransactionLeavesNoGap() async throws {
        try await ServiceDatabase.with { service in
            let database = service.database
            _ = try await database.query("INSERT INTO things VALUES ('a', 0)")
            for round in 0..<30 {
                _ = await thrown(Refusal.self) { try await increment(database, "a", refusing: round % 3 == 0) }
            }
            _ = try await database.sequencer.outbox.number(limit: 7)
            _ = try await database.sequencer.outbox.number(limit: 100)
            #expect(try await all(database).map(\.position) == Array(1...20))
        }
    }

    @Test func eventsAreOutSoonAfterTheirCommitAndKeepTheirHeader() async throws {
        var settings = DatabaseSettings()
        settings.sequencerInterval = .seconds(30)  // only being woken is left
        try await ServiceDatabase.with(settings: settings) { service in
            let database = service.database
            let (published, continuation) = AsyncStream.makeStream(of: EventEnvelope.self)
            let life = Task { await database.sequencer.run { events in events.forEach { continuation.yield($0) } } }
            try await Task.sleep(for: .milliseconds(100))
            let person = PersonID.new()
            var heard = published.makeAsyncIterator()
            let position = Position(latitude: 60.17, longitude: 24.95)
            try await database.transaction { transaction in
                for n in 1...3 {
                    transaction.publish(Became(n: n), about: "a", to: .people([person]), at: position)
                }
            }
            let committed = ContinuousClock.now
            for n in 1...3 {
                let event = try #require(await heard.next())
                #expect(event.position == Int64(n) && event.publisher == "here")
                #expect(try WireJSON.decode(Became.self, from: event.payload) == Became(n: n))
                #expect(event.header.audience == .people([person]) && event.header.location == position)
                #expect(event.header.type == "became" && event.header.aggregate == "a")
            }
            #expect(ContinuousClock.now - committed < .seconds(20))
            life.cancel()
            await life.value
        }
    }

    @Test func a_row_that_cannot_be_read_is_said_once_as_an_error_and_the_rest_goes_out_when_it_is_mended()
        async throws
    {
        try await ServiceDatabase.with { service in
            let (database, log, published) = (service.database, LogCapture(), Locked<[EventEnvelope]>([]))
            try await database.transaction { $0.publish(Became(n: 1), about: "a", to: .nobody) }
            let rows = try await database.query(
                "INSERT INTO outbox (header, payload) VALUES ('{}', '{\"n\": 2}') RETURNING id")
            let id = try rows[0].get("id", as: Int64.self)
            try await database.transaction { $0.publish(Became(n: 3), about: "a", to: .nobody) }

            let sequencer = Sequencer(
                outbox: database.sequencer.outbox, interval: .milliseconds(10), gathering: .zero, batch: 100,
                logger: log.logger)
            let life = Task { await sequencer.run { events in published.change { $0 += events } } }
            try await eventually("the error") { !log.lines.isEmpty }
            // It is tried again all the time, and said no more.
            try await Task.sleep(for: .milliseconds(200))
            #expect(published.value.isEmpty)
            let header = EventHeader(
                id: .version7(), type: Became.type, aggregate: "a", audience: .nobody, occurredAt: Date())
            _ = try await database.query(
                "UPDATE outbox SET header = \(RawJSON(bytes: WireJSON.encode(header))) WHERE id = \(id)")
            try await eventually("all of them") { published.value.count == 3 }
            life.cancel()
            await life.value

            #expect(published.value.map(\.position) == [1, 2, 3])
            #expect(try published.value.map { try WireJSON.decode(Became.self, from: $0.payload).n } == [1, 2, 3])
            #expect(log.lines.map(\.level) == [.error])
            #expect(log.lines.map(\.message) == ["events wait for their positions"])
            #expect(log.lines.map(\.metadata) == [["reason": "\(OutboxError.unreadable(id: id))"]])
        }
    }

    @Test func whatIsCommittedLastIsStillPublishedAtTheEnd() async throws {
        try await ServiceDatabase.with { service in
            let database = service.database
            let published = Locked<[Int64]>([])
            let sequencer = SequencerService(sequencer: database.sequencer) { events in
                published.change { $0 += events.map(\.position) }
            }
            let group = ServiceGroupRun([sequencer])
            let life = Task { try await group.run() }
            try await database.transaction { $0.publish(Became(n: 1), about: "a", to: .nobody) }
            await group.shutDown()
            try await life.value
            #expect(published.value == [1])
        }
    }
}
