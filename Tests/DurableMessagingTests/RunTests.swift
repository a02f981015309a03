import FoundationEssentials
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import DurableMessaging

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
            let reading = EventReading(Became.self) { event, _ in event.n }
            consumer.on(runsOf: [reading], from: "there") { numbers, transaction in
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

    private struct Moved: Event {
        static let type = "moved"
        var n: Int
    }

    /// Three kinds in turn, of which nobody handles the third; and one that is handled by itself.
    @Test func those_of_several_types_come_together() async throws {
        try await ServiceDatabase.with { service in
            let runs = Locked<[[String]]>([])
            var limits = DurableConsumer.Limits()
            limits.batch = 9
            let consumer = DurableConsumer(database: service.database, limits: limits)
            consumer.on(
                runsOf: [
                    EventReading(Became.self) { event, _ in "became \(event.n)" },
                    EventReading(Moved.self) { event, header in "\(header.type) \(event.n)" },
                ], from: "there"
            ) { texts, _ in runs.change { $0.append(texts) } }
            consumer.on(PersonChanged.self, from: "there") { event, _, _ in
                runs.change { $0.append([event.person.name]) }
            }
            var all = try events((1...27).map { ("thing/\($0)", $0) }, epoch: epoch)
            for index in all.indices { all[index].header.type = [Became.type, Moved.type, "unheard"][index % 3] }
            let kim = PersonChanged(person: PersonSummary(id: .new(), name: "Kim"))
            (all[22].header.type, all[22].payload) = (PersonChanged.type, try WireJSON.encode(kim))
            try await consumer.consume(all)
            let handled = all.indices.filter { $0 % 3 != 2 }
            func text(_ index: Int) -> String { "\(all[index].header.type) \(index + 1)" }
            let single = handled.prefix(9).map { [text($0)] }
            #expect(Array(runs.value.prefix(single.count)) == single)
            #expect(runs.value.flatMap { $0 } == handled.map { $0 == 22 ? "Kim" : text($0) })
            #expect(runs.value.contains([15, 16, 18, 19, 21].map(text)))
            #expect(runs.value.contains(["Kim"]))
            #expect(try await consumer.offset(of: "there")?.position == 27)
        }
    }
}
