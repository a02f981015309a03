import DurableMessaging
import FoundationEssentials
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

@Suite("Rounds that match", .serialized)
struct MatchRoundsTests {
    private enum Step { case comes, orders, round }

    @Test(arguments: [true, false]) func an_order_and_one_who_goes_there_are_matched(orderFirst: Bool) async throws {
        try await Deliveries.with { deliveries in
            if orderFirst { try await deliveries.ordering() }
            let offered = try await deliveries.bringing()
            if orderFirst { try await deliveries.decide() } else { try await deliveries.ordering() }
            try await deliveries.decide()
            let id = try #require(try await deliveries.asked(maya))
            let match = try await deliveries.seen(id, by: maya)
            #expect(match.state == .offered && match.detour == 0 && match.orderer.id == tom)
            #expect(match.expiresAt == noon + limits.offer)
            #expect(try await deliveries.seen(match.order).state == .offered)
            #expect(try await deliveries.store.availability(offered.id)?.taken == 1)
            #expect(try await deliveries.told(NewMatch.self).map(\.match.deliverer.id) == [maya])
            #expect(try await deliveries.marks() == 0)
            #expect(try await deliveries.matching.round() == false)
        }
    }

    @Test(.timeLimit(.minutes(5))) func who_come_at_the_same_time_are_matched_whatever_commits_first() async throws {
        try await Deliveries.with { deliveries in
            let steps = (0..<40).flatMap { _ in [Step.comes, .orders, .round, .round] }
            let other = deliveries.replica
            let results = await atOnce(steps) { step in
                switch step {
                case .comes: try await deliveries.bringing(by: .new())
                case .orders: try await deliveries.ordering(by: .new())
                case .round: _ = try await other.matching.round()
                }
            }
            #expect(results.compactMap(\.error).isEmpty)
            // One more, as of a mark that was made last.
            try await deliveries.decide()
            #expect(try await deliveries.openOffers() == 40)
            #expect(try await deliveries.miscounted() == 0)
        }
    }

    @Test(.timeLimit(.minutes(5))) func two_replicas_offer_each_order_once() async throws {
        try await Deliveries.with { deliveries in
            for person in crowd(30) { try await deliveries.ordering(by: person) }
            for person in crowd(30) { try await deliveries.bringing(by: person) }
            let results = await atOnce([deliveries, deliveries.replica, deliveries.replica]) { process in
                try await process.decide()
            }
            #expect(results.compactMap(\.error).isEmpty)
            try await deliveries.decide()
            let told = try await deliveries.told(NewMatch.self)
            #expect(told.count == 30)
            #expect(Set(told.map(\.match.order)).count == 30)
            #expect(Set(told.map(\.match.deliverer.id)).count == 30)
            #expect(try await deliveries.miscounted() == 0)
        }
    }

    @Test(.timeLimit(.minutes(5))) func in_a_round_of_many_no_hand_is_left_that_somebody_waits_for() async throws {
        try await Deliveries.with { deliveries in
            for person in crowd(150) { try await deliveries.bringing(by: person) { $0.capacity = 2 } }
            let orderers = crowd(400)
            _ = await atOnce(orderers) { try await deliveries.ordering(by: $0) }
            try await deliveries.decide()
            #expect(try await deliveries.openOffers() == 300)
            #expect(try await deliveries.miscounted() == 0)
            #expect(try await deliveries.told(NewMatch.self).count == 300)
        }
    }

    @Test func nobody_is_asked_who_is_not_to_meet_the_orderer() async throws {
        try await Deliveries.with { deliveries in
            try await deliveries.part(maya, tom)
            try await deliveries.bringing()
            try await deliveries.bringing(by: tom)
            try await deliveries.bringing(by: lin)
            _ = try await deliveries.database.query(
                "INSERT INTO suspensions (person, until, generation) VALUES (\(lin), 'infinity', 1)")
            try await deliveries.ordering()
            try await deliveries.decide()
            #expect(try await deliveries.openOffers() == 0)
            #expect(try await deliveries.marks() == 0)
            try await deliveries.bringing(by: kim)
            try await deliveries.decide()
            #expect(try await deliveries.asked(kim) != nil)
        }
    }

    @Test func campuses_are_kept_apart_where_a_community_says_so() async throws {
        try await Deliveries.with(campuses: CampusSeparation(isOn: true)) { deliveries in
            try await deliveries.name(maya, "Maya", campus: "north")
            try await deliveries.name(lin, "Lin", campus: "south")
            try await deliveries.name(tom, "Tom", campus: "south")
            try await deliveries.bringing()
            try await deliveries.ordering()
            try await deliveries.decide()
            #expect(try await deliveries.openOffers() == 0)
            try await deliveries.bringing(by: lin)
            try await deliveries.decide()
            #expect(try await deliveries.asked(lin) != nil)
        }
    }

    @Test func whom_somebody_else_is_at_is_asked_in_the_next_round() async throws {
        try await Deliveries.with { deliveries in
            let offered = try await deliveries.bringing()
            try await deliveries.ordering()
            try await deliveries.store.transaction { held in
                _ = try await held.transaction.query(
                    "SELECT FROM availabilities WHERE id = \(offered.id) FOR NO KEY UPDATE")
                #expect(try await deliveries.matching.round() == false)
            }
            #expect(try await deliveries.openOffers() == 0)
            #expect(try await deliveries.marks() > 0)
            try await deliveries.decide()
            #expect(try await deliveries.asked(maya) != nil)
        }
    }

    @Test func who_declines_is_not_asked_again_and_the_next_one_is() async throws {
        try await Deliveries.with { deliveries in
            try await deliveries.bringing()
            let order = try await deliveries.ordering().id
            try await deliveries.decide()
            let first = try #require(try await deliveries.asked(maya))
            try await deliveries.act(.decline, on: first, by: maya)
            try await deliveries.decide()
            #expect(try await deliveries.asked(maya) == nil)
            // What happens in one millisecond has no order.
            deliveries.clock.advance(by: .milliseconds(1))
            try await deliveries.bringing(by: lin)
            try await deliveries.decide()
            #expect(try await deliveries.asked(lin) != nil)
            #expect(try await deliveries.seen(order).steps.map(\.what) == [.asked, .declined, .asked])
        }
    }

    @Test func of_a_circle_anybody_in_it_is_asked() async throws {
        try await Deliveries.with { deliveries in
            try await deliveries.ordering { draft in
                draft.from = nil
                draft.around = OrderedAroundDraft(position: position(0, 200), radius: 250, items: "Anything warm")
            }
            try await deliveries.bringing { $0.restaurant = chemicum.id }
            try await deliveries.decide()
            let id = try #require(try await deliveries.asked(maya))
            #expect(try await deliveries.seen(id, by: maya).restaurant.name == "Chemicum")
        }
    }

    @Test func who_was_asked_by_turns_has_less_credit_after_it() async throws {
        try await Deliveries.with { deliveries in
            try await deliveries.bringing()
            try await deliveries.bringing(by: lin)
            try await deliveries.ordering()
            try await deliveries.decide()
            let credits = try await deliveries.database.query("SELECT person, credit FROM credits ORDER BY credit")
            #expect(try credits.map { try $0.get("credit", as: Double.self) } == [-0.5, 0.5])
            #expect(try await deliveries.asked(try credits[0].get("person")) != nil)
        }
    }
}
