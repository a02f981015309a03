import FoundationEssentials
import Testing
import WireProtocol

@testable import MatchEngine

@Suite("Whose turn it is")
struct FairnessTests {
    @Test func who_had_chances_and_no_offer_comes_first_at_the_price_of_some_metres() {
        var engine = MatchEngine([
            deliverer(1, to: stop(11, 990), capacity: 9), deliverer(2, to: stop(12, 984), capacity: 9),
        ])
        var proposals: [Proposal] = []
        for number in 1...3 {
            proposals += engine.placed(order(number), at: noon).proposals
            engine.accepted(orderID(number))
            #expect(engine.completed(orderID(number), at: noon).isEmpty)
        }
        #expect(proposals.map(\.deliverer) == [delivererID(1), delivererID(2), delivererID(1)])
        #expect(proposals.map(\.reason) == [.nearest, .turn, .nearest])
        #expect(Set(proposals[0].chances) == [person(20_001), person(20_002)])
    }

    @Test func the_credits_of_a_round_sum_to_nothing_and_come_back_when_an_order_is_taken_back() {
        var engine = MatchEngine(
            (1...3).map { deliverer($0, to: stop(10 + $0, 1000 + Double($0))) }, [order(1), order(2)])
        _ = engine.decide(at: noon)
        let credits = engine.takeCredits()
        #expect(credits.count == 3 && abs(credits.map(\.credit.value).reduce(0, +)) < 1e-12)
        #expect(engine.takeCredits().isEmpty)
        for number in 1...2 { _ = engine.withdrawn(orderID(number), at: noon) }
        #expect(engine.takeCredits().allSatisfy { abs($0.credit.value) < 1e-12 })
    }

    @Test func credits_halve_in_a_week_and_count_no_more_than_three() {
        let credit = Credit(value: 8, asOf: noon)
        #expect(abs(credit.value(at: noon + 7 * 86_400, halfLife: 7 * 86_400) - 4) < 1e-9)
        #expect(credit.value(at: noon - 5, halfLife: 7 * 86_400) == 8)
        // 1.3 × 2 × 25 m are more than three credits, 1.3 × 2 × 20 m are less.
        for (metres, asked) in [(25.0, 1), (20, 2)] {
            var engine = MatchEngine([deliverer(1), deliverer(2, to: stop(12, 1000 - metres))])
            engine.learn(Credit(value: 100, asOf: noon), of: person(20_002))
            #expect(engine.placed(order(1), at: noon).pairs == [orderID(1): delivererID(asked)])
        }
    }

    /// Sixty people, of whom a third live where most orders go, and fourteen are there at a time.
    @Test func over_time_everybody_gets_the_share_that_their_chances_give() {
        var chance = Chance(state: 99)
        let at = { (spread: Int) in Double(500 + chance.number(-spread...spread)) }
        let homes = (0..<60).map { stop(100 + $0, at($0 < 20 ? 60 : 250), at($0 < 20 ? 60 : 250)) }
        let goals = (0..<80).map { stop(1000 + $0, at(200), at(200)) }
        var (chances, offers) = ([Double](repeating: 0, count: 60), [Double](repeating: 0, count: 60))
        var (credits, metres, least): ([PersonID: Credit], Int, Int) = ([:], 0, 0)
        for number in 1...6000 {
            let now = noon + Double(number)
            let there = (0..<60).shuffled(using: &chance).prefix(14)
            var engine = MatchEngine(there.map { deliverer($0, to: homes[$0], detour: 300) })
            for (person, credit) in credits { engine.learn(credit, of: person) }
            let building = goals.randomElement(using: &chance)!
            guard let proposal = engine.placed(order(number, to: building, placed: now), at: now).proposals.first,
                proposal.chances.count > 1
            else { continue }
            for (person, credit) in engine.takeCredits() { credits[person] = credit }
            for person in there where proposal.chances.contains(MatchEngineTests.person(20_000 + person)) {
                chances[person] += 1 / Double(proposal.chances.count)
                offers[person] += proposal.deliverer == delivererID(person) ? 1 : 0
            }
            var blind = MatchEngine(there.map { deliverer($0, to: homes[$0], detour: 300) })
            let nearest = blind.placed(order(number, to: building, placed: now), at: now).proposals[0].detour
            #expect(proposal.detour <= nearest + 121)
            (metres, least) = (metres + proposal.detour, least + nearest)
        }
        let shares = zip(offers, chances).filter { $0.1 > 20 }.map { $0.0 / $0.1 }
        let jain =
            shares.reduce(0, +) * shares.reduce(0, +) / (Double(shares.count) * shares.map { $0 * $0 }.reduce(0, +))
        #expect(shares.count > 40 && jain >= 0.98, "\(jain), \(shares.min()!) to \(shares.max()!)")
        #expect(metres < least + 6000 * 30)
    }
}
