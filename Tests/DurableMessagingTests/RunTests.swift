import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import DurableMessaging

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Events of a kind that follow one another can be handled together.
@Suite struct RunTests {
    private struct Poison: Error {}

    private let epoch = UUID()

    @Test func they_come_together_in_order_and_alone_where_one_of_them_fails() async throws {
        try await ServiceDatabase.with { service in
            let runs = Locked<[[Int]]>([])
            let done = Locked<[Int]>([])
            var limits = DurableConsumer.Limits()
            limits.firstPause = .milliseconds(1)
            limits.batch = 10
            let consumer = DurableConsumer(database: service.database, limits: limits)
            consumer.on(runsOf: Became.self, from: "there") { events, transaction in
                let numbers = events.map(\.event.n)
                runs.change { $0.append(numbers) }
                if numbers.contains(25) { throw Poison() }
                for number in numbers {
                    try await transaction.query("INSERT INTO things (id, n) VALUES (\("t\(number)"), \(number))")
                }
                done.change { $0 += numbers }
            }
            let all = try events((1...30).map { ("thing/\($0)", $0) }, epoch: epoch)
            try await consumer.consume(all)
            // The first ones after a start go one by one; then ten at once; those with a bad one among them as a whole, in vain, and alone.
            let seen = runs.value
            #expect(Array(seen.prefix(10)) == (1...10).map { [$0] })
            #expect(seen.dropFirst(10).first == Array(11...20))
            #expect(seen.dropFirst(11).first == Array(21...30))
            #expect(done.value == (1...30).filter { $0 != 25 })
            #expect(try await service.value(of: "t30") == 30)
            #expect(try await service.value(of: "t25") == nil)
            #expect(try await consumer.offset(of: "there")?.position == 30)
        }
    }
}
