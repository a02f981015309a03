import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// What many do at one moment, on two replicas.
@Suite(.serialized) struct MatchRaceTests {
    @Test(.timeLimit(.minutes(5))) func of_200_who_ask_for_one_with_two_hands_two_are_offered() async throws {
        try await Deliveries.with { deliveries in
            let replica = deliveries.replica
            let maya = try await deliveries.bringing { $0.capacity = 2 }
            let results = await atOnce(Array(crowd(200).enumerated())) { number, person in
                try await (number % 2 == 0 ? deliveries : replica).requested(by: person, of: maya)
            }
            #expect(results.count { $0.isSuccess } == 2)
            #expect(others(results.compactMap(\.error)) { $0 == .handsFull }.isEmpty)
            #expect(try await deliveries.openOffers() == 2)
            #expect(try await deliveries.store.availability(maya.id)?.taken == 2)
            #expect(try await deliveries.told(NewMatch.self).count == 2)
            #expect(deliveries.log.deadlocks == 0)
        }
    }

    /// Each of so many asks somebody of their own; both sides act at the same moment.
    private func race(
        _ deliveries: Deliveries,
        _ one: @escaping @Sendable (Deliveries, OrderID, MatchID, PersonID) async throws -> Void
    ) async throws -> [(accept: Result<Void, any Error>, other: Result<Void, any Error>, match: MatchID)] {
        let replica = deliveries.replica
        var asked: [(order: OrderID, match: MatchID, deliverer: PersonID, orderer: PersonID)] = []
        for person in crowd(20) {
            let (orderer, there) = (PersonID.new(), try await deliveries.bringing(by: person))
            let order = try await deliveries.requested(by: orderer, of: there)
            asked.append((order.order, order.match, person, orderer))
        }
        let steps = asked.flatMap { [($0, true), ($0, false)] }.enumerated().map { ($0.offset, $0.element) }
        let results = await atOnce(steps.shuffled()) { number, step in
            let (pair, accepts) = step
            let process = number % 2 == 0 ? deliveries : replica
            let result: Result<Void, any Error>
            do {
                if accepts {
                    try await process.act(.accept, on: pair.match, by: pair.deliverer)
                } else {
                    try await one(process, pair.order, pair.match, pair.orderer)
                }
                result = .success(())
            } catch { result = .failure(error) }
            return (pair.match, accepts, result)
        }.compactMap { try? $0.get() }
        return asked.compactMap { pair in
            guard let accept = results.first(where: { $0.0 == pair.match && $0.1 }),
                let other = results.first(where: { $0.0 == pair.match && !$0.1 })
            else { return nil }
            return (accept.2, other.2, pair.match)
        }
    }

    @Test(.timeLimit(.minutes(5))) func an_order_is_accepted_or_cancelled_at_the_same_moment() async throws {
        try await Deliveries.with { deliveries in
            let races = try await race(deliveries) { process, order, _, orderer in
                try await process.useCases.cancelOrder(order, .from(orderer))
            }
            #expect(races.count == 20)
            for (accept, cancel, id) in races {
                let match = try #require(try await deliveries.store.match(id))
                let order = try #require(try await deliveries.store.order(match.order))
                #expect(accept.isSuccess != cancel.isSuccess)
                if accept.isSuccess {
                    #expect(match.state == .accepted && order.state == .matched)
                    #expect(cancel.error as? DeliveryError == .orderOver([]))
                } else {
                    #expect(match.state == .withdrawn && order.state == .cancelled)
                    #expect(accept.error as? DeliveryError == .offerGone(.takenBack))
                }
            }
            #expect(try await deliveries.told(MatchUpdate.self).count == 20)
            #expect(try await deliveries.miscounted() == 0)
            #expect(deliveries.log.deadlocks == 0)
        }
    }

    @Test(.timeLimit(.minutes(5))) func an_offer_is_accepted_or_its_deliverer_goes() async throws {
        try await Deliveries.with { deliveries in
            let races = try await race(deliveries) { process, _, match, _ in
                guard let deliverer = try await process.store.match(match)?.deliverer else { return }
                try await process.useCases.endDelivery(.from(deliverer))
            }
            for (accept, end, id) in races {
                let match = try #require(try await deliveries.store.match(id))
                let order = try #require(try await deliveries.store.order(match.order))
                #expect(end.isSuccess)
                #expect(match.state == (accept.isSuccess ? .accepted : .withdrawn))
                #expect(order.state == (accept.isSuccess ? .matched : .asking))
                let refusal = accept.error as? DeliveryError
                #expect(accept.isSuccess || refusal == .offerGone(.ended))
                #expect(try await deliveries.store.availability(of: match.deliverer) == nil)
            }
            #expect(try await deliveries.miscounted() == 0)
            #expect(deliveries.log.deadlocks == 0)
        }
    }

    @Test(.timeLimit(.minutes(5))) func an_offer_is_accepted_or_expires() async throws {
        try await Deliveries.with { deliveries in
            let races = try await race(deliveries) { process, _, _, _ in
                // The first of them brings the time.
                if process.clock.now < noon + limits.request { process.clock.advance(by: .seconds(limits.request)) }
                while try await process.times.round() {}
            }
            while try await deliveries.times.round() {}
            for (accept, _, id) in races {
                let match = try #require(try await deliveries.store.match(id))
                let order = try #require(try await deliveries.store.order(match.order))
                #expect(match.state == (accept.isSuccess ? .accepted : .expired))
                #expect(order.state == (accept.isSuccess ? .matched : .asking))
                #expect(accept.isSuccess || accept.error as? DeliveryError == .offerGone(.expired))
            }
            let told = try await deliveries.updates()
            #expect(told.count == 20 && told.allSatisfy { $0 == .accepted || $0 == .expired })
            #expect(try await deliveries.miscounted() == 0)
        }
    }

    @Test(.timeLimit(.minutes(5))) func who_erase_themselves_are_in_nobodys_way() async throws {
        try await Deliveries.with { deliveries in
            var completed: [(orderer: PersonID, deliverer: PersonID, match: MatchID)] = []
            for person in crowd(20) {
                let (orderer, there) = (PersonID.new(), try await deliveries.bringing(by: person))
                let match = try await deliveries.requested(by: orderer, of: there).match
                try await deliveries.act(.accept, on: match, by: person)
                try await deliveries.act(.pickUp, on: match, by: person, MatchActDraft(spent: euros(500)))
                try await deliveries.act(.complete, on: match, by: person)
                try await deliveries.act(.complete, on: match, by: orderer)
                completed.append((orderer, person, match))
            }
            let steps = completed.enumerated().flatMap { number, pair in
                [true, false].map { (number: number, pair: pair, erases: $0) }
            }
            let results = await atOnce(steps.shuffled()) { step in
                let (pair, erases) = (step.pair, step.erases)
                // One time the orderer goes, the other time the deliverer.
                let people = step.number % 2 == 0 ? (pair.orderer, pair.deliverer) : (pair.deliverer, pair.orderer)
                if erases {
                    _ = try await deliveries.store.transaction { try await $0.erase(people.0) }
                } else {
                    let said = MatchActDraft(reason: "It was cold.")
                    try await deliveries.replica.act(.dispute, on: pair.match, by: people.1, said)
                }
            }
            #expect(others(results.compactMap(\.error)) { _ in false }.isEmpty)
            let states = try await deliveries.database.query("SELECT DISTINCT state FROM matches")
            #expect(try states.map { try $0.get("state", as: String.self) } == ["disputed"])
            #expect(deliveries.log.deadlocks == 0)
        }
    }

    @Test func one_request_that_comes_50_times_has_one_effect_and_one_answer() async throws {
        try await Deliveries.with { deliveries in
            let replica = deliveries.replica
            let (coming, placing, accepting) = (UUID.version7(), UUID.version7(), UUID.version7())
            func one<Answer: Codable & Hashable & Sendable>(
                _ body: @Sendable @escaping (Deliveries) async throws -> Answer
            ) async throws -> Answer {
                let results = await atOnce(Array(0..<50)) { try await body($0 % 2 == 0 ? deliveries : replica) }
                let answers = try Set(results.map { try $0.get() })
                #expect(answers.count == 1)
                return try #require(answers.first)
            }
            let there = try await one {
                try await $0.useCases.offerDelivery(Example.offerDraft, .from(maya, id: coming))
            }
            let draft = Example.orderDraft { $0.availability = there.id }
            let order = try await one { try await $0.useCases.placeOrder(draft, .from(tom, id: placing)) }
            let match = try #require(order.asked?.match)
            let accepted = try await one {
                try await $0.useCases.actOnMatch(
                    MatchActReference(id: match, act: .accept), MatchActDraft(), .from(maya, id: accepting))
            }
            #expect(accepted.state == .accepted)
            #expect(try await deliveries.told(AvailabilityChanged.self).count == 1)
            #expect(try await deliveries.told(NewMatch.self).count == 1)
            #expect(try await deliveries.updates() == [.accepted])
            #expect(try await deliveries.miscounted() == 0)
        }
    }
}

/// On a machine that is busy with something else, some are told to try again.
func others(
    _ refusals: [any Error], but isExpected: (DeliveryError) -> Bool
) -> [any Error] {
    refusals.filter { refusal in
        if let refusal = refusal as? DeliveryError { return !isExpected(refusal) }
        return (refusal as? ServiceError)?.code != .unavailable
    }
}
