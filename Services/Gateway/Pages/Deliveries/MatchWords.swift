import FoundationEssentials
import WireProtocol

extension DeliveryMatch {
    func stateText(in words: Words) -> String { words["matches.state.\(state.rawValue)"] }

    var stateTone: String {
        switch state {
        case .offered: "warm"
        case .accepted, .pickedUp, .delivered, .received, .completed: ""
        case .declined, .expired, .withdrawn, .cancelled, .givenUp, .lapsed, .settled: "plain"
        case .noShow, .disputed: "full"
        }
    }

    /// How it stands, for who looks, and what comes next and by when.
    func said(in visit: Visit) -> TimedSentence {
        let (key, date) = sentence(by: visit.context.caller.person)
        let values = [
            "name": other.name, "orderer": orderer.name, "deliverer": deliverer.name, "restaurant": restaurant.name,
            "place": dropOff.name,
        ]
        return TimedSentence("matches.says.\(key)", values, date, in: visit)
    }

    private func sentence(by person: PersonID?) -> (String, Date) {
        guard let role else { return (state == .settled ? "settled" : "disputed.moderator", changedAt) }
        let who = role.rawValue
        switch state {
        case .offered: return ("offered.\(who)", expiresAt ?? changedAt)
        case .accepted, .pickedUp:
            return expectedAt.map { ("\(state.rawValue).\(who)", $0) } ?? ("\(state.rawValue)Open.\(who)", changedAt)
        case .cancelled, .givenUp, .noShow: return ("\(state.rawValue).\(ender(person))", changedAt)
        case .disputed: return ("disputed.both", changedAt)
        case .settled: return ("settled", changedAt)
        case .declined, .expired, .withdrawn, .delivered, .received, .completed, .lapsed:
            return ("\(state.rawValue).\(who)", changedAt)
        }
    }

    /// Who has ended it, for who looks; nobody where that was neither of the two, or somebody who has gone.
    private func ender(_ person: PersonID?) -> String {
        guard let by = changedBy?.id, by != .nobody else { return "nobody" }
        if by == person { return "me" }
        return by == orderer.id ? "orderer" : by == deliverer.id ? "deliverer" : "nobody"
    }

    /// Whether the two may write to each other about it: by the rule by which matching keeps their room open.
    func talkGoesOn(at now: Date) -> Bool {
        switch state {
        case .accepted, .pickedUp, .delivered, .received, .disputed: true
        case .cancelled, .givenUp, .lapsed: now < changedAt + 3600
        case .noShow: now < changedAt + RentalTalk.recent
        case .offered, .declined, .expired, .withdrawn, .completed, .settled: false
        }
    }

    /// `+140 m, 2 minutes`
    func detourText(in words: Words) -> String {
        guard detour > 0 else { return words["matches.noDetour"] }
        let way = Distance.reach(detour, in: words)
        guard let detourSeconds else { return words["matches.detour", ["way": way]] }
        let minutes = words["share.minutes", count: max(1, (detourSeconds + 30) / 60)]
        return words["matches.detourTime", ["way": way, "time": minutes]]
    }
}

extension MessageButton {
    /// To the other one of the two; about nothing else than them once there is no more to say about it.
    static func about(_ match: DeliveryMatch, in visit: Visit) -> MessageButton? {
        guard match.role != nil, match.other.name != PersonSummary.nameOfUnknown else { return nil }
        if match.talkGoesOn(at: visit.now) {
            return MessageButton(.match, match.id.description, match.other, in: visit.words)
        }
        return [.completed, .settled].contains(match.state) ? to(match.other, in: visit) : nil
    }
}
