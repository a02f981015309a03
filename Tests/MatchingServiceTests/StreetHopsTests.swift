import DurableMessaging
import FoundationEssentials
import MatchEngine
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

@Suite("Ways that Places is asked for", .serialized)
struct StreetHopsTests {
    /// The order is so far beside the way that a guess rules it out, and streets do not.
    private func nearMiss(_ deliveries: Deliveries) async throws -> OrderID {
        try await deliveries.bringing()
        return try await deliveries.ordering {
            $0.dropOff = DropOffDraft(name: "Shed", position: position(500, 263))
        }.id
    }

    @Test func a_guess_is_asked_for_and_a_round_looks_again() async throws {
        try await Deliveries.with { deliveries in
            let order = try await nearMiss(deliveries)
            try await deliveries.decide()
            #expect(try await deliveries.seen(order).state == .waiting)
            let asked = AskedWays()
            let hops = StreetHops(store: deliveries.store, logger: .quiet) { from, others in
                await asked.add(others.count)
                return others.map { KnownWay(metres: Int($0.metres(to: from).rounded()), isAlongStreets: true) }
            }
            _ = try await hops.round()
            #expect(await asked.count > 0)
            #expect(try await deliveries.marks() > 0)
            try await deliveries.decide()
            #expect(try await deliveries.seen(order).state == .offered)
            let match = try #require(try await deliveries.asked(maya))
            #expect(try await deliveries.seen(match, by: maya).detourSeconds != nil)
            let before = await asked.count
            _ = try await hops.round()
            #expect(await asked.count == before, "each once")
        }
    }

    @Test func while_places_is_away_nothing_waits_and_it_is_asked_again_later() async throws {
        try await Deliveries.with { deliveries in
            _ = try await nearMiss(deliveries)
            try await deliveries.decide()
            let asked = AskedWays()
            let hops = StreetHops(store: deliveries.store, logger: .quiet) { _, others in
                await asked.add(others.count)
                throw ServiceError(.unavailable, "Places is away.")
            }
            #expect(try await hops.round() == false)
            let before = await asked.count
            #expect(before > 0)
            _ = try await hops.round()
            #expect(await asked.count == before)
            deliveries.clock.advance(by: .seconds(61))
            _ = try await hops.round()
            #expect(await asked.count > before)
        }
    }

    @Test func what_was_said_is_forgotten_after_a_week() async throws {
        try await Deliveries.with(ways: { from, others in
            others.map { KnownWay(metres: Int($0.metres(to: from).rounded()), isAlongStreets: true) }
        }) { deliveries in
            await deliveries.useCases.learnWays(among: [unicafe.shown, exactum.shown, physicum.shown])
            let known = try await deliveries.store.ways(among: [unicafe.shown, exactum.shown])
            #expect(known.way(from: exactum.shown, to: unicafe.shown)?.metres == 1000)
            #expect(try await deliveries.database.query("SELECT FROM hops").count == 3)
            deliveries.clock.advance(by: .seconds(7 * 86_400 + 1))
            let hops = StreetHops(store: deliveries.store, logger: .quiet) { _, _ in [] }
            _ = try await hops.round()
            #expect(try await deliveries.database.query("SELECT FROM hops").isEmpty)
        }
    }

    @Test func ways_are_asked_for_from_the_end_that_has_more_of_them() {
        let middle = position(0)
        let hops = (1...5).map { number in
            let other = position(Double(number) * 10)
            let isTurned = number % 2 == 0
            return DueHop(
                question: WayQuestion(
                    hop: Hop(.new(), .new()), from: isTurned ? other : middle, to: isTurned ? middle : other), area: 1)
        }
        let groups = DueHop.grouped(hops, atMost: 3)
        #expect(groups.map(\.count).sorted() == [2, 3])
        #expect(groups.joined().allSatisfy { $0.question.from == middle })
    }
}

private actor AskedWays {
    private(set) var count = 0
    func add(_ more: Int) { count += more }
}
