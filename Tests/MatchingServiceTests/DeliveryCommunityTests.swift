import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// What becomes of deliveries where two are apart from now on, or somebody is suspended.
@Suite struct DeliveryCommunityTests {
    private func states(_ matches: [MatchID], _ deliveries: Deliveries) async throws -> [MatchState?] {
        var states: [MatchState?] = []
        for match in matches { states.append(try await deliveries.store.match(match)?.state) }
        return states
    }

    // MARK: Blocks

    @Test(arguments: [(maya, tom), (tom, maya)])
    func what_is_only_offered_is_withdrawn_and_the_order_rolls_on(_ one: PersonID, _ other: PersonID) async throws {
        try await Deliveries.with { deliveries in
            let there = try await deliveries.bringing()
            let asked = try await deliveries.requested(of: there) { $0.rollsOn = true }
            try await deliveries.block(one, other)
            let offer = try #require(try await deliveries.store.match(asked.match))
            #expect(offer.state == .withdrawn && offer.changedBy == nil, "nobody is told whose doing it is")
            #expect(try await deliveries.store.order(asked.order)?.state == .waiting)
            #expect(try await deliveries.store.availability(there.id)?.taken == 0)
            #expect(try await deliveries.updates() == [.withdrawn])
            try await deliveries.decide()
            #expect(try await deliveries.openOffers() == 0, "the two are apart")
            try await deliveries.bringing(by: kim)
            try await deliveries.decide()
            #expect(try await deliveries.asked(kim) != nil)
            #expect(try await deliveries.miscounted() == 0)
        }
    }

    @Test func what_was_accepted_runs_to_its_end() async throws {
        try await Deliveries.with { deliveries in
            let id = try await deliveries.accepted()
            try await deliveries.block(tom, maya)
            try await deliveries.act(.pickUp, on: id, by: maya, MatchActDraft(spent: euros(1000)))
            try await deliveries.act(.complete, on: id, by: maya)
            try await deliveries.act(.complete, on: id, by: tom)
            #expect(try await states([id], deliveries) == [.completed])
        }
    }

    @Test func two_who_are_together_again_lose_nothing() async throws {
        try await Deliveries.with { deliveries in
            let asked = try await deliveries.requested(of: try await deliveries.bringing())
            try await deliveries.hear(PeopleUnblocked(pair: BlockedPair(maya, tom)))
            try await deliveries.block(maya, kim)
            #expect(try await states([asked.match], deliveries) == [.offered])
        }
    }

    // MARK: Suspensions

    @Test func who_is_suspended_brings_nothing_but_what_they_have_picked_up() async throws {
        try await Deliveries.with { deliveries in
            let there = try await deliveries.bringing { $0.capacity = 3 }
            func asked(by person: PersonID) async throws -> MatchID {
                try await deliveries.requested(by: person, of: there) { $0.rollsOn = true }.match
            }
            let matches = [try await asked(by: tom), try await asked(by: kim), try await asked(by: lin)]
            for match in matches.prefix(2) { try await deliveries.act(.accept, on: match, by: maya) }
            try await deliveries.act(.pickUp, on: matches[0], by: maya, MatchActDraft(spent: euros(1000)))
            try await deliveries.suspend(maya, until: nil)
            #expect(try await states(matches, deliveries) == [.pickedUp, .cancelled, .withdrawn])
            #expect(try await deliveries.store.availability(there.id)?.state == .ended)
            #expect(try await Set(deliveries.updates().suffix(2)) == [.withdrawn, .ended])
            for person in [kim, lin] {
                let orders = try await deliveries.useCases.orders(OrderQuery(), for: Caller(person: person)).items
                #expect(orders.map(\.state) == [.waiting])
            }
            #expect(await refusalCode { try await deliveries.bringing() } == .suspended)
            try await deliveries.act(.complete, on: matches[0], by: tom)
            deliveries.advance(minutes: 12 * 60)
            try await deliveries.pass()
            #expect(try await states([matches[0]], deliveries) == [.completed])
            #expect(try await deliveries.miscounted() == 0)
        }
    }

    @Test func orders_of_who_is_suspended_are_called_off() async throws {
        try await Deliveries.with { deliveries in
            let there = try await deliveries.bringing { $0.capacity = 2 }
            let waiting = try await deliveries.ordering {
                $0.from = [OrderedFromDraft(restaurant: chemicum.id, items: "Tea")]
            }
            let offered = try await deliveries.requested(of: there)
            let accepted = try await deliveries.requested(of: there)
            try await deliveries.act(.accept, on: accepted.match, by: maya)
            try await deliveries.suspend(tom, until: after(minutes: 600))
            #expect(try await states([offered.match, accepted.match], deliveries) == [.withdrawn, .cancelled])
            for order in [waiting.id, offered.order, accepted.order] {
                #expect(try await deliveries.store.order(order)?.state == .cancelled)
            }
            #expect(try await deliveries.store.availability(there.id)?.taken == 0)
            #expect(try await deliveries.store.availability(there.id)?.state == .available)
            deliveries.advance(minutes: 600)
            try await deliveries.pass()
            #expect(try await deliveries.ordering().state == .waiting, "it is over, and nothing has come back")
        }
    }

    @Test func rounds_call_off_what_is_left_of_whom_a_snapshot_says_suspended() async throws {
        try await Deliveries.with { deliveries in
            let (id, order) = (try await deliveries.accepted(), try await deliveries.ordering(by: kim).id)
            for person in [maya, kim] {
                _ = try await deliveries.database.query(
                    """
                    INSERT INTO suspensions (person, until, generation)
                    SELECT \(person), 'infinity', generation FROM suspensions_snapshot
                    """)
            }
            try await deliveries.pass()
            #expect(try await states([id], deliveries) == [.cancelled])
            #expect(try await deliveries.store.order(order)?.state == .cancelled)
            #expect(try await deliveries.store.availability(of: maya) == nil)
            let left = try await deliveries.store.transaction { try await $0.reconcile(atMost: 100) }
            #expect(left == 0, "there is nothing left to do")
        }
    }
}
