import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// What is true of an agreement about a thing. No I/O and no clock. `RentalRule.table` says what may be done; this says what is kept of it.

/// A request for a thing, and what became of it.
struct Agreement: Hashable, Sendable {
    let id: RentalID
    let thing: ThingID
    let kind: ThingKind
    /// What the thing was called, and looked like, when it was asked for.
    let title: String
    let photo: String?
    let owner: PersonID
    let renter: PersonID
    let period: RentalPeriod
    /// As they were then.
    let terms: RentalTerms
    let message: String?
    let requestedAt: Date
    let answerBy: Date
    /// Nil where it never was, or was before this was kept.
    var acceptedAt: Date?
    var state: RentalState
    /// When the state began.
    var changedAt: Date
    /// Nil where time did it.
    var changedBy: PersonID?
    var reason: String?
    /// Percent of the cost that the renter owes.
    var share: Int
    /// Whether nobody else can have the thing in this period.
    var holds: Bool
    var evidence: [RentalEvidence] = []

    /// For the whole period.
    var cost: Money? { terms.cost(of: period.units) }

    /// Rounded to the renter's favour.
    var owed: Money? { cost.map { Money(amount: $0.amount * share / 100, currency: $0.currency) } }

    func role(of person: PersonID?) -> RentalRole? {
        person == owner ? .owner : person == renter ? .renter : nil
    }

    /// One has what is the other's, or they are at odds about it: whether they are apart since or not, each goes on knowing who the other
    /// is and how to reach them.
    var isInHand: Bool { state == .handedOver || state == .disputed }

    /// Called off, or lapsed, when what was agreed had begun already: the thing may have changed hands without anybody having said so.
    var endedOnceBegun: Bool {
        acceptedAt != nil && (state == .cancelled || state == .lapsed) && changedAt >= period.startsAt
    }

    /// From the acceptance until it is over the renter knows where the door is.
    var showsDoor: Bool { [.accepted, .handedOver, .disputed].contains(state) }
}

/// An agreement after a transition, and what is to be told.
struct RentalDecision: Hashable, Sendable {
    var agreement: Agreement
    var told: RentalTold
}

extension Agreement {
    /// - Parameter waiting: how many requests of the renter wait for an answer already.
    /// - Returns: what was agreed at once where its owner lets whoever asks have it.
    static func ask(
        _ id: RentalID, for thing: RentableThing, _ draft: RentalDraft, by renter: PersonID, waiting: Int,
        at now: Date, within limits: RentalLimits
    ) throws(RentalError) -> Agreement {
        guard renter != thing.owner else { throw .yourOwn }
        guard thing.isLet, thing.owner != .nobody else { throw .notListed }
        guard let zone = Zone.named(thing.terms.zone) else { throw .notListed }
        // Before the period: with another unit it says something else.
        let changes = draft.expected.map { thing.terms.changes(since: $0) } ?? []
        guard changes.isEmpty else { throw .termsChanged(changes) }
        let message = draft.message?.trimmed
        let period = try RentalPeriod(
            PeriodDraft(from: draft.from, until: draft.until), unit: thing.terms.unit, in: zone)
        let errors =
            period.errors(of: thing, at: now, within: limits)
            + ThingRules.errors(in: message, at: "message", longest: ThingRules.longestMessage)
        guard errors.isEmpty else { throw .invalid(errors) }
        guard waiting < limits.requests else { throw .tooManyRentals(limit: limits.requests) }
        let isAccepted = thing.terms.isInstant
        return Agreement(
            id: id, thing: thing.id, kind: thing.kind, title: thing.details.title, photo: thing.details.photos.first,
            owner: thing.owner, renter: renter, period: period, terms: thing.terms,
            message: message?.isEmpty == true ? nil : message, requestedAt: now,
            answerBy: min(now + limits.answer, period.endsAt), acceptedAt: isAccepted ? now : nil,
            state: isAccepted ? .accepted : .requested,
            changedAt: now, changedBy: isAccepted ? nil : renter, share: isAccepted ? 100 : 0,
            holds: isAccepted || limits.requestsHold)
    }

    /// What somebody may do now.
    func possible(for party: RentalParty?, at now: Date) -> [RentalAct] {
        guard let party else { return [] }
        return rules(for: party, at: now).compactMap(\.act)
    }

    /// Does what somebody wants, where the table allows it.
    func act(
        _ act: RentalAct, _ draft: RentalActDraft, by person: PersonID, as party: RentalParty, at now: Date
    ) throws(RentalError) -> RentalDecision {
        guard let rule = rules(for: party, at: now).first(where: { $0.act == act }) else {
            throw .wrongState(possible(for: party, at: now))
        }
        let errors = ThingRules.errors(in: draft, doing: act)
        guard errors.isEmpty else { throw .invalid(errors) }
        var after = self
        let reason = draft.reason?.trimmed
        if act == .handOver || act == .giveBack, let role = RentalRole(rawValue: party.rawValue) {
            after.evidence.append(
                RentalEvidence(
                    by: role, at: act, photos: draft.photos ?? [], note: reason?.isEmpty == true ? nil : reason,
                    madeAt: now))
        }
        if rule.next != state {
            after.become(rule.next, by: person, at: now)
            after.reason = reason?.isEmpty == true ? nil : reason
            after.share = share(after: act, draft, by: party, at: now)
        }
        // One had what is the other's, which only now has ended: of what was given back it was told then.
        let isCompleted = act == .settle && holds
        return RentalDecision(agreement: after, told: isCompleted ? .completed : rule.told)
    }

    /// What time has done to it; nil where nothing.
    func pass(at now: Date) -> RentalDecision? {
        guard let rule = rules(for: .time, at: now).first else { return nil }
        var after = self
        after.become(rule.next, by: nil, at: now)
        after.reason = nil
        if rule.next == .lapsed { after.share = 0 }
        return RentalDecision(agreement: after, told: rule.told)
    }

    /// When `pass` may next do something; nil where never.
    var dueAt: Date? {
        switch state {
        case .requested: answerBy
        case .accepted: period.endsAt + 86400
        case .handedOver: period.endsAt + 7 * 86400
        default: nil
        }
    }

    /// Somebody leaves the community: what has not begun is off, and nobody owes anything for it.
    func callOff(by person: PersonID, at now: Date) -> RentalDecision? {
        guard state == .requested || state == .accepted else { return nil }
        var after = self
        after.become(person == owner && state == .requested ? .declined : .cancelled, by: person, at: now)
        after.share = 0
        return RentalDecision(agreement: after, told: state == .requested ? .answered : .changed)
    }

    // MARK: What transitions are made of

    private func rules(for party: RentalParty, at now: Date) -> [RentalRule] {
        RentalRule.table.filter {
            $0.state == state && $0.who == party && $0.condition.holds(for: self, by: party, at: now)
        }
    }

    private mutating func become(_ next: RentalState, by person: PersonID?, at now: Date) {
        switch next {
        case .accepted, .handedOver: holds = true
        case .disputed: break  // What was not given back is not free; what was free before stays free.
        default: holds = false
        }
        if next == .accepted { acceptedAt = now }
        state = next
        changedAt = now
        changedBy = person
    }

    private func share(
        after act: RentalAct, _ draft: RentalActDraft, by party: RentalParty, at now: Date
    ) -> Int {
        switch act {
        case .accept: 100
        case .decline: 0
        case .cancel where state == .requested || party == .owner: 0
        case .cancel: terms.cancellation.share(notice: period.startsAt.timeIntervalSince(now), unit: terms.unit)
        case .reportNoShow: party == .owner ? 100 : 0
        case .settle: draft.share ?? share
        case .handOver, .giveBack, .dispute: share
        }
    }
}
