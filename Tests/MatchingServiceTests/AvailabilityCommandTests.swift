import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// What somebody says who can bring something along.
@Suite struct AvailabilityCommandTests {
    @Test func it_begins_changes_and_ends() async throws {
        try await Deliveries.with { deliveries in
            let begun = try await deliveries.bringing { ($0.capacity, $0.detour) = (2, 300) }
            #expect(begun.state == .available && begun.capacity == 2 && begun.restaurant == unicafe.shown)
            let draft = AvailabilityDraft(minutes: 60, leastFee: euros(100), isListed: false)
            let changed = try await deliveries.useCases.offerDelivery(draft, .from(maya))
            #expect(changed.id == begun.id && changed.until == noon + 3600 && changed.detour == 300)
            #expect(changed.leastFee == euros(100) && !changed.isListed)
            try await deliveries.useCases.endDelivery(.from(maya))
            #expect(try await deliveries.store.availability(of: maya) == nil)
            let end = await deliveryRefusal { try await deliveries.useCases.endDelivery(.from(maya)) }
            #expect(end == .notOffering([]))
            #expect(await deliveryRefusal { try await deliveries.useCases.resumeDelivery(.from(maya)) } == end)
            #expect(try await deliveries.bringing().id != begun.id)
            #expect(
                try await deliveries.told(AvailabilityChanged.self).map(\.what) == [.began, .changed, .changed, .began])
            let header = try #require(try await deliveries.headers(of: AvailabilityChanged.self).first)
            #expect(header.aggregate == "availability/\(begun.id)" && header.audience == .people([maya]))
        }
    }

    @Test func what_has_ended_by_its_time_is_ended_before_the_next_one_begins() async throws {
        try await Deliveries.with { deliveries in
            let first = try await deliveries.bringing()
            let asked = try await deliveries.requested(of: first) { $0.minutes = 90 }
            deliveries.advance(minutes: 31)
            let second = try await deliveries.bringing()
            #expect(second.id != first.id)
            #expect(try await deliveries.store.availability(first.id)?.state == .ended)
            #expect(try await deliveries.store.match(asked.match)?.state == .expired)
            #expect(try await deliveries.store.order(asked.order)?.state == .asking)
            #expect(try await deliveries.told(AvailabilityChanged.self).map(\.what) == [.began, .ended, .began])
        }
    }

    @Test func what_is_offered_is_withdrawn_when_they_go_and_what_is_in_hand_stays() async throws {
        try await Deliveries.with { deliveries in
            let there = try await deliveries.bringing { $0.capacity = 2 }
            let inHand = try await deliveries.requested(of: there)
            try await deliveries.act(.accept, on: inHand.match, by: maya)
            let open = try await deliveries.requested(by: kim, of: there) { $0.rollsOn = true }
            try await deliveries.useCases.endDelivery(.from(maya))
            #expect(try await deliveries.store.match(inHand.match)?.state == .accepted)
            #expect(try await deliveries.store.match(open.match)?.state == .withdrawn)
            #expect(try await deliveries.store.order(open.order)?.state == .waiting)
            let news = try #require(try await deliveries.told(MatchUpdate.self).last)
            #expect(news.what == .withdrawn && news.match.by == maya && news.match.orderState == .waiting)
            #expect(try await deliveries.store.availability(there.id)?.taken == 1)
        }
    }

    @Test func what_no_longer_fits_is_withdrawn() async throws {
        try await Deliveries.with { deliveries in
            let there = try await deliveries.bringing()
            let asked = try await deliveries.requested(of: there)
            let dearer = AvailabilityDraft(leastFee: euros(300))
            #expect(try await deliveries.useCases.offerDelivery(dearer, .from(maya)).taken == 0)
            #expect(try await deliveries.store.match(asked.match)?.state == .withdrawn)
            #expect(try await deliveries.store.order(asked.order)?.state == .asking)
        }
    }

    @Test func who_has_something_in_hand_stays_at_the_restaurant() async throws {
        try await Deliveries.with { deliveries in
            let asked = try await deliveries.requested(of: try await deliveries.bringing())
            try await deliveries.act(.accept, on: asked.match, by: maya)
            let elsewhere = AvailabilityDraft(restaurant: chemicum.id)
            let refusal = await deliveryRefusal {
                try await deliveries.useCases.offerDelivery(elsewhere, .from(maya))
            }
            #expect(refusal == .restaurantStays)
        }
    }

    @Test func who_does_not_answer_three_times_is_paused_until_they_are_back() async throws {
        try await Deliveries.with { deliveries in
            let there = try await deliveries.bringing { $0.minutes = 60 }
            for person in crowd(3) {
                _ = try await deliveries.requested(by: person, of: there)
                deliveries.advance(minutes: 2)
                while try await deliveries.times.round() {}
            }
            #expect(try await deliveries.store.availability(of: maya)?.state == .paused)
            let draft = Example.orderDraft { $0.availability = there.id }
            let refusal = await deliveryRefusal { try await deliveries.useCases.placeOrder(draft, .from(tom)) }
            #expect(refusal == .notThere)
            #expect(try await deliveries.useCases.resumeDelivery(.from(maya)).state == .available)
            _ = try await deliveries.requested(of: there)
        }
    }

    @Test func the_trip_is_what_places_has_said() async throws {
        let way = KnownWay(metres: 1234, isAlongStreets: true)
        let ways: AskForWays = { _, others in others.map { _ in way } }
        try await Deliveries.with(ways: ways) { deliveries in
            await deliveries.useCases.learnWays(among: [unicafe.shown, exactum.shown])
            let there = try await deliveries.bringing()
            #expect(try await deliveries.store.availability(there.id)?.trip == way)
        }
    }

    @Test func who_is_suspended_offers_nothing() async throws {
        try await Deliveries.with { deliveries in
            try await deliveries.suspend(maya, until: nil)
            #expect(await refusalCode { try await deliveries.bringing() } == .suspended)
        }
    }
}
