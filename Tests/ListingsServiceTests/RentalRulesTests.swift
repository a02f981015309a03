import FoundationEssentials
import PlainText
import Testing
import WireProtocol

@testable import ListingsService

@Suite("The table of agreements")
struct RentalRulesTests {
    /// When a condition holds for the example that begins in ten days, and when it does not.
    private static func moments(_ condition: RentalCondition) -> (holds: Date, not: Date?) {
        let (start, end) = (noon + 10 * 86400, noon + 14 * 86400)
        return switch condition {
        case .always, .inHand, .notAllSaid: (noon, nil)
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
        var one =
            rule.condition == .latelyOnceBegun
            ? agreement(rule.state, changedAt: noon + 10 * 86400) : agreement(rule.state)
        if rule.condition == .inHand { one.holds = true }
        return one
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

    /// What is in hand comes back also while the two are at odds: then it is completed and free, and settling completes nothing more.
    @Test func whatIsDisputedInHandIsGivenBackOnce() throws {
        let at = noon + 10 * 86400
        let disputed = try agreement(.handedOver).act(.dispute, Self.draft(.dispute), by: maya, as: .owner, at: at)
            .agreement
        let back = try disputed.act(.giveBack, Self.draft(.giveBack), by: tom, as: .renter, at: at + 60)
        #expect(back.told == .completed && back.by == tom && back.agreement.state == .disputed)
        #expect(!back.agreement.holds && back.agreement.share == disputed.share)
        #expect(back.agreement.changedAt == at && back.agreement.changedBy == maya, "the state began with the dispute")
        #expect(back.agreement.evidence.map(\.at) == [.dispute, .giveBack])
        for party in [RentalParty.owner, .renter] {
            #expect(back.agreement.possible(for: party, at: at + 60) == [.explain])
        }
        let settled = try back.agreement.act(.settle, Self.draft(.settle), by: lin, as: .moderator, at: at + 120)
        #expect(settled.told == .changed && settled.agreement.state == .settled)
        // What was back before it was disputed is not given back again.
        #expect(!agreement(.disputed).possible(for: .owner, at: at).contains(.giveBack))
    }

    @Test func eachOfTheTwoHasTheirSay() throws {
        var one = agreement(.disputed)
        #expect(throws: RentalError.invalid([FieldError("reason", "required", "Say why.")])) {
            try one.act(.explain, RentalActDraft(reason: " "), by: maya, as: .owner, at: noon)
        }
        let photo = String(repeating: "0c", count: 32)
        for number in 1...5 {
            let draft = RentalActDraft(reason: "Point \(number).", photos: [photo])
            one = try one.act(.explain, draft, by: maya, as: .owner, at: noon + Double(number)).agreement
        }
        #expect(one.evidence.map(\.note) == (1...5).map { "Point \($0)." })
        #expect(one.evidence.allSatisfy { $0.by == .owner && $0.at == .explain && $0.photos == [photo] })
        #expect(one.possible(for: .owner, at: noon).isEmpty && one.possible(for: .renter, at: noon) == [.explain])
        #expect(one.changedBy == tom && one.reason == nil)
    }

    @Test func whatIsSaidStaysWithWhoeverSaidIt() throws {
        let at = noon + 10 * 86400
        func saying(_ words: String?) -> RentalActDraft { RentalActDraft(reason: words, photos: []) }
        var one = try agreement().act(.accept, saying(" Ring twice "), by: maya, as: .owner, at: noon).agreement
        one = try one.act(.handOver, saying(nil), by: tom, as: .renter, at: at).agreement
        one = try one.act(.dispute, saying("It is wet."), by: tom, as: .renter, at: at).agreement
        let draft = RentalActDraft(reason: "Half.", share: 50)
        one = try one.act(.settle, draft, by: lin, as: .moderator, at: at).agreement
        #expect(one.reason == "Half.")
        #expect(one.evidence.map(\.at) == [.accept, .handOver, .dispute])
        #expect(one.evidence.map(\.note) == ["Ring twice", nil, "It is wet."])
        let silent = try agreement().act(.accept, saying(" "), by: maya, as: .owner, at: noon).agreement
        #expect(silent.evidence.isEmpty)
        // Pictures of what nothing is to be seen of are none.
        let pictures = RentalActDraft(photos: [String(repeating: "0c", count: 32)])
        #expect(try agreement().act(.decline, pictures, by: maya, as: .owner, at: noon).agreement.evidence.isEmpty)
        // Who leaves says nothing, least of all what was said before.
        let accepted = try agreement().act(.accept, saying("Ring"), by: maya, as: .owner, at: noon).agreement
        #expect(accepted.reason == "Ring" && accepted.callOff(by: maya, at: at)?.agreement.reason == nil)
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
