import DurableMessaging
import FoundationEssentials
import MatchEngine
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

@Suite struct DeliveryStoreTests {
    /// Maya's availability, and Tom's order that is offered to her.
    private func keep(
        _ deliveries: Deliveries, _ availability: OfferedAvailability = Example.availability(),
        _ order: PlacedOrder = Example.order(.offered), _ match: MatchAgreement? = Example.match()
    ) async throws {
        try await deliveries.store.transaction {
            try await $0.add(AvailabilityDecision(availability: availability, told: .began))
            try await $0.add(OrderDecision(order: order, offer: match))
        }
    }

    @Test func an_availability_is_read_as_it_was_kept() async throws {
        try await Deliveries.with { deliveries in
            let kept = Example.availability {
                $0.trip = KnownWay(metres: 1200, isAlongStreets: true)
                ($0.leastFee, $0.isListed, $0.unanswered) = (euros(150), false, 2)
            }
            try await deliveries.store.transaction {
                try await $0.add(AvailabilityDecision(availability: kept, told: .began))
            }
            #expect(try await deliveries.store.availability(kept.id) == kept)
            #expect(try await deliveries.store.availability(of: maya) == kept)

            var after = kept
            (after.state, after.restaurant, after.trip) = (.paused, chemicum, nil)
            after.dropOff = DeliveryPlace(name: "The bench", address: "By the lake", position: position(-20, 30))
            (after.capacity, after.detour, after.until) = (4, 500, noon + 90 * 60)
            (after.leastFee, after.isListed, after.unanswered, after.changedAt) = (nil, true, 3, noon + 60)
            let changed = after
            let told = try await deliveries.store.transaction {
                try await $0.keep(AvailabilityDecision(availability: changed, told: .paused), insteadOf: kept)
            }
            #expect(told == after)
            #expect(try await deliveries.store.availability(kept.id) == after)
            #expect(try await deliveries.told(AvailabilityChanged.self).map(\.what) == [.began, .paused])
        }
    }

    @Test func an_order_is_read_as_it_was_kept() async throws {
        try await Deliveries.with { deliveries in
            let kept = Example.order(.asking) {
                $0.from = [
                    WantedFrom(restaurant: unicafe, items: "Soup"), WantedFrom(restaurant: chemicum, items: "Bread"),
                ]
                ($0.asked, $0.rollsOn) = (Example.availability().id, true)
            }
            try await keep(deliveries, Example.availability(), kept, nil)
            #expect(try await deliveries.store.order(kept.id) == kept)

            var after = kept
            after.from = [WantedFrom(restaurant: unicafe, items: "Cake")]
            after.around = OrderedAround(position: position(0, 100), radius: 400, items: "Cake")
            after.dropOff = DeliveryPlace(name: "The bench", position: position(-20, 30))
            (after.state, after.door, after.pickUpCode) = (.cancelled, nil, "4 B 7")
            after.terms = OrderTerms(fee: nil, limit: nil, paidBy: .credits, isPrepaid: true)
            (after.asked, after.rollsOn, after.waitsUntil, after.changedAt) = (nil, false, noon + 7200, noon + 60)
            let changed = after
            _ = try await deliveries.store.transaction {
                try await $0.keep(OrderDecision(order: changed), insteadOf: kept)
            }
            #expect(try await deliveries.store.order(kept.id) == after)
        }
    }

    @Test func a_match_is_read_as_it_was_kept() async throws {
        try await Deliveries.with { deliveries in
            let kept = Example.match { $0.chances = [maya, kim] }
            try await keep(deliveries, Example.availability(), Example.order(.offered), kept)
            #expect(try await deliveries.store.match(kept.id) == kept)

            var after = Example.match(.disputed)
            after.terms.limit = euros(1500)
            (after.receipt, after.tip, after.share, after.isUndone) = ("a picture", euros(50), 40, true)
            (after.changedAt, after.changedBy, after.reason) = (noon + 60, tom, "It is cold.")
            after.statements.append(MatchRemark(by: .deliverer, text: "It was warm.", at: noon + 90))
            let changed = after
            try await deliveries.store.transaction {
                let held = try #require(try await $0.locked([kept.id]).first)
                try await $0.keep(MatchDecision(match: changed, told: .disputed, by: tom), of: held)
            }
            #expect(try await deliveries.store.match(kept.id) == after)
            #expect(try await deliveries.store.matches(of: kept.order) == [after])
        }
    }

    @Test func doors_and_codes_are_not_in_the_tables() async throws {
        try await Deliveries.with { deliveries in
            let order = Example.order(.offered) {
                ($0.door, $0.pickUpCode) = ("Behind the blue door", "Code 77")
                $0.terms = OrderTerms(fee: euros(100), paidBy: .cash, isPrepaid: true)
            }
            let match = Example.match { $0.terms = order.terms }
            try await keep(deliveries, Example.availability(), order, match)
            let rows = try await deliveries.database.query(
                """
                SELECT encode(door, 'escape') || encode(pick_up_code, 'escape') || encode(code, 'escape') AS sealed
                FROM orders JOIN matches ON "order" = orders.id
                """)
            let sealed: String = try rows[0].get("sealed")
            #expect(!sealed.contains("blue") && !sealed.contains("Code") && !sealed.contains(match.code))
        }
    }

    @Test func with_another_key_everything_but_doors_and_codes_is_there() async throws {
        try await Deliveries.with { deliveries in
            let later = deliveries.withAnotherKey
            try await keep(deliveries)
            let order = try #require(try await later.store.order(Example.order().id))
            #expect(order.door == nil && order.from == Example.order().from)
            let match = try #require(try await later.store.match(Example.match().id))
            #expect(match.code.utf8.count == 4 && match.items == "Soup")
            // What is done to it leaves the words as they lie there: the key may come back.
            _ = try await later.act(.accept, on: match.id, by: maya)
            #expect(try await deliveries.store.order(order.id)?.door == "Room 4")
            #expect(try await deliveries.store.match(match.id)?.code == "0472")
        }
    }

    @Test func credits_are_kept_and_given_back() async throws {
        try await Deliveries.with { deliveries in
            let match = Example.match { $0.chances = [maya, kim] }
            let credits = try await deliveries.store.transaction { deliveries in
                try await deliveries.keep([
                    maya: Credit(value: -0.5, asOf: noon), kim: Credit(value: 0.5, asOf: noon),
                ])
                try await deliveries.giveTurnsBack(of: match, match.chances)
                return try await deliveries.transaction.query("SELECT credit FROM credits ORDER BY person")
                    .map { try $0.get("credit", as: Double.self) }
            }
            #expect(credits == [0, 0])
        }
    }
}
