import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// What the tables refuse, whoever writes.
@Suite struct DeliveryTableTests {
    private func begun(_ deliveries: Deliveries, hands: Int = 1) async throws {
        try await deliveries.store.transaction {
            let availability = Example.availability { $0.capacity = hands }
            try await $0.add(AvailabilityDecision(availability: availability, told: .began))
            try await $0.add(OrderDecision(order: Example.order(.offered), offer: Example.match()))
        }
    }

    /// Another match of the same two, unless it is said otherwise.
    private func another(_ order: OrderID = Example.order().id, state: MatchState = .offered) -> SQLQuery {
        let accepted: SQLQuery = state == .accepted ? "offered_at" : "NULL"
        return """
            INSERT INTO matches (id, "order", availability, orderer, deliverer, restaurant, restaurant_name,
                restaurant_latitude, restaurant_longitude, items, drop_name, drop_latitude, drop_longitude, goes_name,
                goes_latitude, goes_longitude, fee, spend_limit, currency, paid_by, is_prepaid, detour, walk, is_turn, chances,
                code, offered_at, expires_at, share, is_shared, is_undone, state, changed_at, statements, accepted_at)
            SELECT gen_random_uuid(), \(order), availability, orderer, deliverer, restaurant, restaurant_name,
                restaurant_latitude, restaurant_longitude, items, drop_name, drop_latitude, drop_longitude, goes_name,
                goes_latitude, goes_longitude, fee, spend_limit, currency, paid_by, is_prepaid, detour, walk, is_turn, chances,
                code, offered_at, expires_at, share, is_shared, is_undone, \(state.rawValue), changed_at, statements,
                \(accepted)
            FROM matches WHERE id = \(Example.match().id)
            """
    }

    private func another(order id: OrderID, _ deliveries: Deliveries) async throws {
        try await deliveries.store.transaction {
            let first = Example.order(.waiting)
            let order = PlacedOrder(
                id: id, orderer: kim, placedAt: noon, state: .waiting, from: first.from, dropOff: first.dropOff,
                terms: first.terms, rollsOn: false, waitsUntil: first.waitsUntil, changedAt: noon)
            try await $0.add(OrderDecision(order: order))
        }
    }

    @Test func an_order_has_one_match_and_nobody_is_asked_twice() async throws {
        try await Deliveries.with { deliveries in
            try await begun(deliveries, hands: 4)
            #expect(await constraint { try await deliveries.database.query(another()) } == "matches_one")
            #expect(
                await constraint { try await deliveries.database.query(another(state: .declined)) } == "matches_once")
            #expect(await constraint { try await deliveries.database.query(another(state: .withdrawn)) } == nil)
        }
    }

    @Test func nobody_has_more_than_their_hands_hold() async throws {
        try await Deliveries.with { deliveries in
            try await begun(deliveries)
            let other = OrderID.new(at: noon)
            try await another(order: other, deliveries)
            #expect(
                await constraint { try await deliveries.database.query(another(other)) } == "availabilities_room")
            #expect(await constraint { try await deliveries.database.query(another(other, state: .declined)) } == nil)
            let fewer: SQLQuery = "UPDATE availabilities SET taken = taken - 2"
            #expect(await constraint { try await deliveries.database.query(fewer) } == "availabilities_room")
        }
    }

    @Test(arguments: [AvailabilityState.paused, .ended]) func nobody_is_asked_who_is_not_there(
        state: AvailabilityState
    ) async throws {
        try await Deliveries.with { deliveries in
            try await begun(deliveries, hands: 2)
            let other = OrderID.new(at: noon)
            try await another(order: other, deliveries)
            _ = try await deliveries.database.query(
                """
                UPDATE availabilities SET state = \(state.rawValue),
                    due_at = CASE WHEN \(state == .ended) THEN NULL ELSE due_at END
                """)
            #expect(
                await constraint { try await deliveries.database.query(another(other)) } == "matches_to_available")
        }
    }

    @Test func hands_are_counted_with_every_statement() async throws {
        try await Deliveries.with { deliveries in
            try await begun(deliveries, hands: 2)
            func taken() async throws -> Int? {
                try await deliveries.store.availability(Example.availability().id)?.taken
            }
            #expect(try await taken() == 1)
            let steps: [(SQLQuery, Int)] = [
                ("UPDATE matches SET state = 'accepted', accepted_at = offered_at", 1),
                ("UPDATE matches SET state = 'pickedUp', picked_up_at = offered_at", 1),
                ("UPDATE matches SET state = 'delivered'", 0),
                ("UPDATE matches SET state = 'pickedUp', is_undone = true", 0),
                ("UPDATE matches SET is_undone = false", 1), ("DELETE FROM matches", 0),
            ]
            for (statement, count) in steps {
                _ = try await deliveries.database.query(statement)
                #expect(try await taken() == count)
            }
        }
    }

    @Test func somebody_offers_one_thing_at_a_time() async throws {
        try await Deliveries.with { deliveries in
            try await begun(deliveries)
            let second = OfferedAvailability(
                id: .new(at: noon), deliverer: maya, beganAt: noon, state: .paused, restaurant: chemicum,
                dropOff: exactum.shown, capacity: 1, detour: 0, until: noon + 60, isListed: true, changedAt: noon)
            let begun = await constraint {
                try await deliveries.store.transaction {
                    try await $0.add(AvailabilityDecision(availability: second, told: .began))
                }
            }
            #expect(begun == "availabilities_one")
        }
    }
}
