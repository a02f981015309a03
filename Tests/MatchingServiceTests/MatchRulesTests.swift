import FoundationEssentials
import Testing
import WireProtocol

@testable import MatchingService

@Suite("The table of matches")
struct MatchRulesTests {
    /// When a condition holds for the example, and when it does not: a second apart.
    private static func moments(_ rule: MatchRule) -> (holds: Date, not: Date?) {
        switch rule.condition {
        case .always, .isBought, .withCode, .withoutCode, .notAllSaid: (noon, nil)
        case .beforeItExpires: (after(minutes: 1) - 1, after(minutes: 1))
        case .afterItExpires: (after(minutes: 1), after(minutes: 1) - 1)
        case .justNow: (noon + 119, noon + 120)
        case .longAtTheDoor where rule.state == .delivered: (noon + 600, noon + 599)
        case .longAtTheDoor: (after(minutes: 30), after(minutes: 30) - 1)
        case .longLate: (after(minutes: 50), after(minutes: 50) - 1)
        case .notPickedUp: (noon + 3 * 3600, noon + 3 * 3600 - 1)
        case .notHeardOf, .notDenied: (noon + 12 * 3600, noon + 12 * 3600 - 1)
        case .lately, .latelyOncePickedUp: (noon + 3 * 86_400 - 1, noon + 3 * 86_400)
        case .notTipped: (noon + 86_399, noon + 86_400)
        }
    }

    private static func draft(_ act: MatchAct, _ condition: MatchCondition? = nil) -> MatchActDraft {
        MatchActDraft(
            reason: "So it was.", minutes: 40, spent: euros(1000), code: condition == .withCode ? "0472" : nil,
            amount: euros(1500), share: 50)
    }

    private static func person(_ party: MatchParty) -> PersonID {
        party == .deliverer ? maya : party == .orderer ? tom : lin
    }

    private static func act(
        _ act: MatchAct, _ draft: MatchActDraft, on match: MatchAgreement, as party: MatchParty, at now: Date
    ) throws(DeliveryError) -> MatchDecision {
        try match.act(act, draft, by: person(party), as: party, at: now, within: limits)
    }

    @Test(arguments: MatchRule.table.filter { $0.act != nil })
    func what_stands_in_it_is_done(_ rule: MatchRule) throws {
        let act = try #require(rule.act)
        let (holds, not) = Self.moments(rule)
        let (match, draft) = (Example.match(rule.state), Self.draft(act, rule.condition))
        let decision = try Self.act(act, draft, on: match, as: rule.who, at: holds)
        #expect(decision.match.state == rule.next && decision.told == rule.told)
        #expect(decision.by == Self.person(rule.who))
        #expect(decision.match.changedAt == (rule.next == rule.state ? noon : holds))
        #expect(decision.match.changedBy == (rule.next == rule.state ? nil : decision.by))
        #expect(match.possible(for: rule.who, at: holds).contains(act))
        let isEncounter = rule.told == .completed || rule.told == .settled
        #expect(decision.isCompleted == isEncounter && decision.match.isShared == false)
        if let not {
            let over = Result { () throws(DeliveryError) in try Self.act(act, draft, on: match, as: rule.who, at: not) }
            let isOffer = rule.state == .offered
            #expect(
                over == .failure(isOffer ? .offerGone(.expired) : .wrongState(match.possible(for: rule.who, at: not))))
            #expect(!match.possible(for: rule.who, at: not).contains(act))
        }
    }

    @Test(arguments: MatchRule.table.filter { $0.who == .time })
    func time_does_its_part(_ rule: MatchRule) throws {
        let (holds, not) = Self.moments(rule)
        let match = Example.match(rule.state)
        let decision = try #require(match.pass(at: holds))
        #expect(decision.match.state == rule.next && decision.told == rule.told)
        #expect(decision.by == nil && decision.match.changedBy == nil && decision.turnsBack == [])
        #expect(decision.isCompleted == (rule.next == .completed))
        #expect(match.dueAt == holds)
        if let not { #expect(match.pass(at: not) == nil) }
    }

    @Test(arguments: MatchRule.table.filter { [.order, .availability, .apart, .community].contains($0.who) })
    func others_end_it(_ rule: MatchRule) throws {
        let decision = try #require(Self.follow(rule.who, Example.match(rule.state)))
        #expect(decision.match.state == rule.next && decision.told == rule.told)
        #expect(decision.match.changedBy == decision.by && decision.match.reason == nil)
        #expect(decision.by == [.order: tom, .availability: maya, .community: maya][rule.who])
        #expect(decision.match.comesBack == (rule.who != .order))
    }

    private static func follow(_ party: MatchParty, _ match: MatchAgreement) -> MatchDecision? {
        switch party {
        case .order: match.takenBack(at: noon)
        case .availability: match.gone(by: maya, at: noon)
        case .apart: match.separate(at: noon)
        case .community: match.callOff(by: maya, at: noon)
        case .orderer, .deliverer, .moderator, .time: nil
        }
    }

    /// Every state, everybody, every act: what no line allows is refused, and names what is allowed.
    @Test func what_does_not_stand_in_it_is_refused() {
        for state in MatchState.allCases {
            let match = Example.match(state)
            for who in [MatchParty.orderer, .deliverer, .moderator] {
                for act in MatchAct.allCases where !Self.stands(state, who, act) && !Self.isAnswer(act, who) {
                    #expect(throws: DeliveryError.wrongState(match.possible(for: who, at: noon))) {
                        try Self.act(act, Self.draft(act), on: match, as: who, at: noon)
                    }
                }
            }
            for who in [MatchParty.order, .availability, .apart, .community] where !Self.stands(state, who, nil) {
                #expect(Self.follow(who, match) == nil)
            }
            if !Self.stands(state, .time, nil) { #expect(match.pass(at: .distantFuture) == nil && match.dueAt == nil) }
        }
    }

    private static func stands(_ state: MatchState, _ who: MatchParty, _ act: MatchAct?) -> Bool {
        MatchRule.table.contains { $0.state == state && $0.who == who && $0.act == act }
    }

    private static func isAnswer(_ act: MatchAct, _ who: MatchParty) -> Bool {
        who == .deliverer && (act == .accept || act == .decline)
    }

    /// What was an offer says why it is none any more.
    @Test(arguments: [MatchAct.accept, .decline])
    func who_answers_too_late_is_told_why(_ act: MatchAct) {
        func answer(_ match: MatchAgreement) -> DeliveryError? {
            do throws(DeliveryError) {
                _ = try Self.act(act, Self.draft(act), on: match, as: .deliverer, at: noon)
                return nil
            } catch {
                return error
            }
        }
        #expect(answer(Example.match(.expired)) == .offerGone(.expired))
        #expect(answer(Example.match(.declined)) == .offerGone(.declined))
        #expect(answer(Example.match(.withdrawn)) == .offerGone(.ended))
        #expect(answer(Example.match(.withdrawn) { $0.changedBy = tom }) == .offerGone(.takenBack))
        for state in MatchState.allCases.dropFirst(4) {
            let match = Example.match(state)
            let isAgain = act == .accept && state == .accepted
            #expect(answer(match) == (isAgain ? nil : .wrongState(match.possible(for: .deliverer, at: noon))))
        }
    }

    @Test func who_accepts_twice_has_accepted_once() throws {
        let match = Example.match(.accepted)
        let again = try Self.act(.accept, MatchActDraft(), on: match, as: .deliverer, at: after(minutes: 2))
        #expect(again == MatchDecision(match: match, by: maya))
        #expect(throws: DeliveryError.wrongState([.cancel, .raiseLimit])) {
            try Self.act(.accept, MatchActDraft(), on: match, as: .orderer, at: noon)
        }
    }

    @Test func the_readme_says_the_same() throws {
        let said = try Readme.rows(under: "A match", cells: 6).filter { MatchState(rawValue: $0[0]) != nil }
        let real = MatchRule.table.map {
            [
                $0.state.rawValue, $0.who.rawValue, $0.act?.rawValue ?? "", "\($0.condition)", $0.next.rawValue,
                $0.told.rawValue,
            ]
        }
        #expect(said == real)
    }

    @Test func what_is_possible_is_said_once_and_in_order() {
        #expect(
            Example.match(.pickedUp).possible(for: .deliverer, at: noon)
                == [.giveUp, .complete, .postpone, .dispute].sorted())
        #expect(Example.match().possible(for: .deliverer, at: noon) == [.accept, .decline])
        #expect(Example.match(.accepted).possible(for: .orderer, at: noon) == [.cancel, .raiseLimit])
        #expect(Example.match(.accepted) { $0.terms.isPrepaid = true }.possible(for: .orderer, at: noon) == [.cancel])
        #expect(Example.match(.disputed).possible(for: .moderator, at: noon) == [.settle])
        #expect(Example.match(.disputed).possible(for: nil, at: noon) == [])
    }

    @Test func who_is_one_of_the_two_is_no_moderator() {
        #expect(MatchParty(.orderer, isModerator: true) == .orderer)
        #expect(MatchParty(.deliverer, isModerator: true) == .deliverer)
        #expect(MatchParty(nil, isModerator: true) == .moderator && MatchParty(nil, isModerator: false) == nil)
    }
}

extension [MatchAct] {
    /// In the order of the contract.
    fileprivate func sorted() -> [MatchAct] { MatchAct.allCases.filter(contains) }
}
