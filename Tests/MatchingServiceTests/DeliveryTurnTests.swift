import FoundationEssentials
import MatchEngine
import Testing
import WireProtocol

@testable import MatchingService

@Suite("Turns, and one order beside one deliverer")
struct DeliveryTurnTests: DecidingRounds {
    @Test func whose_turn_it_is_is_asked_and_all_comes_back_where_the_orderer_ends_it() throws {
        // Kim would go 51 metres farther, which three credits outweigh.
        let (near, far) = (availability(1), availability(2, of: kim) { $0.dropOff = oak })
        let before = Credit(value: 3, asOf: noon)
        let outcome = decide([Example.order()], [near, far]) { $0.add(before, of: kim) }
        let fit = try #require(outcome.offers.first?.fit)
        #expect(outcome.offers.first?.availability == far && fit.isTurn && Set(fit.chances) == [maya, kim])
        let credits = Dictionary(uniqueKeysWithValues: outcome.credits.map { ($0.person, $0.credit) })
        #expect(credits[kim]?.value == 2.5 && credits[maya]?.value == 0.5)
        let back = DeliveryTurns.givenBack(fit.chances, by: kim, credits, at: noon)
        #expect(back[kim]?.value == 3 && back[maya]?.value == 0 && back.count == 2)
        #expect(DeliveryTurns.givenBack([], by: kim, credits, at: noon) == [:], "there was no choice")
    }

    @Test func what_was_decided_and_not_offered_costs_no_turn() throws {
        let availability = Example.availability { $0.taken = 0 }
        let chances = [maya, kim]
        func offer(_ fit: DeliveryFit) -> ProposedOffer {
            ProposedOffer(order: Example.order(), availability: availability, fit: fit)
        }
        let before = [maya: Credit(value: -0.5, asOf: noon), kim: Credit(value: 0.5, asOf: noon)]
        let missed = offer(DeliveryFit(detour: 0, walk: 0, chances: chances))
        let after = DeliveryTurns.taken([missed], from: before, at: noon)
        #expect(after[maya]?.value == 0 && after[kim]?.value == 0 && after.count == 2)
        #expect(DeliveryTurns.taken([offer(Example.fit)], from: before, at: noon) == before, "there was no choice")
        #expect(DeliveryTurns.taken([], from: before, at: noon) == before)
    }

    @Test func credits_are_older_when_they_come_back() throws {
        let week = noon + 7 * 86_400
        let back = DeliveryTurns.givenBack([maya, kim], by: kim, [kim: Credit(value: -1, asOf: noon)], at: week)
        #expect(back[kim] == Credit(value: 0, asOf: week) && back[maya] == Credit(value: -0.5, asOf: week))
    }

    @Test func a_turn_that_came_back_during_a_round_is_kept() {
        let before = [maya: Credit(value: 1, asOf: noon), kim: Credit(value: 0, asOf: noon)]
        let changed = [maya: Credit(value: 1.5, asOf: noon), kim: Credit(value: -0.5, asOf: noon)]
        var stored = before
        #expect(DeliveryTurns.moved(changed, since: before, to: stored, at: noon) == changed)
        stored[maya] = Credit(value: 0.5, asOf: noon)
        let moved = DeliveryTurns.moved(changed, since: before, to: stored, at: noon)
        #expect(moved[maya]?.value == 1 && moved[kim]?.value == -0.5)
        let new = DeliveryTurns.moved(changed, since: [:], to: [kim: Credit(value: 1, asOf: noon)], at: noon)
        #expect(new[maya]?.value == 1.5 && new[kim]?.value == 0.5)
    }

    // MARK: One and one

    @Test func ways_between_others_make_no_difference_for_two() {
        var ways = way(unicafe.shown, exactum.shown, 1100)
        ways.learn(Hop(chemicum.id, physicum.id), KnownWay(metres: 5, isAlongStreets: true))
        #expect(ways.only(between: [unicafe.shown, exactum.shown, physicum.shown]).ways.count == 1)
        #expect(DeliveryRound.fit(Example.order(), Example.availability(), ways: ways, at: noon)?.walk == 846)
    }
}
