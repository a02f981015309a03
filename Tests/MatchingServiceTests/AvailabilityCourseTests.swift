import FoundationEssentials
import Testing
import WireProtocol

@testable import MatchingService

@Suite("The table of availabilities")
struct AvailabilityCourseTests {
    private static let until = Example.availability().until

    /// When a condition holds for the example, and when it does not: a second apart.
    private static func moments(_ condition: AvailabilityCondition) -> (holds: Date, not: Date?) {
        switch condition {
        case .always, .notAnswering: (noon, nil)
        case .beforeItEnds: (until - 1, until)
        case .afterItEnds: (until, until - 1)
        }
    }

    private static func example(_ rule: AvailabilityRule) -> OfferedAvailability {
        Example.availability(rule.state) { if rule.condition == .notAnswering { $0.unanswered = 3 } }
    }

    @Test(arguments: AvailabilityRule.table.filter { $0.act != nil })
    func what_stands_in_it_is_done(_ rule: AvailabilityRule) throws {
        let act = try #require(rule.act)
        let (holds, not) = Self.moments(rule.condition)
        let availability = Self.example(rule)
        let decision = try availability.act(act, at: holds)
        #expect(decision.availability.state == rule.next && decision.told == rule.told)
        #expect(decision.availability.changedAt == (rule.next == rule.state ? noon : holds))
        #expect(availability.possible(at: holds).contains(act))
        if let not {
            #expect(!availability.possible(at: not).contains(act))
            #expect(throws: DeliveryError.notOffering([.end])) { try availability.act(act, at: not) }
        }
    }

    @Test(arguments: AvailabilityRule.table.filter { $0.who == .time })
    func time_does_its_part(_ rule: AvailabilityRule) throws {
        let (holds, not) = Self.moments(rule.condition)
        let availability = Self.example(rule)
        let decision = try #require(availability.pass(at: holds))
        #expect(decision.availability.state == rule.next && decision.told == rule.told)
        if let not {
            #expect(availability.pass(at: not) == nil)
            #expect(availability.dueAt == holds)
        }
    }

    @Test(arguments: AvailabilityState.allCases)
    func whoever_may_not_take_part_offers_nothing(_ state: AvailabilityState) {
        let decision = Example.availability(state).callOff(at: noon)
        let rule = AvailabilityRule.table.first { $0.state == state && $0.who == .community }
        #expect(decision?.availability.state == rule?.next && decision?.told == rule?.told)
    }

    @Test func what_does_not_stand_in_it_is_refused() {
        for state in AvailabilityState.allCases {
            for act in AvailabilityAct.allCases
            where !AvailabilityRule.table.contains(where: { $0.state == state && $0.act == act }) {
                #expect(throws: DeliveryError.notOffering([])) { try Example.availability(state).act(act, at: noon) }
            }
        }
        #expect(
            Example.availability(.ended).dueAt == nil && Example.availability(.ended).pass(at: .distantFuture) == nil)
    }

    @Test func the_readme_says_the_same() throws {
        let said = try Readme.rows(under: "An availability", cells: 6).filter {
            AvailabilityState(rawValue: $0[0]) != nil
        }
        let real = AvailabilityRule.table.map {
            [
                $0.state.rawValue, $0.who.rawValue, $0.act?.rawValue ?? "", "\($0.condition)", $0.next.rawValue,
                $0.told?.rawValue ?? "",
            ]
        }
        #expect(said == real)
    }

    // MARK: Three in a row

    private func expired() -> MatchDecision { MatchDecision(match: Example.match(.expired), told: .expired) }

    @Test func three_offers_in_a_row_that_are_not_answered_pause_it() throws {
        var availability = Example.availability()
        for count in 1...2 {
            let decision = try #require(availability.follow(expired(), at: noon))
            #expect(decision.availability.unanswered == count && decision.told == nil)
            availability = decision.availability
            #expect(availability.state == .available)
        }
        let paused = try #require(availability.follow(expired(), at: noon))
        #expect(paused.availability.state == .paused && paused.told == .paused)
        #expect(paused.availability.follow(expired(), at: noon) == nil, "one that was open besides")
    }

    @Test(arguments: [MatchUpdate.Change.accepted, .declined])
    func who_answers_is_there(_ told: MatchUpdate.Change) throws {
        let answer = MatchDecision(match: Example.match(), told: told)
        let silent = Example.availability { $0.unanswered = 2 }
        let decision = try #require(silent.follow(answer, at: noon))
        #expect(decision.availability.unanswered == 0 && decision.told == nil)
        #expect(Example.availability().follow(answer, at: noon) == nil, "nothing becomes of it")
        let paused = Example.availability(.paused) { $0.unanswered = 3 }
        let resumed = try #require(paused.follow(answer, at: after(minutes: 5)))
        #expect(resumed.availability.state == .available && resumed.availability.unanswered == 0)
        #expect(resumed.told == .changed && resumed.availability.pass(at: after(minutes: 5)) == nil)
        #expect(paused.follow(answer, at: Self.until) == nil)
        #expect(Example.availability(.ended).follow(answer, at: noon) == nil)
    }

    @Test func what_else_becomes_of_a_match_says_nothing() {
        for told in MatchUpdate.Change.allCases where ![.accepted, .declined, .expired].contains(told) {
            let decision = MatchDecision(match: Example.match(), told: told)
            #expect(Example.availability { $0.unanswered = 2 }.follow(decision, at: noon) == nil)
        }
    }

    // MARK: Its end

    @Test func its_deliverer_is_told_five_minutes_before_it_ends() {
        let availability = Example.availability()
        #expect(availability.remindAt(after: noon) == Self.until - 300)
        #expect(availability.remindAt(after: Self.until - 301) == Self.until - 300)
        #expect(availability.remindAt(after: Self.until - 300) == nil)
        #expect(Example.availability(.paused).remindAt(after: noon) == nil)
        #expect(Example.availability(.ended).remindAt(after: noon) == nil)
    }

    @Test func who_is_there_may_be_asked() {
        #expect(Example.availability().isThere(at: Self.until - 1) && !Example.availability().isThere(at: Self.until))
        #expect(!Example.availability(.paused).isThere(at: noon) && !Example.availability(.ended).isThere(at: noon))
        #expect(Example.availability { $0.taken = 1 }.isShown(at: noon))
        #expect(!Example.availability { $0.taken = 2 }.isShown(at: noon))
        #expect(!Example.availability { $0.isListed = false }.isShown(at: noon))
    }
}
