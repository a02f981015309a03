import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// What time does, in the tables.
@Suite("What is due of deliveries", .serialized)
struct DeliveryTimesTests {
    @Test func an_offer_that_nobody_answers_goes_to_the_next() async throws {
        try await Deliveries.with { deliveries in
            try await deliveries.bringing()
            let order = try await deliveries.ordering().id
            try await deliveries.decide()
            try await deliveries.bringing(by: lin)
            deliveries.clock.advance(by: .seconds(59))
            try await deliveries.pass()
            #expect(try await deliveries.asked(lin) == nil)
            deliveries.clock.advance(by: .seconds(1))
            #expect(try await deliveries.seen(order).state == .waiting, "whether or not the rounds came by")
            try await deliveries.pass()
            #expect(try await deliveries.asked(lin) != nil)
            #expect(try await deliveries.asked(maya) == nil)
            #expect(try await deliveries.seen(order).steps.map(\.what) == [.asked, .expired, .asked])
            #expect(try await deliveries.store.availability(of: maya)?.unanswered == 1)
            #expect(try await deliveries.told(MatchUpdate.self).map(\.what) == [.expired])
        }
    }

    @Test func an_order_that_cannot_be_read_keeps_no_other_from_being_brought() async throws {
        try await Deliveries.with { deliveries in
            let (broken, whole) = (try await deliveries.ordering().id, try await deliveries.ordering(by: kim).id)
            let spoiled: SQLQuery = "UPDATE orders SET wanted = '[{}]' WHERE id = \(broken)"
            let before: String = try await deliveries.database.query(
                "SELECT wanted::text AS wanted FROM orders WHERE id = \(broken)")[0].get("wanted")
            _ = try await deliveries.database.query(spoiled)
            try await deliveries.bringing { $0.capacity = 2 }
            try await deliveries.pass()
            #expect(try await deliveries.store.order(whole)?.state == .offered)
            #expect(try await deliveries.openOffers() == 1)
            #expect(try await deliveries.marks() == 0, "it rests")
            _ = try await deliveries.database.query(
                "UPDATE orders SET wanted = \(RawJSON(text: before)) WHERE id = \(broken)")
            _ = try await deliveries.database.query("DELETE FROM marks")
            deliveries.clock.advance(by: .seconds(30))
            try await deliveries.pass()
            #expect(try await deliveries.store.order(broken)?.state == .waiting)
            deliveries.clock.advance(by: .seconds(31))
            try await deliveries.pass()
            #expect(try await deliveries.store.order(broken)?.state == .offered)
        }
    }

    @Test func what_is_due_and_cannot_be_read_is_put_off_and_the_rest_goes_on() async throws {
        try await Deliveries.with { deliveries in
            let (broken, whole) = (try await deliveries.ordering().id, try await deliveries.ordering(by: kim).id)
            _ = try await deliveries.database.query("UPDATE orders SET wanted = '[{}]' WHERE id = \(broken)")
            deliveries.advance(minutes: 61)
            try await deliveries.pass()
            #expect(try await deliveries.store.order(whole)?.state == .lapsed)
            let row = try await deliveries.database.query("SELECT state, due_at FROM orders WHERE id = \(broken)")[0]
            let (state, due): (String, Date) = (try row.get("state"), try row.get("due_at"))
            #expect(state == "waiting" && due == deliveries.clock.now + 60)
        }
    }

    @Test func who_answers_none_of_three_is_asked_whether_they_are_there() async throws {
        try await Deliveries.with { deliveries in
            try await deliveries.bringing { ($0.minutes, $0.capacity) = (60, 3) }
            for person in crowd(3) { try await deliveries.ordering(by: person) }
            try await deliveries.decide()
            #expect(try await deliveries.openOffers() == 3)
            deliveries.clock.advance(by: .seconds(61))
            try await deliveries.pass()
            let stored = try await deliveries.store.availability(of: maya)
            #expect(stored?.state == .paused && stored?.taken == 0)
            #expect(try await deliveries.told(AvailabilityChanged.self).map(\.what) == [.began, .paused])
            #expect(try await deliveries.miscounted() == 0)
            _ = try await deliveries.useCases.resumeDelivery(.from(maya))
            try await deliveries.ordering(by: kim)
            try await deliveries.decide()
            #expect(try await deliveries.asked(maya) != nil)
        }
    }

    @Test func an_availability_ends_by_its_time_and_its_order_goes_on() async throws {
        try await Deliveries.with { deliveries in
            try await deliveries.bringing { $0.minutes = 15 }
            deliveries.clock.advance(by: .seconds(10 * 60))
            try await deliveries.pass()
            deliveries.clock.advance(by: .seconds(4.5 * 60))
            let order = try await deliveries.ordering {
                $0.dropOff = DropOffDraft(name: "Here", position: position(20))
            }.id
            try await deliveries.decide()
            deliveries.clock.advance(by: .seconds(30))
            try await deliveries.pass()
            #expect(try await deliveries.store.availability(of: maya) == nil)
            #expect(try await deliveries.useCases.availability(for: Caller(person: maya)).availability == nil)
            #expect(try await deliveries.seen(order).state == .waiting)
            #expect(try await deliveries.told(AvailabilityChanged.self).map(\.what) == [.began, .endsSoon, .ended])
            #expect(try await deliveries.openOffers() == 0)
            #expect(try await deliveries.times.round() == false)
        }
    }

    @Test func an_order_lapses_once_however_many_replicas_look() async throws {
        try await Deliveries.with { deliveries in
            let order = try await deliveries.ordering { $0.minutes = 15 }.id
            deliveries.clock.advance(by: .seconds(15 * 60))
            #expect(try await deliveries.seen(order).state == .lapsed)
            _ = await atOnce([deliveries, deliveries.replica, deliveries.replica]) { _ = try await $0.times.round() }
            #expect(try await deliveries.store.order(order)?.state == .lapsed)
            #expect(try await deliveries.told(OrderLapsed.self).map(\.order) == [order])
        }
    }

    @Test func each_is_reminded_once() async throws {
        try await Deliveries.with { deliveries in
            let id = try await deliveries.accepted()
            deliveries.clock.advance(by: .seconds(30 * 60))
            for _ in 1...2 { try await deliveries.pass() }
            #expect(try await deliveries.told(MatchReminder.self).map(\.about) == [.pickUp])
            try await deliveries.act(.pickUp, on: id, by: maya, MatchActDraft(spent: euros(1000)))
            deliveries.clock.advance(by: .seconds(45 * 60))
            for _ in 1...2 { try await deliveries.pass() }
            #expect(try await deliveries.told(MatchReminder.self).map(\.about) == [.pickUp, .complete])
            #expect(try await deliveries.told(AvailabilityChanged.self).map(\.what) == [.began, .ended])
        }
    }

    @Test func what_nobody_denies_is_completed_and_each_may_review() async throws {
        try await Deliveries.with { deliveries in
            let id = try await deliveries.pickedUp()
            try await deliveries.act(.complete, on: id, by: maya)
            deliveries.clock.advance(by: .seconds(12 * 3600))
            _ = await atOnce([deliveries, deliveries.replica]) { _ = try await $0.times.round() }
            // What one of them could not do in time on a slow machine is done by the next round.
            try await deliveries.pass()
            #expect(try await deliveries.store.match(id)?.state == .completed)
            #expect(try await deliveries.told(EncounterCompleted.self).count == 1)
        }
    }
}
