import Testing
import WireProtocol

@testable import ListingsService

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("The table of agreements")
struct RentalRulesTests {
    /// When a condition holds for the example that begins in ten days, and when it does not.
    private static func moments(_ condition: RentalCondition) -> (holds: Date, not: Date?) {
        let (start, end) = (noon + 10 * 86400, noon + 14 * 86400)
        return switch condition {
        case .always: (noon, nil)
        case .beforeAnswerIsDue: (noon + 86399, noon + 86400)
        case .afterAnswerIsDue: (noon + 86400, noon + 86399)
        case .beforeItEnds: (end - 1, end)
        case .aroundTheBeginning: (start - 86400, start - 86401)
        case .longAfterTheBeginning: (start + 43200, start + 43199)
        case .lately, .notShownYet: (noon + 3 * 86400 - 1, noon + 3 * 86400)
        case .latelyOnceBegun: (start + 3 * 86400 - 1, start + 3 * 86400)
        case .longOver: (end + 86400, end + 86399)
        case .forgotten: (end + 7 * 86400, end + 7 * 86400 - 1)
        }
    }

    /// What had begun ended as it began.
    private static func example(_ rule: RentalRule) -> Agreement {
        rule.condition == .latelyOnceBegun
            ? agreement(rule.state, changedAt: noon + 10 * 86400) : agreement(rule.state)
    }

    private static func draft(_ act: RentalAct) -> RentalActDraft {
        RentalActDraft(reason: "So it was.", share: act == .settle ? 50 : nil)
    }

    @Test(arguments: RentalRule.table.filter { $0.act != nil })
    func whatStandsInItIsDone(_ rule: RentalRule) throws {
        let act = try #require(rule.act)
        let (holds, not) = Self.moments(rule.condition)
        let decision = try Self.example(rule).act(act, Self.draft(act), by: maya, as: rule.who, at: holds)
        #expect(decision.agreement.state == rule.next)
        #expect(decision.told == rule.told)
        if let not {
            #expect(throws: RentalError.self) {
                try Self.example(rule).act(act, Self.draft(act), by: maya, as: rule.who, at: not)
            }
        }
    }

    @Test(arguments: RentalRule.table.filter { $0.who == .time })
    func timeDoesItsPart(_ rule: RentalRule) throws {
        let (holds, not) = Self.moments(rule.condition)
        let decision = try #require(agreement(rule.state).pass(at: holds))
        #expect(decision.agreement.state == rule.next)
        #expect(decision.agreement.changedBy == nil)
        #expect(decision.told == rule.told)
        #expect(agreement(rule.state).dueAt == holds)
        if let not { #expect(agreement(rule.state).pass(at: not) == nil) }
    }

    /// Every state, everybody, every act: what no line allows is refused, and names what is allowed.
    @Test func whatDoesNotStandInItIsRefused() throws {
        for state in RentalState.allCases {
            for who in RentalParty.allCases where who != .time {
                for act in RentalAct.allCases {
                    guard !RentalRule.table.contains(where: { $0.state == state && $0.who == who && $0.act == act })
                    else { continue }
                    let one = agreement(state)
                    #expect(throws: RentalError.wrongState(one.possible(for: who, at: noon))) {
                        try one.act(act, Self.draft(act), by: maya, as: who, at: noon)
                    }
                }
            }
        }
    }

    @Test func theReadmeSaysTheSame() throws {
        let readme = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Services/Listings/Rentals/README.md")
        let text = String(decoding: try Data(contentsOf: readme), as: UTF8.self)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map {
            $0.split(separator: "|").map { $0.trimmed }
        }
        let said = rows.filter { $0.count == 6 && RentalState(rawValue: $0[0]) != nil }
        let real = RentalRule.table.map {
            [
                $0.state.rawValue, $0.who.rawValue, $0.act?.rawValue ?? "", "\($0.condition)", $0.next.rawValue,
                "\($0.told)",
            ]
        }
        #expect(said == real)
    }

    /// What was accepted when it had begun long ago: nobody can have come before that.
    @Test func whoWasAcceptedLateHasTimeToCome() throws {
        let start = noon + 10 * 86400
        var late = agreement(.accepted)
        late.acceptedAt = start + 6 * 3600
        #expect(!late.possible(for: .owner, at: start + 17 * 3600).contains(.reportNoShow))
        #expect(late.possible(for: .owner, at: start + 18 * 3600).contains(.reportNoShow))
        #expect(late.possible(for: .renter, at: start + 18 * 3600).contains(.reportNoShow))
    }

    /// The two may review each other then, whoever opened the dispute and when.
    @Test func whatWasHandedOverIsCompletedAlsoBySettling() throws {
        let at = noon + 10 * 86400
        let inHand = try agreement(.accepted).act(.handOver, Self.draft(.handOver), by: maya, as: .owner, at: at)
        let disputed = try inHand.agreement.act(.dispute, Self.draft(.dispute), by: tom, as: .renter, at: at)
        let settled = try disputed.agreement.act(.settle, Self.draft(.settle), by: lin, as: .moderator, at: at)
        #expect(settled.agreement.state == .settled && settled.told == .completed)

        // What was given back was completed then, and is so once.
        let back = try inHand.agreement.act(.giveBack, Self.draft(.giveBack), by: tom, as: .renter, at: at)
        let late = try back.agreement.act(.dispute, Self.draft(.dispute), by: maya, as: .owner, at: at)
        let ended = try late.agreement.act(.settle, Self.draft(.settle), by: lin, as: .moderator, at: at)
        #expect(back.told == .completed && ended.told == .changed)
    }

    @Test func aSecondLookAtTheStateIsEachPersonsOwn() throws {
        let at = noon + 10 * 86400
        let first = try agreement(.accepted).act(.handOver, Self.draft(.handOver), by: maya, as: .owner, at: at)
            .agreement
        #expect(!first.possible(for: .owner, at: at).contains(.handOver))
        #expect(first.possible(for: .renter, at: at) == [.handOver, .giveBack, .dispute])
        let second = try first.act(.handOver, Self.draft(.handOver), by: tom, as: .renter, at: at).agreement
        #expect(second.evidence.map(\.by) == [.owner, .renter])
        #expect(!second.possible(for: .renter, at: at).contains(.handOver))
    }

    @Test func whatHoldsIsFreedWhenItIsOver() throws {
        let at = noon + 10 * 86400
        let given = try agreement(.handedOver).act(.giveBack, Self.draft(.giveBack), by: tom, as: .renter, at: at)
            .agreement
        #expect(given.holds == false)
        let late = try given.act(.dispute, Self.draft(.dispute), by: maya, as: .owner, at: at).agreement
        #expect(late.holds == false)
        let disputed = try agreement(.handedOver).act(.dispute, Self.draft(.dispute), by: maya, as: .owner, at: at)
            .agreement
        #expect(disputed.holds)
        let accepted = try agreement().act(.accept, Self.draft(.accept), by: maya, as: .owner, at: noon).agreement
        #expect(accepted.holds)
    }

    @Test(arguments: [RentalState.cancelled, .lapsed])
    func onlyWhatWasAgreedAndHadBegunIsDisputedAfterItsEnd(_ state: RentalState) throws {
        let start = noon + 10 * 86400
        let begun = agreement(state, changedAt: start)
        #expect(begun.possible(for: .renter, at: start) == [.dispute])
        #expect(begun.possible(for: .owner, at: start) == [.dispute])
        #expect(begun.possible(for: .moderator, at: start).isEmpty)
        #expect(begun.talkUntil == start + 3 * 86400)
        let disputed = try begun.act(.dispute, Self.draft(.dispute), by: maya, as: .owner, at: start).agreement
        #expect(!disputed.holds && disputed.share == begun.share, "somebody else may have it by now")
        let before = agreement(state, changedAt: start - 1)
        #expect(before.possible(for: .owner, at: start).isEmpty && before.talkUntil == nil)
        var never = agreement(state, changedAt: start)
        never.acceptedAt = nil
        #expect(never.possible(for: .owner, at: start).isEmpty && never.talkUntil == nil)
    }

    @Test(
        arguments: [
            (.flexible, .day, 86400, 0), (.flexible, .day, 86399, 50), (.flexible, .day, -1, 50),
            (.flexible, .hour, 3600, 0), (.flexible, .hour, 3599, 50),
            (.moderate, .day, 432_000, 0), (.moderate, .day, 431_999, 50), (.moderate, .day, 86399, 100),
            (.moderate, .hour, 86400, 0), (.moderate, .hour, 86399, 50), (.moderate, .hour, 7199, 100),
            (.strict, .day, 1_209_600, 0), (.strict, .day, 1_209_599, 50), (.strict, .day, 604_799, 100),
            (.strict, .hour, 172_800, 0), (.strict, .hour, 172_799, 50), (.strict, .hour, 86399, 100),
        ] as [(CancellationPolicy, RentalUnit, Double, Int)])
    func whoCancelsOwesByThePolicy(policy: CancellationPolicy, unit: RentalUnit, notice: Double, share: Int) throws {
        let one = agreement(.accepted, unit: unit, policy: policy)
        let at = one.period.startsAt - notice
        let byRenter = try one.act(.cancel, Self.draft(.cancel), by: tom, as: .renter, at: at).agreement
        #expect(byRenter.share == share)
        #expect(byRenter.owed?.amount == 22000 * share / 100)
        #expect(try one.act(.cancel, Self.draft(.cancel), by: maya, as: .owner, at: at).agreement.share == 0)
    }

    @Test func whoDoesNotComeOwes() throws {
        let at = noon + 10 * 86400 + 43200
        #expect(
            try agreement(.accepted).act(.reportNoShow, Self.draft(.reportNoShow), by: maya, as: .owner, at: at)
                .agreement.share == 100
        )
        #expect(
            try agreement(.accepted).act(.reportNoShow, Self.draft(.reportNoShow), by: tom, as: .renter, at: at)
                .agreement.share == 0)
        let settled = try agreement(.disputed).act(.settle, Self.draft(.settle), by: lin, as: .moderator, at: at)
            .agreement
        #expect(settled.owed == Money(amount: 11000, currency: "SGD"))
    }

    @Test func aDisputeNeedsAReasonAndASettlementAShare() {
        #expect(throws: RentalError.self) {
            try agreement(.handedOver).act(.dispute, RentalActDraft(), by: tom, as: .renter, at: noon)
        }
        for share in [nil, -1, 101] as [Int?] {
            #expect(throws: RentalError.self) {
                try agreement(.disputed).act(
                    .settle, RentalActDraft(reason: "Half", share: share), by: lin, as: .moderator, at: noon)
            }
        }
    }
}
