import FoundationEssentials
import Testing
import WireProtocol

@testable import MatchEngine

/// What follows what, one thing at a time.
@Suite("Offers, one after another")
struct OfferTests {
    /// Three at the canteen, each a little farther from where the orders go.
    private let near = deliverer(1, to: stop(11, 1010))
    private let farther = deliverer(2, to: stop(12, 1030))
    private let farthest = deliverer(3, to: stop(13, 1060))
    private var all: [FreeDeliverer] { [farthest, near, farther] }

    @Test func the_nearest_is_asked_and_then_the_next_and_nobody_twice() {
        var engine = MatchEngine(all)
        #expect(engine.placed(order(1), at: noon).pairs == [orderID(1): delivererID(1)])
        #expect(engine.declined(orderID(1), at: noon).pairs == [orderID(1): delivererID(2)])
        #expect(engine.expired(orderID(1), at: noon).pairs == [orderID(1): delivererID(3)])
        #expect(engine.declined(orderID(1), at: noon) == [.keepWaiting(orderID(1), .nobodyFits)])
        #expect(engine.decide(at: noon) == [.keepWaiting(orderID(1), .nobodyFits)])
        // The same person, who comes again.
        #expect(engine.came(deliverer(9, person: 20_001, to: stop(11, 1010)), at: noon).isEmpty)
    }

    @Test func who_declined_in_an_earlier_round_is_not_asked() {
        var engine = MatchEngine(all, [order(1)])
        engine.learn(Decline(order: orderID(1), person: near.person))
        #expect(engine.decide(at: noon).pairs == [orderID(1): delivererID(2)])
    }

    @Test func a_declined_hand_is_offered_to_the_next_order_at_once() {
        var engine = MatchEngine([near])
        #expect(engine.placed(order(1), at: noon).pairs.count == 1)
        #expect(engine.placed(order(2), at: noon).decisions == [.keepWaiting(orderID(2), .nobodyThere)])
        #expect(
            engine.declined(orderID(1), at: noon).decisions
                == [.keepWaiting(orderID(1), .nobodyFits)] + theOnlyOffer(order(2), near))
    }

    @Test func who_comes_fills_all_hands_with_those_who_have_waited_longest() {
        let orders = (1...4).map { order($0, placed: noon - Double($0) * 100) }
        var engine = MatchEngine([], orders)
        let found = engine.came(deliverer(1, capacity: 3), at: noon)
        #expect(found.proposals.map(\.order) == [4, 3, 2].map(orderID))
        engine.accepted(orderID(4))
        #expect(engine.completed(orderID(4), at: noon).pairs == [orderID(1): delivererID(1)])
    }

    @Test func what_is_accepted_stays_when_the_deliverer_leaves_and_what_is_open_rolls_on() {
        var engine = MatchEngine([deliverer(1, capacity: 2)])
        for number in 1...2 { #expect(engine.placed(order(number), at: noon).pairs.count == 1) }
        engine.accepted(orderID(1))
        #expect(engine.came(farthest, at: noon).isEmpty)
        #expect(engine.ended(delivererID(1), at: noon).pairs == [orderID(2): delivererID(3)])
        #expect(engine.completed(orderID(1), at: noon).isEmpty)
        #expect(engine.ended(delivererID(1), at: noon).isEmpty)
    }

    @Test func who_left_may_be_asked_again_as_they_declined_nothing() {
        var engine = MatchEngine([near])
        #expect(engine.placed(order(1), at: noon).pairs.count == 1)
        #expect(engine.ended(delivererID(1), at: noon) == [.keepWaiting(orderID(1), .nobodyThere)])
        #expect(engine.came(near, at: noon).pairs == [orderID(1): delivererID(1)])
    }

    @Test func who_cancels_what_they_had_accepted_is_not_asked_again() {
        var engine = MatchEngine([near, farther])
        #expect(engine.placed(order(1), at: noon).pairs == [orderID(1): delivererID(1)])
        engine.accepted(orderID(1))
        #expect(engine.declined(orderID(1), at: noon).pairs == [orderID(1): delivererID(2)])
    }

    @Test func one_who_is_asked_by_name_is_the_only_one_and_others_only_if_the_orderer_wants() {
        for rollsOn in [true, false] {
            var engine = MatchEngine(all)
            #expect(engine.placed(order(1, asks: 3, rollsOn: rollsOn), at: noon).pairs == [orderID(1): delivererID(3)])
            let next = engine.declined(orderID(1), at: noon)
            if rollsOn {
                #expect(next.pairs == [orderID(1): delivererID(1)])
            } else {
                #expect(next == [.keepWaiting(orderID(1), .asksWhetherToRollOn)])
                #expect(engine.decide(at: noon).isEmpty)
                #expect(engine.askedAnybody(orderID(1), at: noon).pairs == [orderID(1): delivererID(1)])
            }
        }
    }

    @Test func one_who_is_asked_by_name_and_leaves_is_waited_for_no_more() {
        for rollsOn in [true, false] {
            var engine = MatchEngine([near], [order(1, asks: 3, rollsOn: rollsOn)])
            let expected: [WaitingOrder.ID: FreeDeliverer.ID] = rollsOn ? [orderID(1): delivererID(1)] : [:]
            #expect(engine.decide(at: noon).pairs == expected, "gone before a round")
            var other = MatchEngine([deliverer(3, capacity: 1, taken: 1), near], [order(1, asks: 3, rollsOn: rollsOn)])
            #expect(other.decide(at: noon).decisions == [.keepWaiting(orderID(1), .nobodyFits)])
            #expect(other.ended(delivererID(3), at: noon).pairs == expected, "gone afterwards")
            #expect(other.askedAnybody(orderID(1), at: noon).pairs.isEmpty == rollsOn)
        }
    }

    @Test func time_and_closed_restaurants_end_an_order() {
        let either = [canteen, stop(9, 50)]
        var engine = MatchEngine([], [order(1), order(2, from: either), order(3, from: either, waits: 60)])
        #expect(engine.closed(canteen.id, until: noon + 7200, at: noon) == [.lapse(orderID(1), .allClosed)])
        let found = engine.decide(at: noon + 61)
        #expect(found == [.keepWaiting(orderID(2), .nobodyThere), .lapse(orderID(3), .timeIsUp)])
        #expect(engine.placed(order(4), at: noon) == [.lapse(orderID(4), .allClosed)])
        #expect(engine.came(near, at: noon).isEmpty)
        #expect(engine.decide(at: noon + 3600) == [.lapse(orderID(2), .timeIsUp)])
    }

    @Test func what_is_not_known_or_past_changes_nothing() {
        var engine = MatchEngine([near])
        #expect(engine.declined(orderID(1), at: noon).isEmpty)
        #expect(engine.completed(orderID(1), at: noon).isEmpty)
        #expect(engine.withdrawn(orderID(1), at: noon).isEmpty)
        #expect(engine.placed(order(1), at: noon).pairs.count == 1)
        #expect(engine.completed(orderID(1), at: noon).isEmpty)
        #expect(engine.placed(order(1), at: noon).isEmpty)
        engine.accepted(orderID(1))
        engine.accepted(orderID(1))
        #expect(engine.completed(orderID(1), at: noon).isEmpty)
        #expect(engine.declined(orderID(1), at: noon).isEmpty)
    }

    @Test func what_is_learned_again_counts_and_what_is_open_stays_open() {
        var engine = MatchEngine([], [order(1)])
        engine.learn(order(1, from: [stop(9, 50)]))
        #expect(engine.came(near, at: noon).isEmpty)
        #expect(engine.placed(order(1), at: noon).pairs == [orderID(1): delivererID(1)])
        engine.learn(order(1, from: [stop(9, 50)]))
        let wider = deliverer(1, to: stop(11, 1010), capacity: 2, taken: 1)
        #expect(engine.came(wider, at: noon).isEmpty)
        #expect(engine.placed(order(2), at: noon).pairs == [orderID(2): delivererID(1)])
        let left = engine.ended(delivererID(1), at: noon)
        #expect(left == [1, 2].map { .keepWaiting(orderID($0), .nobodyThere) })
    }

    @Test func goods_for_the_same_building_go_together() {
        let there = stop(11, 1040)
        let full = deliverer(1, to: there, capacity: 2, taken: 1, carries: [house])
        var engine = MatchEngine([full, deliverer(2, to: there)])
        // 60 m for the same building, less 40 m for the full hand.
        #expect(engine.placed(order(1), at: noon).pairs == [orderID(1): delivererID(1)])
        #expect(engine.placed(order(2), at: noon).pairs == [orderID(2): delivererID(2)])
    }
    private func theOnlyOffer(_ order: WaitingOrder, _ deliverer: FreeDeliverer) -> [Directive] {
        let beyond = Point(deliverer.building.position).metres(to: Point(house.position)) * 1.3
        let detour = 1300 + beyond - deliverer.trip
        return [
            .offer(
                Proposal(
                    order: order.id, deliverer: deliverer.id, restaurant: canteen.id,
                    detour: Int(max(0, detour).rounded()), reason: .onlyOne, chances: []))
        ]
    }
}
