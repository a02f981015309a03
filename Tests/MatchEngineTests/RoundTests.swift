import FoundationEssentials
import Testing
import WireProtocol

@testable import MatchEngine

/// All that waits at once.
@Suite("Rounds")
struct RoundTests {
    @Test func as_many_are_served_as_can_be_and_not_whoever_is_nearest() {
        // The first could have either, the second only the one who is nearest to both.
        let (near, far) = (deliverer(1, detour: 100), deliverer(2, to: stop(12, 900), detour: 400))
        let aside = stop(13, 1000, 30)
        var engine = MatchEngine([near, far], [order(1), order(2, to: aside, fee: 0)])
        engine.learn(Decline(order: orderID(2), person: far.person))
        #expect(engine.decide(at: noon).pairs == [orderID(1): delivererID(2), orderID(2): delivererID(1)])
        #expect(engine.certificate.served == 2 && engine.certificate.gap < 0.001)
    }

    @Test func who_fits_more_than_are_looked_at_is_left_over_by_none_of_them() {
        var settings = MatchSettings()
        settings.edges = 2
        let deliverers = (1...4).map { deliverer($0, to: stop(10 + $0, 1000 - Double($0) * 10)) }
        var engine = MatchEngine(deliverers, (1...5).map { order($0, placed: noon - Double($0)) }, settings: settings)
        let found = engine.decide(at: noon)
        #expect(Set(found.pairs.values) == Set(deliverers.map(\.id)))
        let left = found.decisions.filter { if case .keepWaiting(_, .othersFirst) = $0 { true } else { false } }
        #expect(found.decisions.count == 5 && left.count == 1)
        #expect(engine.certificate.served == 2)
    }

    @Test func hands_are_filled_where_that_costs_least() {
        // A second hand costs 40 m: more than 10 m of way there and back, less than 20 m.
        for (metres, busy) in [(10.0, 1), (20, 2)] {
            let others = deliverer(2, to: stop(12, 1000 - metres), capacity: 2)
            var engine = MatchEngine([deliverer(1, capacity: 2), others], (1...2).map { order($0) })
            let counts = Dictionary(grouping: engine.decide(at: noon).pairs.values) { $0 }.mapValues(\.count)
            #expect(counts[delivererID(1)] == busy)
        }
    }

    @Test func a_round_decides_once_and_the_next_finds_nothing_to_do() {
        var engine = MatchEngine((1...3).map { deliverer($0, capacity: 2) }, (1...9).map { order($0) })
        let first = engine.decide(at: noon)
        #expect(first.proposals.count == 6)
        let second = engine.decide(at: noon).decisions
        #expect(
            second.count == 3
                && second.allSatisfy { if case .keepWaiting(_, .nobodyThere) = $0 { true } else { false } })
        #expect(engine.certificate == Certificate())
    }

    @Test(arguments: 1...10) func the_order_in_which_things_are_learned_makes_no_difference(seed: Int) {
        var chance = Chance(state: UInt64(seed) << 16)
        let houses = (0..<20).map {
            stop(100 + $0, Double(chance.number(0...8)) * 100, Double(chance.number(0...8)) * 100)
        }
        let deliverers = (1...60).map {
            deliverer($0, to: houses.randomElement(using: &chance)!, capacity: chance.number(1...3))
        }
        let orders = (1...150).map { order($0, to: houses.randomElement(using: &chance)!) }
        var one = MatchEngine(deliverers, orders)
        var other = MatchEngine(deliverers.shuffled(using: &chance), orders.shuffled(using: &chance))
        let (first, second) = (one.decide(at: noon).decisions, other.decide(at: noon).decisions)
        #expect(first == second && one.certificate == other.certificate && first.proposals.count > 60)
        let credits = (one.takeCredits(), other.takeCredits())
        #expect(
            [PersonID: Credit](uniqueKeysWithValues: credits.0.map { ($0.person, $0.credit) })
                == [PersonID: Credit](uniqueKeysWithValues: credits.1.map { ($0.person, $0.credit) }))
    }
}
