import FoundationEssentials
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import DurableMessaging

@Suite struct ConsumerTests {
    private let epoch = UUID()

    @Test func eachOnceAndInOrder() async throws {
        try await ConsumerLog.with { service, consumer, _ in
            #expect(try await consumer.offset(of: "there") == nil)
            let all = try events((1...250).map { ("a", $0) }, epoch: epoch)
            try await consumer.consume(Array(all[..<120]))
            #expect(try await consumer.offset(of: "there") == StreamOffset(epoch: epoch, position: 120))
            // What came before comes again, as after an answer that was lost.
            try await consumer.consume(Array(all[100..<250]))
            #expect(try await ConsumerLog.entries(service) == (1...250).map { "a\($0)" })
            #expect(try await consumer.offset(of: "there")?.position == 250)
        }
    }

    @Test func twoReplicasOfOneServiceShareTheOffset() async throws {
        try await ConsumerLog.with { service, consumer, _ in
            let all = try events((1...200).map { ("a", $0) }, epoch: epoch)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 { group.addTask { try await consumer.consume(all) } }
                try await group.waitForAll()
            }
            #expect(try await ConsumerLog.entries(service) == (1...200).map { "a\($0)" })
        }
    }

    @Test func aGapAndAnotherEpochAreRefused() async throws {
        try await ConsumerLog.with { service, consumer, _ in
            let all = try events((1...10).map { ("a", $0) }, epoch: epoch)
            try await consumer.consume(Array(all[..<3]))
            #expect(await thrown(StreamBroken.self) { try await consumer.consume(Array(all[4...])) } != nil)
            let others = try events([("a", 4)], epoch: UUID(), after: 3)
            #expect(await thrown(StreamBroken.self) { try await consumer.consume(others) } != nil)
            #expect(try await consumer.offset(of: "there") == StreamOffset(epoch: epoch, position: 3))
            #expect(try await ConsumerLog.entries(service) == ["a1", "a2", "a3"])
        }
    }

    @Test func whatCannotBeHandledIsSetAsideWithItsThing() async throws {
        try await ConsumerLog.with { service, consumer, mood in
            mood.set(["b"])
            let things = [("a", 1), ("b", 1), ("c", 1), ("b", 2), ("a", 2), ("b", 3)]
            try await consumer.consume(events(things, epoch: epoch))
            #expect(try await ConsumerLog.entries(service) == ["a1", "c1", "a2"])
            #expect(try await consumer.offset(of: "there")?.position == 6)
            let dead = try await service.database.deadLetters().items
            #expect(dead.map(\.position) == [2, 4, 6] && dead.map(\.attempts) == [5, 0, 0])
            #expect(dead[0].reason == "this cannot be swallowed" && dead.allSatisfy { $0.header.aggregate == "b" })
            #expect(mood.attempts.value == 5)

            // Later events of it wait behind it, even once it would go through.
            mood.set([])
            try await consumer.consume(events([("b", 4), ("a", 3)], epoch: epoch, after: 6))
            #expect(try await ConsumerLog.entries(service) == ["a1", "c1", "a2", "a3"])

            let replay = try await consumer.replayDeadLetters()
            #expect(replay.replayed == 4 && replay.remaining == 0)
            #expect(try await ConsumerLog.entries(service) == ["a1", "c1", "a2", "a3", "b1", "b2", "b3", "b4"])
            try await consumer.consume(events([("b", 5)], epoch: epoch, after: 8))
            #expect(try await ConsumerLog.entries(service).last == "b5")
        }
    }

    @Test func aReplayThatFailsKeepsTheRest() async throws {
        try await ConsumerLog.with { service, consumer, mood in
            mood.set(["b", "d"])
            try await consumer.consume(events([("b", 1), ("b", 2), ("d", 1)], epoch: epoch))
            mood.set(["b"])
            let replay = try await consumer.replayDeadLetters()
            #expect(replay.replayed == 1 && replay.remaining == 2)
            #expect(try await ConsumerLog.entries(service) == ["d1"])
            #expect(try await service.database.deadLetters().items.map(\.attempts) == [6, 0])
        }
    }

    @Test func whatCanNeverBeHandledIsDiscardedWithItsCopies() async throws {
        try await ConsumerLog.with { service, consumer, mood in
            mood.set(["b"])
            let all = try events([("b", 1), ("b", 2), ("a", 1)], epoch: epoch)
            try await consumer.consume(all)
            // A new epoch brings the same events again: they pile up behind it.
            let next = UUID()
            try await consumer.resynchronise("there", epoch: next, head: 3)
            let copies = all.map { event in
                var copy = event
                copy.epoch = next
                return copy
            }
            try await consumer.consume(copies)
            #expect(try await service.database.deadLetters().items.map(\.position) == [1, 2, 1, 2])

            #expect(try await service.database.discardDeadLetters([UUID()]).discarded == 0)
            let done = try await service.database.discardDeadLetters([all[0].header.id])
            #expect(done.discarded == 2 && done.remaining == 2)
            mood.set([])
            let replay = try await consumer.replayDeadLetters()
            #expect(replay.replayed == 2 && replay.remaining == 0)
            #expect(try await ConsumerLog.entries(service) == ["a1", "a1", "b2", "b2"])
            try await consumer.consume(events([("b", 3)], epoch: next, after: 3))
            #expect(try await ConsumerLog.entries(service).last == "b3")
        }
    }

    @Test func whatIsNobodysFaultIsNeverSetAside() async throws {
        try await ServiceDatabase.with { service in
            let consumer = DurableConsumer(database: service.database)
            consumer.on(Became.self, from: "there") { _, _, _ in throw ServiceError(.unavailable, "Away.") }
            let error = await thrown(ServiceError.self) {
                try await consumer.consume(events([("a", 1)], epoch: epoch))
            }
            #expect(error?.code == .unavailable)
            let dead = try await service.database.deadLetters().items
            #expect(dead.isEmpty)
            #expect(try await consumer.offset(of: "there") == nil)
        }
    }

    @Test func eventsWithoutAHandlerArePassedOverAndHandlersMayPublish() async throws {
        try await ServiceDatabase.with { service in
            let consumer = DurableConsumer(database: service.database)
            consumer.on(Became.self, from: "there") { event, _, transaction in
                transaction.publish(Became(n: event.n * 2), about: "echo", to: .nobody)
            }
            try await consumer.consume(events([("a", 1), ("a", 2)], from: "elsewhere", epoch: epoch))
            try await consumer.consume(events([("a", 1), ("a", 2)], epoch: epoch))
            #expect(try await consumer.offset(of: "elsewhere")?.position == 2)
            let published = try await service.database.sequencer.outbox.number(limit: 10)
            #expect(try published.map { try WireJSON.decode(Became.self, from: $0.payload).n } == [2, 4])
        }
    }

    @Test func aNewEpochIsConsumedFromItsBeginning() async throws {
        try await ConsumerLog.with { service, consumer, _ in
            try await consumer.consume(events((1...5).map { ("a", $0) }, epoch: epoch))
            let next = UUID()
            try await consumer.resynchronise("there", epoch: next, head: 3)
            #expect(try await consumer.offset(of: "there") == nil)
            // The first that the publisher keeps may have any position.
            try await consumer.consume(events([("a", 2), ("a", 3)], epoch: next, after: 1))
            #expect(try await consumer.offset(of: "there") == StreamOffset(epoch: next, position: 3))
            #expect(try await ConsumerLog.entries(service).suffix(2) == ["a2", "a3"])
        }
    }

    @Test func aReplicaKeepsWhatTheOtherHasBegunAnew() async throws {
        try await ConsumerLog.with { service, consumer, _ in
            // Its twin writes nothing into the log: what is there twice, the first one has handled twice.
            let twin = DurableConsumer(database: service.database)
            let forgotten = Locked(0)
            twin.whenAnew("there") { _ in
                forgotten.change { $0 += 1 }
            } after: {
            }
            try await consumer.consume(events((1...5).map { ("a", $0) }, epoch: epoch))
            #expect(try await twin.offset(of: "there")?.position == 5)

            let next = UUID()
            try await consumer.resynchronise("there", epoch: next, head: 9)
            try await consumer.consume(events([("a", 6), ("a", 7)], epoch: next))
            try await twin.resynchronise("there", epoch: next, head: 9)
            #expect(forgotten.value == 0)
            #expect(try await twin.offset(of: "there") == StreamOffset(epoch: next, position: 2))
            #expect(try await ConsumerLog.entries(service).suffix(3) == ["a5", "a6", "a7"])

            // The publisher keeps no longer what follows, or has less than it had: the epoch is the same, and the place is forgotten.
            try await twin.resynchronise("there", epoch: next, head: 9)
            #expect(try await consumer.offset(of: "there") == nil)
            try await consumer.consume(events([("a", 8)], epoch: next, after: 6))
            try await twin.resynchronise("there", epoch: next, head: 3)
            #expect(try await consumer.offset(of: "there") == nil && forgotten.value == 2)
        }
    }
}
