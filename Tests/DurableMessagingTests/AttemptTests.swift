import FoundationEssentials
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import DurableMessaging

/// How often an event is tried that does not go through, and what is noted of it.
@Suite struct AttemptTests {
    private let epoch = UUID()

    @Test func attemptsAreCountedAcrossRestarts() async throws {
        try await ConsumerLog.with { service, _, mood in
            var limits = DurableConsumer.Limits()
            (limits.firstPause, limits.attempts) = (.milliseconds(1), 3)
            mood.set(["a"])
            /// A process that goes on until it is cut off after `attempts` of its own.
            func process(endingAfter attempts: Int) async throws {
                let consumer = DurableConsumer(database: service.database, limits: limits)
                let left = Locked(attempts)
                consumer.on(Became.self, from: "there") { _, _, _ in
                    mood.attempts.change { $0 += 1 }
                    left.change { $0 -= 1 }
                    // Nobody's fault, so that this process gives up here.
                    if left.value < 0 { throw ServiceError(.unavailable, "Away.") }
                    throw ConsumerLog.Poison()
                }
                try await consumer.consume(events([("a", 1)], epoch: epoch))
            }
            #expect(await thrown(ServiceError.self) { try await process(endingAfter: 2) } != nil)
            #expect(try await service.database.deadLetters().items.map(\.position) == [])
            try await process(endingAfter: 2)
            #expect(try await service.database.deadLetters().items.map(\.attempts) == [3])
            // Two, one that was nobody's fault, and the third.
            #expect(mood.attempts.value == 4)
        }
    }

    /// A process that ends in the middle cannot be had here; what the next one finds is what it leaves: a beginning without an end.
    @Test func anEventByWhichTheProcessEndsEachTimeIsSetAside() async throws {
        try await ConsumerLog.with { service, consumer, mood in
            let all = try events([("a", 1), ("b", 2)], epoch: epoch)
            for time in 1...consumer.limits.interruptions {
                let attempts = try await consumer.begin(all[0])
                #expect(attempts == Attempts(failed: 0, unfinished: time))
            }
            try await consumer.consume(all)
            let dead = try await service.database.deadLetters().items
            #expect(dead.map(\.position) == [1] && dead.map(\.attempts) == [consumer.limits.interruptions])
            #expect(try await ConsumerLog.entries(service) == ["b2"])
            // The count was this event's, and is gone with it.
            #expect(try await service.database.read("SELECT FROM event_attempts").isEmpty)
        }
    }

    @Test func anEventThatGoesThroughInTheEndLeavesNoCount() async throws {
        try await ConsumerLog.with { service, consumer, _ in
            let all = try events([("a", 1), ("a", 2)], epoch: epoch)
            for _ in 1..<consumer.limits.interruptions { _ = try await consumer.begin(all[0]) }
            try await consumer.consume(all)
            #expect(try await ConsumerLog.entries(service) == ["a1", "a2"])
            #expect(try await service.database.read("SELECT FROM event_attempts").isEmpty)
        }
    }

    @Test func onlyTheFirstEventsOfAProcessAreNotedOneByOne() async throws {
        try await ConsumerLog.with { service, consumer, _ in
            // The handler looks whether its own attempt was noted before it was made.
            let noted = Locked(0)
            consumer.on(Became.self, from: "elsewhere") { _, _, transaction in
                if try await !transaction.query("SELECT FROM event_attempts").isEmpty { noted.change { $0 += 1 } }
            }
            let all = try events((1...150).map { ("a", $0) }, from: "elsewhere", epoch: epoch)
            try await consumer.consume(Array(all[..<40]))
            try await consumer.consume(Array(all[40...]))
            // Whole batches: forty, and a hundred that began before the limit was reached.
            #expect(noted.value == 140)
        }
    }

    @Test func deadlocksAreTriedAgainAndPayloadsThatCannotBeReadAreSetAside() async throws {
        try await ServiceDatabase.with { service in
            var limits = DurableConsumer.Limits()
            limits.firstPause = .milliseconds(1)
            let consumer = DurableConsumer(database: service.database, limits: limits)
            let attempts = Locked(0)
            consumer.on(Became.self, from: "there") { event, header, transaction in
                try await transaction.query("INSERT INTO things VALUES (\(header.aggregate), \(event.n))")
                attempts.change { $0 += 1 }
                if attempts.value < 3 {
                    throw PostgresError(.server, sqlState: SQLState.deadlockDetected)
                }
            }
            var all = try events([("a", 1), ("bad", 2)], epoch: epoch)
            all[1].payload = Array(#"{"n": "many"}"#.utf8)
            try await consumer.consume(all)
            #expect(try await service.value(of: "a") == 1)
            #expect(try await service.database.deadLetters().items.map(\.position) == [2])
        }
    }
}
