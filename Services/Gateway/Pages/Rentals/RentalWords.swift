import FoundationEssentials
import WireProtocol

/// A sentence with a moment in it, which scripts say in the viewer's own time: `Maya is asked; you hear by` … `.`
struct TimedSentence {
    var before: String
    var moment: Moment?
    var after: String

    init(_ key: String, _ values: [String: String], _ date: Date, in visit: Visit) {
        let mark = "\u{1}"
        let parts = visit.words[key, values.merging(["time": mark]) { $1 }].split(
            separator: mark, omittingEmptySubsequences: false)
        before = String(parts[0])
        after = parts.count > 1 ? String(parts[1]) : ""
        moment = parts.count > 1 ? visit.moment(date, .due) : nil
    }
}

extension Rental {
    /// The other one of the two; for moderators the renter.
    var other: PersonSummary { role == .renter ? owner : renter }

    /// Whether the two may know each other's telephone number.
    var isRunning: Bool { [.accepted, .handedOver, .disputed].contains(state) }

    var stateTone: String {
        switch state {
        case .requested: "warm"
        case .accepted, .handedOver, .returned: ""
        case .declined, .lapsed, .cancelled, .settled: "plain"
        case .noShow, .disputed: "full"
        }
    }

    func stateText(in words: Words) -> String { words["rentals.state.\(state.rawValue)"] }

    func period(in words: Words) -> String { CivilText.period(from, until, in: words) }

    func units(in words: Words) -> String { terms.unit.text(of: units, in: words) }

    func price(_ money: Money?, in words: Words) -> String {
        money.map { Price.text($0, in: words) } ?? words["rentals.nothing"]
    }

    /// How it stands, for who looks, and what comes next and by whom.
    func said(in visit: Visit) -> TimedSentence {
        let (key, date) = sentence(at: visit.now, by: visit.context.caller.person)
        let values = ["name": other.name, "owner": owner.name, "renter": renter.name]
        return TimedSentence("rentals.says.\(key)", values, date, in: visit)
    }

    private func sentence(at now: Date, by person: PersonID?) -> (String, Date) {
        let who = role?.rawValue ?? "moderator"
        switch state {
        case .requested: return ("requested.\(who)", answerBy ?? startsAt)
        case .accepted: return ("\(now < startsAt ? "accepted" : "begun").\(who)", startsAt)
        case .handedOver: return ("\(now < endsAt ? "handedOver" : "overdue").\(who)", endsAt)
        case .returned: return ("returned.\(who)", changedAt)
        // By nobody where somebody else has it then; and by nobody any more where its owner has gone.
        case .declined: return ("\(changedBy == nil && owner.id != .nobody ? "taken" : "declined").\(who)", changedAt)
        case .lapsed: return (acceptedAt == nil ? "lapsed" : "neverHandedOver", changedAt)
        case .cancelled, .noShow:
            let by = changedBy.map { $0.id == person ? "me" : $0.id == owner.id ? "owner" : "renter" } ?? "nobody"
            return ("\(state.rawValue).\(by)", changedAt)
        case .disputed: return (role == nil ? "disputed.moderator" : "disputed.both", changedAt)
        case .settled: return ("settled", changedAt)
        }
    }

    /// Until when cancelling costs that, and what it costs then; nil where it stays so.
    func deadline(of cost: CancellationCost, in words: Words) -> String? {
        guard let until = cost.until, let then = cost.then else { return nil }
        let values = [
            "time": CivilText.moment(until, in: zone, words), "zone": CivilText.city(of: zone),
            "then": price(then, in: words), "cost": price(self.cost, in: words),
        ]
        return words["rentals.act.cancel.until", values]
    }

    /// What is owed as things stand, in words for who looks; nil where nothing can be owed.
    func owedText(in words: Words) -> String? {
        guard let owed, cost != nil, state != .requested else { return nil }
        let who = role?.rawValue ?? "moderator"
        if owed.amount == 0 { return words["rentals.owed.nothing"] }
        return words["rentals.owed.\(who)", ["amount": Price.text(owed, in: words), "name": renter.name]]
    }
}
