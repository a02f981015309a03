import FoundationEssentials
import WireProtocol

extension SeatRequest {
    func stateText(in words: Words) -> String {
        if state == .accepted, !isConfirmed { return words["seats.state.unconfirmed"] }
        return words["seats.state.\(state.rawValue)"]
    }

    var stateTone: String {
        switch state {
        case .pending, .waiting: "warm"
        case .accepted: isConfirmed ? "" : "warm"
        case .rode: ""
        case .rejected, .withdrawn, .expired, .left, .removed, .settled: "plain"
        case .noShow, .disputed: "full"
        }
    }

    /// How it stands, for who looks, and what comes next and by when.
    func said(in visit: Visit) -> SeatSentence {
        let (key, date) = sentence(by: visit.context.caller.person)
        let values = ["name": other.name, "driver": driver.name, "rider": rider.name]
        // What has to be said by then is due by the reader's clocks; what happens on the way is by those of the ride.
        let isOnTheWay = state == .accepted && (isConfirmed || confirmBy == nil || ride.state == .departed)
        return isOnTheWay
            ? SeatSentence("seats.says.\(key)", values, onTheWay: date, in: ride.zone, visit)
            : SeatSentence(TimedSentence("seats.says.\(key)", values, date, in: visit))
    }

    /// How many wait before them, of one who waits.
    func place(in words: Words) -> String? {
        guard state == .waiting, let ahead else { return nil }
        return words["seats.ahead", count: ahead]
    }

    private func sentence(by person: PersonID?) -> (String, Date) {
        let who = role?.rawValue ?? "moderator"
        switch state {
        case .pending: return ("pending.\(who)", answerBy ?? ride.departsAt)
        case .waiting: return ("\(isApproved ? "approved" : "waiting").\(who)", ride.departsAt)
        case .accepted where ride.state == .departed: return ("underWay.\(who)", leaving.time)
        case .accepted where !isConfirmed:
            return confirmBy.map { ("keepBy.\(who)", $0) } ?? ("keep.\(who)", boarding.time)
        case .accepted: return ("accepted.\(who)", boarding.time)
        case .rejected: return ("rejected.\(who)", changedAt)
        case .expired: return ("expired.\(lapse)", changedAt)
        case .withdrawn where together != nil && changedBy?.id != rider.id: return ("withdrawn.pair", changedAt)
        case .withdrawn, .left: return ("\(state.rawValue).\(ender(person))", changedAt)
        case .removed: return ("removed.\(ride.state == .removed ? "ride" : remover(person))", changedAt)
        case .rode: return ("\(changedBy == nil ? "counted" : "rode").\(who)", changedAt)
        case .noShow: return ("noShow.\(ender(person))", changedAt)
        case .disputed: return (role == nil ? "disputed.moderator" : "disputed.both", changedAt)
        case .settled: return ("settled", changedAt)
        }
    }

    /// Why time has ended it, as far as that can be told.
    private var lapse: String {
        if !isConfirmed { return "unconfirmed.\(role?.rawValue ?? "moderator")" }
        return changedBy != nil || changedAt >= ride.departsAt ? "left" : "unanswered"
    }

    /// Who has ended it, for who looks; nobody where time did, or somebody who has gone.
    private func ender(_ person: PersonID?) -> String {
        guard let by = changedBy?.id, by != .nobody else { return "nobody" }
        return by == person ? "me" : by == driver.id ? SeatRole.driver.rawValue : SeatRole.rider.rawValue
    }

    /// Who has taken the seat back, for who looks; nobody where that is not what it was.
    private func remover(_ person: PersonID?) -> String {
        guard changedBy?.id == driver.id, driver.id != .nobody else { return "nobody" }
        return person == driver.id ? "me" : "driver"
    }

    /// Whether the two may write to each other about the ride, listed or not: by the same rule rides keeps their room open.
    func talkGoesOn(at now: Date) -> Bool {
        guard state.isOver else { return true }
        return [.left, .removed, .rode, .noShow, .settled].contains(state) && now < changedAt + RentalTalk.recent
    }
}

extension MessageButton {
    /// To the other one of the two; about nothing else than them where they may open no chat about the ride any more.
    static func about(_ request: SeatRequest, in visit: Visit) -> MessageButton? {
        guard request.role != nil, request.other.name != PersonSummary.nameOfUnknown else { return nil }
        guard request.talkGoesOn(at: visit.now) else { return to(request.other, in: visit) }
        return MessageButton(.ride, request.ride.id.description, request.other, in: visit.words)
    }
}
