import WireProtocol

extension MatchAct {
    /// In which order the buttons stand: what goes on first, what ends it last.
    var order: Int {
        [
            .accept, .complete, .pickUp, .tip, .undo, .raiseLimit, .explain, .settle, .postpone, .decline,
            .reportNoShow, .dispute, .giveUp, .cancel,
        ].firstIndex(of: self) ?? 14
    }

    /// Whether it is what comes next; the others stand below it.
    var isNext: Bool {
        switch self {
        case .accept, .decline, .pickUp, .complete, .undo, .tip, .explain, .settle: true
        case .cancel, .giveUp, .postpone, .reportNoShow, .dispute, .raiseLimit: false
        }
    }

    /// Whether it is done by its button alone, and nothing is asked.
    func isDirect(for role: MatchRole?) -> Bool {
        switch self {
        case .accept, .decline, .undo: true
        // Who brings it may say the orderer's digits.
        case .complete: role == .orderer
        default: false
        }
    }

    var icon: String {
        switch self {
        case .accept, .complete: "check"
        case .decline, .cancel: "close"
        case .pickUp: "restaurant"
        case .giveUp: "out"
        case .postpone: "clock"
        case .undo: "undo"
        case .reportNoShow: "gone"
        case .dispute: "flag"
        case .explain: "messages"
        case .settle: "checks"
        case .tip: "star"
        case .raiseLimit: "plus"
        }
    }

    var tone: String {
        switch self {
        case .accept, .pickUp, .complete, .settle: ""
        case .decline, .postpone, .undo, .dispute, .explain, .tip, .raiseLimit: "quiet"
        case .cancel, .giveUp, .reportNoShow: "danger"
        }
    }
}

/// What was shown to who acts, as forms carry it: where it is otherwise by then, nothing is done (`matches/seen`).
struct MatchSeen {
    var state: String
    /// In minor units.
    var fee: String
    var limit: String

    init(_ match: DeliveryMatch) {
        state = match.state.rawValue
        fee = String(match.terms.fee?.amount ?? 0)
        limit = String(match.terms.limit?.amount ?? 0)
    }
}

extension MatchExpectation {
    /// What the page that sent the form had shown.
    init(_ form: SubmittedForm) {
        self.init(state: MatchState(rawValue: form["expected"]), fee: Int(form["fee"]), limit: Int(form["limit"]))
    }
}

/// A button by which something is done to a delivery: a form of its own, or the way to a page that asks first (`matches/button`).
struct MatchButton {
    var href: String
    var text: String
    var icon: String
    var tone: String
    var isDirect: Bool
    /// Whether scripts show it as a dialog; what takes a picture is a page.
    var asks: Bool
    var key: String
    var seen: MatchSeen

    init(_ act: MatchAct, on match: DeliveryMatch, in words: Words) {
        href = "\(match.path)/\(act.path)"
        text = words["\(match.topic(of: act)).open", ["name": match.other.name]]
        (icon, tone, isDirect) = (act.icon, act.tone, act.isDirect(for: match.role))
        asks = !(act == .pickUp && !match.terms.isPrepaid)
        key = Visit.newKey()
        seen = MatchSeen(match)
    }

    /// - Parameter areNext: what comes next, or what else there is. An offer is answered in its own part of the page.
    static func all(of match: DeliveryMatch, areNext: Bool, in words: Words) -> [MatchButton] {
        match.possible.filter { $0.isNext == areNext && $0 != .accept && $0 != .decline }
            .sorted { $0.order < $1.order }.map { MatchButton($0, on: match, in: words) }
    }
}

extension DeliveryMatch {
    /// Where the words about an act are: two of them mean something else to the one and to the other.
    func topic(of act: MatchAct) -> String {
        let isOfTwo = act == .complete || act == .reportNoShow
        return "matches.act.\(act.rawValue)" + (isOfTwo ? ".\(role?.rawValue ?? MatchRole.orderer.rawValue)" : "")
    }
}
