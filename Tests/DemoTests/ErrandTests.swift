import Foundation
import Testing
import WireProtocol

@testable import demo

private let now = Date(timeIntervalSince1970: 1_790_000_000)
private let here = Position(latitude: 60.17, longitude: 24.95)
private let there = Position(latitude: 60.172, longitude: 24.948)

private func match(_ role: MatchRole, _ state: MatchState, for seconds: TimeInterval = 0) -> DeliveryMatch {
    let terms = OrderTerms(limit: Money(amount: 1230, currency: "EUR"), paidBy: .cash)
    let people = ["Aino", "Mikko"].map { PersonSummary(id: .new(), name: $0) }
    let place = DeliveryPlace(name: "Here", position: here)
    return DeliveryMatch(
        id: .new(), order: .new(), state: state, orderer: people[0], deliverer: people[1], role: role,
        restaurant: place, items: "Soup", dropOff: DeliveryPlace(name: "There", position: there), destination: place,
        terms: terms, detour: 0, offeredAt: now - seconds, acceptedAt: now - seconds, pickedUpAt: now - seconds,
        changedAt: now - seconds)
}

private func next(_ match: DeliveryMatch) -> Errand? {
    var random = SystemRandomNumberGenerator()
    return Errand.next(in: match, now: now, using: &random)
}

@Suite struct ErrandTests {
    @Test func a_community_gets_the_quarter_that_it_has() {
        #expect(StudentQuarter.near(Position(latitude: 60.1709, longitude: 24.9440)) == .helsinki)
        #expect(StudentQuarter.near(Position(latitude: 1.35, longitude: 103.82)) == nil)
        let quarter = StudentQuarter.helsinki
        #expect(quarter.buildings.allSatisfy { $0.position.metres(to: quarter.middle) < 600 })
        #expect(quarter.menu.allSatisfy { (1...1000).contains($0.count) })
    }

    @Test func offers_are_answered_and_mostly_taken() {
        let answers = (0..<500).map { _ in next(match(.deliverer, .offered)) }
        #expect(Set(answers) == [.accept, .decline])
        #expect(answers.count { $0 == .accept } > 350)
    }

    @Test func food_takes_its_time_and_costs_no_more_than_is_allowed() throws {
        #expect(next(match(.deliverer, .accepted, for: Errand.queue - 1)) == nil)
        for _ in 0..<100 {
            guard case .pickUp(let spent?) = next(match(.deliverer, .accepted, for: Errand.queue)) else {
                Issue.record("it is not picked up")
                return
            }
            #expect((1...1230).contains(spent.amount) && spent.currency == "EUR" && spent.amount % 10 == 0)
        }
        var prepaid = match(.deliverer, .accepted, for: Errand.queue)
        prepaid.terms.limit = nil
        #expect(next(prepaid) == .pickUp(nil))
    }

    @Test func it_comes_nearer_until_it_is_there() {
        guard case .move(let half) = next(match(.deliverer, .pickedUp, for: Errand.walk / 2)) else {
            Issue.record("nobody sees where it is")
            return
        }
        #expect(abs(half.metres(to: here) - half.metres(to: there)) < 2)
        #expect(next(match(.deliverer, .pickedUp, for: Errand.walk)) == .complete)
    }

    @Test func who_has_not_said_that_it_is_there_says_so_and_nobody_does_twice() {
        #expect(next(match(.orderer, .delivered)) == .complete)
        #expect(next(match(.deliverer, .received)) == .complete)
        for (role, state) in [(MatchRole.deliverer, MatchState.delivered), (.orderer, .received), (.orderer, .offered)]
        {
            #expect(next(match(role, state)) == nil)
        }
        for state in MatchState.allCases where state.isOver {
            #expect(next(match(.orderer, state)) == nil && next(match(.deliverer, state)) == nil)
        }
    }

    @Test func drafts_are_what_matching_accepts() {
        var random = SystemRandomNumberGenerator()
        let building = StudentQuarter.helsinki.buildings[0]
        for _ in 0..<50 {
            let draft = OrderDraft.of("Soup", from: [.new(), .new()], to: building, currency: "EUR", using: &random)
            #expect(draft.from?.count == 2 && draft.dropOff?.name == building.name)
            #expect(draft.fee.map { (100...400).contains($0.amount) } == true)
            #expect(draft.limit.map { (800...1800).contains($0.amount) } == true)
        }
    }
}
