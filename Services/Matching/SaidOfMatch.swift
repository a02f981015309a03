import FoundationEssentials
import PlainText
import WireProtocol

/// What comes with an act, checked, as a whole.
struct SaidOfMatch: Hashable, Sendable {
    let reason: String?
    var minutes: Int?
    var spent: Money?
    var receipt: String?
    var amount: Money?
    var share: Int?

    /// - Throws: `invalid` with everything that is wrong.
    init(
        _ draft: MatchActDraft, doing act: MatchAct, to match: MatchAgreement, within limits: DeliveryLimits
    ) throws(DeliveryError) {
        var errors: [FieldError] = []
        reason = TextRule.lines(DeliveryRules.longestReason).read(
            draft.reason, at: "reason", &errors, required: act.needsReason ? "Say why." : nil)
        switch act {
        case .accept:
            minutes = draft.minutes
            errors += Self.errors(inMinutes: minutes ?? 0, from: 0)
        case .postpone:
            minutes = draft.minutes
            errors += minutes.map { Self.errors(inMinutes: $0, from: 1) } ?? [Self.missingMinutes]
        case .pickUp:
            (spent, receipt) = (draft.spent, draft.receipt)
            errors += match.errors(inSpent: spent) + FieldRules.errors(inPhoto: receipt, at: "receipt")
        case .complete:
            if draft.code != nil, match.wrongCodes >= DeliveryLimits.wrongCodes {
                errors.append(FieldError("code", "too_often", "Digits were wrong too often. Complete it without them."))
            } else if let code = draft.code, code != match.code {
                throw .wrongCode
            }
        case .tip:
            amount = draft.amount
            errors += Self.errors(inAmount: amount, from: 1, to: limits.highestFee, limits.currency)
        case .raiseLimit:
            amount = draft.amount
            let least = (match.terms.limit?.amount ?? 0) + 1
            errors += Self.errors(inAmount: amount, from: least, to: limits.highestLimit, limits.currency)
        case .settle:
            share = draft.share
            errors += Self.errors(inShare: share)
        case .decline, .cancel, .giveUp, .undo, .reportNoShow, .dispute, .explain: break
        }
        guard errors.isEmpty else { throw .invalid(errors) }
    }

    private static let missingMinutes = FieldError("minutes", "required", "Say in how many minutes it is there.")

    private static func errors(inMinutes minutes: Int, from least: Int) -> [FieldError] {
        guard !(least...DeliveryLimits.longestMinutes).contains(minutes) else { return [] }
        return [FieldError("minutes", "out_of_range", "Within 3 hours.")]
    }

    private static func errors(
        inAmount amount: Money?, from least: Int, to most: Int, _ currency: String
    ) -> [FieldError] {
        guard let amount else { return [FieldError("amount", "required", "Say how much.")] }
        return DeliveryRules.errors(in: amount, at: "amount", from: least, to: most, currency)
    }

    private static func errors(inShare share: Int?) -> [FieldError] {
        guard let share else { return [FieldError("share", "required", "Say which share is owed.")] }
        return (0...100).contains(share) ? [] : [FieldError("share", "out_of_range", "Between 0 and 100.")]
    }
}

extension MatchAct {
    fileprivate var needsReason: Bool {
        switch self {
        case .giveUp, .dispute, .explain, .settle: true
        default: false
        }
    }
}

extension MatchAgreement {
    /// Of what was paid at the restaurant: nothing where it was paid for before, and never more than was agreed.
    fileprivate func errors(inSpent spent: Money?) -> [FieldError] {
        guard let limit = terms.limit else {
            return spent == nil ? [] : [FieldError("spent", "not_allowed", "It is paid for already.")]
        }
        guard let spent else { return [FieldError("spent", "required", "Say how much you have paid.")] }
        if spent.amount > limit.amount, spent.currency == limit.currency {
            let most = DeliveryRules.text(of: limit.amount, limit.currency)
            return [FieldError("spent.amount", "above_limit", "At most \(most). Ask them to raise it.")]
        }
        return DeliveryRules.errors(in: spent, at: "spent", to: limit.amount, limit.currency)
    }

    /// What is otherwise by now than somebody was shown: each with what it is now as its code.
    func changes(since expected: MatchExpectation) -> [FieldError] {
        var changes: [FieldError] = []
        func note<Value: Equatable>(_ field: String, _ shown: Value?, _ now: Value, _ text: String) {
            guard let shown, shown != now else { return }
            changes.append(FieldError("expected.\(field)", text, "This has changed."))
        }
        let (fee, limit) = (terms.fee?.amount ?? 0, terms.limit?.amount ?? 0)
        note("state", expected.state, state, state.rawValue)
        note("fee", expected.fee, fee, String(fee))
        note("limit", expected.limit, limit, String(limit))
        return changes
    }
}
