import FoundationEssentials
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import DurableMessaging

@Suite struct OutboxTests {
    private func publish(_ count: Int, _ database: Database, size: Int = 1) async throws {
        for n in 0..<count {
            try await database.transaction { transaction in
                transaction.publish(Said(text: String(repeating: "\"", count: size)), about: "a/\(n)", to: .everyone)
            }
        }
        while try await !database.sequencer.outbox.number(limit: 100).isEmpty {}
    }

    private struct Said: Event {
        static let type = "said"
        var text: String
    }

    private func since(_ database: Database, _ epoch: UUID?, _ position: Int64, limit: Int = 100) async throws
        -> EventBatch
    {
        try await database.sequencer.outbox.events(since: EventsSince(epoch: epoch, position: position, limit: limit))
    }

    @Test func eventsAfterAPosition() async throws {
        try await ServiceDatabase.with { service in
            let database = service.database
            let empty = try await since(database, nil, 0)
            #expect(empty.head == 0 && empty.events.isEmpty)
            try await publish(10, database)
            let epoch = try #require(try await database.head()).epoch
            #expect(empty.epoch == epoch)
            #expect(try await since(database, epoch, 0).events.map(\.position) == Array(1...10))
            #expect(try await since(database, epoch, 4, limit: 3).events.map(\.position) == [5, 6, 7])
            #expect(try await since(database, epoch, 10).events.isEmpty)
            #expect(try await since(database, epoch, 10).head == 10)
            let other = try await since(database, UUID(), 3)
            #expect(other.events.isEmpty && other.epoch == epoch && other.head == 10)
            let ahead = await thrown(ServiceError.self) { try await since(database, epoch, 11) }
            #expect(ahead?.code == .eventsGone)
        }
    }

    @Test func anEventThatCannotBeReadIsNamedAndHoldsTheOthersUntilItIsMended() async throws {
        try await ServiceDatabase.with { service in
            let (database, outbox) = (service.database, service.database.sequencer.outbox)
            let rows = try await database.query(
                "INSERT INTO outbox (header, payload) VALUES ('{}', '{}') RETURNING id")
            let id = try rows[0].get("id", as: Int64.self)
            try await database.transaction { transaction in
                transaction.publish(Said(text: "later"), about: "a/1", to: .everyone)
            }
            let error = await thrown(OutboxError.self) { try await outbox.number(limit: 10) }
            #expect(error == .unreadable(id: id))
            #expect(try await database.head()?.position == 0)
            _ = try await database.query("DELETE FROM outbox WHERE id = \(id)")
            #expect(try await outbox.number(limit: 10).map(\.position) == [1])
        }
    }

    @Test func aBatchFitsIntoAMessage() async throws {
        try await ServiceDatabase.with { service in
            let database = service.database
            try await publish(12, database, size: 60_000)
            var position: Int64 = 0
            while position < 12 {
                let batch = try await since(database, nil, position)
                let last = try #require(batch.events.last)
                #expect(try WireJSON.encode(batch).count < 1 << 20)
                #expect(batch.events.map(\.position) == Array(position + 1...last.position))
                position = last.position
            }
            let large = await thrown(PostgresError.self) { try await publish(1, database, size: 200_000) }
            #expect(large?.kind == .misuse)
        }
    }

    @Test func anAudienceThatDoesNotFitIntoAMessageIsRefusedToWhoPublishes() async throws {
        try await ServiceDatabase.with { service in
            let database = service.database
            func tell(_ count: Int) async throws {
                let people = Set((0..<count).map { _ in PersonID.new() })
                try await database.transaction { transaction in
                    transaction.publish(Said(text: "x"), about: "a", to: .people(people))
                }
            }
            try await tell(6_000)
            #expect(await thrown(PostgresError.self) { try await tell(30_000) }?.kind == .misuse)
            // Nothing of it is there to hold the others up, and the largest that went through can be pulled.
            try await tell(1)
            while try await !database.sequencer.outbox.number(limit: 100).isEmpty {}
            let batch = try await since(database, nil, 0)
            #expect(batch.events.map(\.position) == [1, 2])
            #expect(try WireJSON.encode(batch).count < 1 << 20)
        }
    }

    @Test func whatIsOldIsForgottenByTheTimeItWasNumbered() async throws {
        let clock = FixedClock(Date())
        try await ServiceDatabase.with(clock: clock.read) { service in
            let database = service.database
            try await publish(5, database)
            // Written long ago, seen only now: it stays.
            _ = try await database.query("UPDATE outbox SET created_at = now() - interval '30 days'")
            try await database.prune()
            #expect(try await since(database, nil, 0).events.count == 5)
            _ = try await database.query(
                "UPDATE outbox SET numbered_at = now() - interval '8 days' WHERE position <= 3")
            try await database.prune()
            let epoch = try #require(try await database.head()).epoch
            #expect(try await since(database, epoch, 3).events.map(\.position) == [4, 5])
            #expect(await thrown(ServiceError.self) { try await since(database, epoch, 2) }?.code == .eventsGone)
            #expect(try await since(database, nil, 0).events.map(\.position) == [4, 5])
            clock.advance(by: .days(8))
            try await database.prune()
            #expect(try await since(database, nil, 0).events.isEmpty)
            #expect(try await since(database, epoch, 5).events.isEmpty)
            #expect(await thrown(ServiceError.self) { try await since(database, epoch, 4) }?.code == .eventsGone)
            try await publish(1, database)
            #expect(try await since(database, epoch, 5).events.map(\.position) == [6])
        }
    }

    @Test func aNewEpochKeepsPositions() async throws {
        try await ServiceDatabase.with { service in
            let database = service.database
            try await publish(3, database)
            let before = try #require(try await database.head())
            try await database.newEpoch()
            let after = try #require(try await database.head())
            #expect(after.epoch != before.epoch && after.position == 3)
            #expect(try await since(database, before.epoch, 3).epoch == after.epoch)
            #expect(try await since(database, after.epoch, 0).events.count == 3)
        }
    }

    @Test func anOperatorBeginsANewEpochOnlyWhileTheServiceIsAway() async throws {
        try await ServiceDatabase.with { service in
            try await publish(3, service.database)
            let before = try #require(try await service.database.head())
            // A process of that name is connected, in this test's pool under another one.
            let running = try service.test.anotherPool { $0.applicationName = service.schema }
            _ = try await running.query("SELECT 1")
            let refusal = await #expect(throws: ServiceError.self) {
                try await Restoration.newEpoch(of: service.schema, in: service.test.pool)
            }
            #expect(refusal?.code == .wrongState)
            #expect(try await service.database.head() == before)

            await running.close()
            var epoch = before.epoch
            try await eventually("the server to notice that it is gone") {
                epoch = (try? await Restoration.newEpoch(of: service.schema, in: service.test.pool)) ?? epoch
                return epoch != before.epoch
            }
            #expect(try await service.database.head() == StreamOffset(epoch: epoch, position: 3))
        }
    }

    @Test func theAgeOfWhatWaitsIsMeasured() async throws {
        try await ServiceDatabase.with { service in
            let outbox = service.database.sequencer.outbox
            #expect(try await outbox.oldestUnnumbered() == 0)
            try await service.database.transaction { $0.publish(Became(n: 1), about: "a", to: .nobody) }
            _ = try await service.database.query("UPDATE outbox SET created_at = now() - interval '1 minute'")
            #expect(try await outbox.oldestUnnumbered() > 59)
            try await service.database.measure(MessagingMetrics(service: "here"))
        }
    }
}
