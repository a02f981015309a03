import FoundationEssentials
import WireProtocol

// What becomes of a match. No I/O and no clock.

extension MatchParty {
    /// Who is one of the two acts as that, and not as a moderator: nobody settles what is their own.
    init?(_ role: MatchRole?, isModerator: Bool) {
        switch role {
        case .orderer: self = .orderer
        case .deliverer: self = .deliverer
        case nil where isModerator: self = .moderator
        case nil: return nil
        }
    }

    fileprivate var role: MatchRole? { MatchRole(rawValue: rawValue) }
}

extension MatchAgreement {
    /// By how much later something has to come for that to be told.
    static let toldDelay: TimeInterval = 10 * 60

    /// What somebody may do now.
    func possible(for party: MatchParty?, at now: Date) -> [MatchAct] {
        guard let party else { return [] }
        let acts = Set(rules(for: party, saying: nil, at: now).compactMap(\.act))
        return MatchAct.allCases.filter(acts.contains)
    }

    /// Does what somebody wants, where the table allows it.
    func act(
        _ act: MatchAct, _ draft: MatchActDraft, by person: PersonID, as party: MatchParty, at now: Date,
        within limits: DeliveryLimits
    ) throws(DeliveryError) -> MatchDecision {
        // On another device, or once more: they have accepted.
        if act == .accept, state == .accepted, party == .deliverer { return MatchDecision(match: self, by: person) }
        guard let rule = rules(for: party, saying: draft, at: now).first(where: { $0.act == act }) else {
            throw refusal(of: act, as: party, at: now)
        }
        let said = try SaidOfMatch(draft, doing: act, to: self, within: limits)
        let changes = draft.expected.map { self.changes(since: $0) } ?? []
        guard changes.isEmpty else { throw .termsChanged(changes) }
        var decision = become(rule, by: person, at: now)
        decision.match.keep(said, of: act, as: party, at: now)
        if act == .postpone, !decision.match.isMuchLater(than: self) { decision.told = nil }
        return decision
    }

    /// What time has done to it; nil where nothing.
    func pass(at now: Date) -> MatchDecision? { follow(.time, by: nil, at: now) }

    /// The orderer takes the offer back; nil of what is no offer. What has expired has done so.
    func takenBack(at now: Date) -> MatchDecision? {
        guard state == .offered else { return nil }
        return pass(at: now) ?? follow(.order, by: orderer, at: now)
    }

    /// The deliverer is not there any more, or offers something else; nil of what is no offer.
    /// - Parameter person: nil where time did it.
    func gone(by person: PersonID?, at now: Date) -> MatchDecision? {
        guard state == .offered else { return nil }
        return pass(at: now) ?? follow(.availability, by: person, at: now)
    }

    /// The two are apart; nil of what is no offer: what was accepted runs to its end. Neither is told whose doing it is.
    func separate(at now: Date) -> MatchDecision? { follow(.apart, by: nil, at: now) }

    /// Somebody may not take part any more, or has gone; nil of what is picked up, or over: food in hand is brought.
    func callOff(by person: PersonID, at now: Date) -> MatchDecision? { follow(.community, by: person, at: now) }

    // MARK: Where the deliverer is

    /// Whether they may show it.
    var mayShare: Bool { state == .pickedUp }

    /// The deliverer begins to show where they are, or shows it no more; nil where they do so already.
    func share(_ isShared: Bool, at now: Date) throws(DeliveryError) -> MatchDecision? {
        guard mayShare || !isShared else { throw .wrongState(possible(for: .deliverer, at: now)) }
        guard isShared != self.isShared else { return nil }
        var after = self
        after.isShared = isShared
        return MatchDecision(match: after, told: isShared ? .shared : .hidden, by: deliverer)
    }

    // MARK: What transitions are made of

    private func rules(for party: MatchParty, saying draft: MatchActDraft?, at now: Date) -> [MatchRule] {
        MatchRule.table.filter {
            $0.state == state && $0.who == party && $0.condition.holds(for: self, by: party, saying: draft, at: now)
        }
    }

    private func follow(_ party: MatchParty, by person: PersonID?, at now: Date) -> MatchDecision? {
        rules(for: party, saying: nil, at: now).first.map { become($0, by: person, at: now) }
    }

    private func become(_ rule: MatchRule, by person: PersonID?, at now: Date) -> MatchDecision {
        var after = self
        if rule.next != state { after.enter(rule.next, by: person, at: now) }
        let endsIt = person == orderer && (rule.next == .withdrawn || rule.next == .cancelled)
        let isEncounter = rule.next != state && (rule.next == .completed || rule.next == .settled)
        return MatchDecision(
            match: after, told: rule.told, by: person, isCompleted: isEncounter, turnsBack: endsIt ? chances : [])
    }

    private mutating func enter(_ next: MatchState, by person: PersonID?, at now: Date) {
        (state, changedAt, changedBy, reason) = (next, now, person, nil)
        isShared = false
        if !fillsHand || next == .pickedUp { chances = [] }
        if next == .accepted { acceptedAt = now }
        if next == .pickedUp, pickedUpAt == nil { pickedUpAt = now }
    }

    private mutating func keep(_ said: SaidOfMatch, of act: MatchAct, as party: MatchParty, at now: Date) {
        let minutes = Double(said.minutes ?? 0) * 60
        if act != .explain, act != .tip, act != .raiseLimit { reason = said.reason }
        switch act {
        case .accept: expectedAt = now + minutes + Double(walk)
        case .postpone: expectedAt = now + minutes
        case .pickUp: (spent, receipt, expectedAt) = (said.spent, said.receipt, now + Double(walk))
        case .giveUp: share = 0
        case .reportNoShow: share = party == .deliverer ? 100 : 0
        case .dispute, .explain:
            guard let role = party.role, let text = said.reason else { break }
            statements.append(MatchRemark(by: role, text: text, at: now))
        case .settle: share = said.share ?? share
        case .tip: tip = said.amount
        case .raiseLimit: terms.limit = said.amount
        case .undo: isUndone = true
        case .decline, .cancel, .complete: break
        }
    }

    private func isMuchLater(than before: MatchAgreement) -> Bool {
        guard let expectedAt, let last = before.expectedAt else { return true }
        return expectedAt >= last + Self.toldDelay
    }

    private func refusal(of act: MatchAct, as party: MatchParty, at now: Date) -> DeliveryError {
        guard party == .deliverer, act == .accept || act == .decline else {
            return .wrongState(possible(for: party, at: now))
        }
        return switch state {
        case .offered, .expired: .offerGone(.expired)
        case .declined: .offerGone(.declined)
        case .withdrawn: .offerGone(changedBy == orderer ? .takenBack : .ended)
        default: .wrongState(possible(for: party, at: now))
        }
    }
}
