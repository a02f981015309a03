import PlainText
import WireProtocol

/// What is asked with an act on a delivery, in the order in which its form shows it.
struct MatchFields {
    /// What the form calls what a service is wrong about.
    static let names = [
        "spent.amount": "spent", "spent.currency": "spent", "amount.amount": "amount", "amount.currency": "amount",
    ]
    /// Where the catalogue has words of their own for it.
    static let topics = [
        "reason": "matchReason", "minutes": "matchMinutes", "spent": "matchSpent", "amount": "matchAmount",
        "code": "matchCode", "share": "matchShare",
    ]

    private(set) var all: [Field] = []

    init(
        _ act: MatchAct, on match: DeliveryMatch, _ form: SubmittedForm, _ topic: String, _ values: [String: String],
        in visit: Visit
    ) {
        let words = visit.words
        func add(_ name: String, _ value: String = "", inputmode: String? = nil, isOptional: Bool = false) {
            all.append(
                Field(name, words["\(topic).\(name)", values]).with {
                    $0.value = form[name].nonEmpty ?? value
                    $0.hint = words.find("\(topic).\(name)Hint", values)
                    ($0.inputmode, $0.optional, $0.autocomplete) = (inputmode, isOptional, "off")
                })
        }
        switch act {
        case .accept: add("minutes", "0", inputmode: "numeric")
        case .postpone: add("minutes", "10", inputmode: "numeric")
        case .pickUp: if !match.terms.isPrepaid { add("spent", inputmode: "decimal") }
        case .complete: if match.role == .deliverer { add("code", inputmode: "numeric", isOptional: true) }
        case .tip, .raiseLimit: add("amount", inputmode: "decimal")
        case .settle:
            add("share", inputmode: "numeric")
            add("reason")
        case .giveUp, .dispute, .explain: add("reason")
        case .decline, .cancel, .reportNoShow: add("reason", isOptional: true)
        case .undo: break
        }
    }
}

extension DeliveryMatch {
    /// What sentences about it may name.
    func values(in words: Words) -> [String: String] {
        [
            "name": other.name, "orderer": orderer.name, "deliverer": deliverer.name, "place": dropOff.name,
            "restaurant": restaurant.name, "limit": terms.limit.map { Price.text($0, in: words) } ?? "",
            "currency": terms.limit?.currency ?? terms.fee?.currency ?? "",
            "owed": owed.map { Price.text($0, in: words) } ?? words["matches.nothing"],
        ]
    }
}

extension MatchActDraft {
    /// What a form says with an act. What is no number is out of range, and said at its field.
    init(_ act: MatchAct, _ form: SubmittedForm, receipt: String?, currency: String) {
        func number(_ name: String) -> Int? { form[name].nonEmpty.map { Int($0) ?? -1 } }
        func money(_ name: String) -> Money? {
            form[name].nonEmpty.map { Money(amount: Price.amount($0, currency: currency) ?? -1, currency: currency) }
        }
        self.init(
            reason: form["reason"].nonEmpty, minutes: number("minutes"), receipt: receipt,
            expected: MatchExpectation(form))
        switch act {
        case .pickUp: spent = money("spent")
        case .tip, .raiseLimit: amount = money("amount")
        case .complete: code = form["code"].nonEmpty
        case .settle: share = number("share")
        default: break
        }
    }
}
