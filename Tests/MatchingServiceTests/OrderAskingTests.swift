import FoundationEssentials
import MatchEngine
import Testing
import WireProtocol

@testable import MatchingService

@Suite("Who is asked for by name, and what an order changes")
struct OrderAskingTests {
    private func place(
        _ requested: RequestedDeliverer? = Example.requested(), _ change: (inout OrderDraft) -> Void = { _ in }
    ) throws(DeliveryError) -> OrderDecision {
        let draft = Example.orderDraft {
            $0.availability = Example.availability().id
            change(&$0)
        }
        return try PlacedOrder.place(
            draft, id: Example.order().id, by: tom, having: 0, asking: requested, among: places, at: noon,
            within: limits)
    }

    private func faults(
        _ availability: OfferedAvailability = Example.availability(), _ change: (inout OrderDraft) -> Void = { _ in }
    ) -> [String] {
        wrong { () throws(DeliveryError) in _ = try place(Example.requested(availability), change) }
    }

    @Test func who_is_asked_for_is_asked_at_once() throws {
        let decision = try place()
        #expect(decision.order == Example.order(.offered) { $0.asked = Example.availability().id })
        let offer = try #require(decision.offer)
        #expect(offer.expiresAt == noon + 120 && offer.code == "0472" && offer.state == .offered)
        #expect(offer.items == "Soup" && offer.terms == Example.order().terms && offer.destination == exactum.shown)
        #expect(offer.detour == 0 && offer.detourSeconds == nil && offer.walk == 1000 && offer.chances == [])
    }

    @Test func who_is_not_there_or_has_no_hand_free_is_not_asked() {
        #expect(throws: DeliveryError.notThere) { try place(nil) }
        #expect(throws: DeliveryError.notThere) { try place(Example.requested(Example.availability(.paused))) }
        #expect(throws: DeliveryError.notThere) {
            try place(Example.requested(Example.availability { $0.until = noon }))
        }
        #expect(throws: DeliveryError.notThere) { try place { $0.availability = AvailabilityID.new(at: noon) } }
        #expect(throws: DeliveryError.handsFull) { try place(Example.requested(Example.availability { $0.taken = 2 })) }
    }

    @Test func who_rolls_on_passes_them_over() throws {
        for requested in [nil, Example.requested(Example.availability { $0.taken = 2 })] {
            let decision = try place(requested) { $0.rollsOn = true }
            #expect(decision.order == Example.order { $0.rollsOn = true } && decision.offer == nil)
        }
    }

    @Test func nobody_brings_something_to_themselves() {
        #expect(throws: DeliveryError.yourOwn) {
            try PlacedOrder.place(
                Example.orderDraft { $0.availability = Example.availability().id }, id: Example.order().id, by: maya,
                having: 0, asking: Example.requested(), among: places, at: noon, within: limits)
        }
    }

    @Test func what_speaks_against_them_stands_at_its_field() {
        #expect(faults(Example.availability { $0.restaurant = chemicum }) == ["availability: other_restaurant"])
        #expect(faults(Example.availability { $0.leastFee = euros(201) }) == ["fee: below_least"])
        #expect(faults(Example.availability { $0.leastFee = euros(200) }) == [])
        #expect(faults(Example.availability { $0.leastFee = euros(1) }) { $0.fee = nil } == ["fee: below_least"])
        let both = Example.availability { ($0.restaurant, $0.leastFee) = (chemicum, euros(500)) }
        #expect(
            faults(both) { $0.minutes = 5 }
                == ["minutes: out_of_range", "availability: other_restaurant", "fee: below_least"])
    }

    @Test func they_go_no_farther_than_they_offer() throws {
        // 1,000 metres to Exactum, 50 back and forth from Physicum: by the guess 1.3 times as much.
        let past = Example.availability { $0.detour = 0 }
        #expect(faults(past) == [] && faults(past) { $0.dropOff?.place = physicum.id } == ["availability: too_far"])
        #expect(faults { $0.dropOff?.place = physicum.id } == [])
        let out = KnownPlace(id: PlaceID.new(at: noon), name: "Out", position: position(0, 900))
        let draft = Example.orderDraft {
            ($0.availability, $0.dropOff) = (Example.availability().id, DropOffDraft(place: out.id))
        }
        #expect(
            wrong { () throws(DeliveryError) in
                _ = try PlacedOrder.place(
                    draft, id: Example.order().id, by: tom, having: 0, asking: Example.requested(),
                    among: KnownPlaces([unicafe, out]), at: noon, within: limits)
            } == ["availability: too_far"])
    }

    // MARK: Whom to ask next

    private func askNext(
        _ availability: AvailabilityID?, of order: PlacedOrder = Example.order(.asking),
        after matches: [MatchAgreement] = [Example.match(.declined)],
        _ requested: RequestedDeliverer? = Example.requested()
    ) throws(DeliveryError) -> OrderDecision {
        try order.askNext(
            OrderAsking(availability: availability), requested, of: matches, at: after(minutes: 5), within: limits)
    }

    private let kims = Example.requested(
        OfferedAvailability(
            id: AvailabilityID("00000000-0000-4000-8000-0000000000b2")!, deliverer: kim, beganAt: noon,
            state: .available, restaurant: unicafe, dropOff: exactum.shown, capacity: 1, detour: 0,
            until: after(minutes: 30), isListed: true, changedAt: noon))

    @Test func the_orderer_says_whom_to_ask_next() throws {
        let anybody = try askNext(nil)
        #expect(anybody.order.state == .waiting && anybody.order.asked == nil && anybody.offer == nil)
        let one = try askNext(kims.availability.id, kims)
        #expect(one.order.state == .offered && one.order.asked == kims.availability.id)
        #expect(one.offer?.deliverer == kim && one.offer?.expiresAt == after(minutes: 7))
    }

    @Test func nobody_is_asked_twice() throws {
        let again = Example.availability().id
        #expect(wrong { () throws(DeliveryError) in _ = try askNext(again) } == ["availability: asked_already"])
        #expect(try askNext(again, after: [Example.match(.withdrawn)]).order.state == .offered)
    }

    // MARK: Changes

    private func change(
        _ draft: OrderDraft, of order: PlacedOrder = Example.order(.offered),
        matches: [MatchAgreement] = [Example.match()], asking requested: RequestedDeliverer? = nil,
        at now: Date = noon + 30
    ) throws(DeliveryError) -> OrderDecision {
        try order.change(draft, of: matches, asking: requested, among: places, at: now, within: limits)
    }

    @Test func what_is_absent_stays() throws {
        let before = Example.order { $0.rollsOn = true }
        let changed = try change(OrderDraft(door: "Room 5"), of: before, matches: []).order
        #expect(changed == Example.order { ($0.rollsOn, $0.door) = (true, "Room 5") })
        let longer = try change(OrderDraft(minutes: 30), of: before, matches: [], at: after(minutes: 50)).order
        #expect(longer.waitsUntil == after(minutes: 80))
        #expect(try change(OrderDraft(fee: euros(0)), of: before, matches: []).order.terms.fee == nil)
        #expect(try change(OrderDraft(door: " "), of: before, matches: []).order.door == nil)
        let circle = OrderedAroundDraft(position: position(0), items: "Anything")
        let around = try change(OrderDraft(around: circle), of: before, matches: []).order
        #expect(around.around != nil && around.from.count == 2)
        let back = try change(Example.orderDraft(), of: around, matches: []).order
        #expect(back.around == nil && back.from.map(\.items) == ["Soup"])
    }

    @Test func goods_become_paid_for_and_back() throws {
        let prepaid = try change(OrderDraft(pickUpCode: "A7"), of: Example.order(), matches: []).order
        #expect(prepaid.terms.isPrepaid && prepaid.terms.limit == nil && prepaid.pickUpCode == "A7")
        #expect(try change(OrderDraft(door: "B"), of: prepaid, matches: []).order.pickUpCode == "A7")
        let bought = try change(OrderDraft(limit: euros(900)), of: prepaid, matches: []).order
        #expect(!bought.terms.isPrepaid && bought.terms.limit == euros(900) && bought.pickUpCode == nil)
        #expect(
            wrong { () throws(DeliveryError) in
                _ = try change(OrderDraft(pickUpCode: ""), of: prepaid, matches: [])
            } == ["limit: required"])
    }

    @Test func an_open_offer_is_taken_back_and_somebody_is_asked_anew() throws {
        let decision = try change(OrderDraft(fee: euros(300)))
        #expect(decision.order.state == .waiting && decision.order.terms.fee == euros(300))
        #expect(
            decision.match?.match.state == .withdrawn && decision.match?.told == .withdrawn && decision.offer == nil)
        let same = try change(OrderDraft(door: "Room 4", fee: euros(200)))
        #expect(same.order == Example.order(.offered) && same.match == nil, "it says the same")
        let late = try change(OrderDraft(fee: euros(300)), at: after(minutes: 1))
        #expect(late.match?.told == .expired)
    }

    private var direct: PlacedOrder { Example.order(.offered) { $0.asked = Example.availability().id } }

    @Test func who_was_asked_for_is_asked_anew() throws {
        let full = Example.requested(Example.availability { $0.taken = 2 })
        let decision = try change(OrderDraft(fee: euros(300)), of: direct, asking: full)
        #expect(decision.order.state == .offered && decision.order.asked == Example.availability().id)
        #expect(decision.match?.match.state == .withdrawn, "which frees their hand")
        #expect(decision.offer?.terms.fee == euros(300) && decision.offer?.expiresAt == noon + 150)
        let other = try change(OrderDraft(availability: kims.availability.id), of: direct, asking: kims)
        #expect(other.offer?.deliverer == kim && other.match?.match.deliverer == maya)
    }

    @Test func where_they_cannot_the_orderer_is_asked_or_others_are() throws {
        let elsewhere = OrderDraft(from: [OrderedFromDraft(restaurant: chemicum.id, items: "Salad")])
        let asking = try change(elsewhere, of: direct, asking: Example.requested())
        #expect(asking.order.state == .asking && asking.order.asked == nil && asking.offer == nil)
        var rolling = direct
        rolling.rollsOn = true
        let waiting = try change(elsewhere, of: rolling, asking: Example.requested())
        #expect(waiting.order.state == .waiting && waiting.order.asked == nil)
        let late = try change(elsewhere, of: direct, asking: Example.requested(), at: after(minutes: 1))
        #expect(late.order.state == .asking && late.match?.told == .expired)
    }
}
