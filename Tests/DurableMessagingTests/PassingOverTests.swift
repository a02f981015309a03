import FoundationEssentials
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import DurableMessaging

/// Events that nobody handles cost no transaction, and the offset is nevertheless never wrong.
@Suite struct PassingOverTests {
    private let epoch = UUID()

    /// As one process has it: what it remembers goes with it.
    private func process(_ service: ServiceDatabase, writingAfter pause: Duration = .seconds(60)) -> DurableConsumer {
        var limits = DurableConsumer.Limits()
        (limits.mostUnwritten, limits.longestUnwritten) = (20, pause)
        let consumer = DurableConsumer(database: service.database, limits: limits)
        consumer.on(Became.self, from: "there") { event, _, transaction in
            try await transaction.query("INSERT INTO log (n) VALUES (\(event.n))")
        }
        return consumer
    }

    /// Numbered from `first` on: those in `handled` have a handler, the others none.
    private func stream(_ numbers: ClosedRange<Int>, handled: Set<Int>, epoch: UUID? = nil) throws -> [EventEnvelope] {
        try events(numbers.map { ("a", $0) }, epoch: epoch ?? self.epoch, after: Int64(numbers.lowerBound - 1)).map {
            var event = $0
            if !handled.contains(Int(event.position)) { event.header.type = "nobodysBusiness" }
            return event
        }
    }

    private func with(_ body: (ServiceDatabase) async throws -> Void) async throws {
        try await ServiceDatabase.with { service in
            _ = try await service.database.query("CREATE TABLE log (id bigint GENERATED ALWAYS AS IDENTITY, n int8)")
            try await body(service)
        }
    }

    private func log(_ service: ServiceDatabase) async throws -> [Int] {
        try await service.database.pool.query("SELECT n FROM log ORDER BY id").map { try $0.get("n") }
    }

    private func stored(_ service: ServiceDatabase) async throws -> Int64? {
        try await service.database.pool.query("SELECT position FROM offsets WHERE publisher = 'there'").first?
            .get("position")
    }

    @Test func theOffsetFollowsInBatchesAndWithTheNextEventThatIsHandled() async throws {
        try await with { service in
            let consumer = process(service)
            let all = try stream(1...60, handled: [1, 11, 12, 60])
            try await consumer.consume(Array(all[..<10]))
            // The first contact and what was handled are written; what follows is remembered.
            #expect(try await stored(service) == 1)
            #expect(try await consumer.offset(of: "there")?.position == 10)
            try await consumer.consume(Array(all[10..<15]))
            #expect(try await stored(service) == 12)
            #expect(try await log(service) == [1, 11, 12])
            for event in all[15..<40] { try await consumer.consume([event]) }
            #expect(try await stored(service) == 32)
            try await consumer.consume(Array(all[40...]))
            #expect(try await stored(service) == 60)
            #expect(try await log(service) == [1, 11, 12, 60])
        }
    }

    @Test func whereNothingMoreComesTheOffsetIsWrittenAllTheSame() async throws {
        try await with { service in
            let consumer = process(service, writingAfter: .milliseconds(20))
            try await consumer.consume(stream(1...5, handled: [1]))
            try await eventually("the offset to be written") { try await stored(service) == 5 }
        }
    }

    /// What a process that is killed leaves behind: an offset that is behind. The next one takes the same events again.
    @Test func aProcessThatIsKilledLosesAndRepeatsNothing() async throws {
        try await with { service in
            let all = try stream(1...300, handled: Set(stride(from: 1, through: 300, by: 7)))
            var generator = SeededGenerator(seed: 7)
            var position = 0
            while position < all.count {
                let consumer = process(service, writingAfter: .milliseconds(2))
                position = Int(try await consumer.offset(of: "there")?.position ?? 0)
                for _ in 0..<Int.random(in: 1...4, using: &generator) where position < all.count {
                    let next = min(all.count, position + Int.random(in: 1...9, using: &generator))
                    try await consumer.consume(Array(all[position..<next]))
                    position = next
                }
                // Nothing is written down at its end.
                position = Int(try await stored(service) ?? 0)
                if try await log(service).last == 295 { break }
            }
            #expect(try await log(service) == Array(stride(from: 1, through: 300, by: 7)))
        }
    }

    @Test func whatAReplicaWroteIsNotTakenBack() async throws {
        try await with { service in
            let (one, two) = (process(service), process(service))
            let all = try stream(1...30, handled: [1, 15, 25])
            try await one.consume(Array(all[..<10]))
            _ = try await two.offset(of: "there")
            try await two.consume(Array(all[1...]))
            #expect(try await stored(service) == 25)
            try await one.writeOffset(of: "there")
            #expect(try await stored(service) == 25)
            // It had not heard of the others yet.
            try await one.consume(Array(all[10...]))
            #expect(try await log(service) == [1, 15, 25])
            #expect(try await one.offset(of: "there")?.position == 30)
        }
    }

    @Test func aGapAndAnotherEpochAreNotPassedOver() async throws {
        try await with { service in
            let consumer = process(service)
            try await consumer.consume(stream(1...3, handled: [1]))
            #expect(await thrown(StreamBroken.self) { try await consumer.consume(stream(5...6, handled: [])) } != nil)
            let others = try stream(4...5, handled: [], epoch: UUID())
            #expect(await thrown(StreamBroken.self) { try await consumer.consume(others) } != nil)
            #expect(try await consumer.offset(of: "there") == StreamOffset(epoch: epoch, position: 3))
            // A new life of the publisher begins anew, and what was remembered of the old one is of no use.
            let next = UUID()
            try await consumer.resynchronise("there", epoch: next, head: 9)
            try await consumer.writeOffset(of: "there")
            #expect(try await stored(service) == nil)
            try await consumer.consume(stream(2...4, handled: [3], epoch: next))
            #expect(try await consumer.offset(of: "there") == StreamOffset(epoch: next, position: 4))
            #expect(try await log(service) == [1, 3])
        }
    }
}
