import FoundationEssentials
import PlainText
import WireProtocol

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
    /// Who did it, which need not be who brought the state: in a dispute there is more to say. Nil where time did it.
    var by: PersonID?
}

extension Agreement {
    /// - Parameters:
    ///   - waiting: how many requests of the renter wait for an answer already.
    ///   - ahead: how many agreements of the renter have not begun.
    ///   - own: what the renter has asked for already, or has, of this thing.
    /// - Returns: what was agreed at once where its owner lets whoever asks have it.
    static func ask(
        _ id: RentalID, for thing: RentableThing, _ draft: RentalDraft, by renter: PersonID, waiting: Int, ahead: Int,
        own: [OwnPeriod] = [], at now: Date, within limits: RentalLimits
    ) throws(RentalError) -> Agreement {
        guard renter != thing.owner else { throw .yourOwn }
        guard thing.isLet, thing.owner != .nobody else { throw .notListed }
        guard let zone = Zone.named(thing.terms.zone) else { throw .notListed }
        // Before the period: with another unit it says something else.
        let changes = draft.expected.map { thing.terms.changes(since: $0) } ?? []
        guard changes.isEmpty else { throw .termsChanged(changes) }
        var errors: [FieldError] = []
        let message = TextRule.lines(ThingRules.longestMessage).read(draft.message, at: "message", &errors)
        let period = try RentalPeriod(
            PeriodDraft(from: draft.from, until: draft.until), unit: thing.terms.unit, in: zone)
        errors += period.errors(of: thing, in: zone, at: now, within: limits)
        guard errors.isEmpty else { throw .invalid(errors) }
        if let rental = own.rental(in: period) { throw .alreadyAsked(rental) }
        guard waiting < limits.requests else { throw .tooManyRentals(limit: limits.requests) }
        let isAccepted = thing.terms.isInstant
        // Whoever lets it without being asked has not looked at who it is, and is not to tell their door to who collects them.
        guard !isAccepted || ahead < limits.ahead else { throw .tooManyAhead(limit: limits.ahead) }
        return Agreement(
            id: id, thing: thing.id, kind: thing.kind, title: thing.details.title, photo: thing.details.photos.first,
            owner: thing.owner, renter: renter, period: period, terms: thing.terms,
            message: message, requestedAt: now,
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
        let words = try ThingRules.reason(of: draft, doing: act)
        let owing = self.share(after: act, draft, by: party, at: now)
        let changes = draft.expected.map { self.changes(since: $0, owing: owing) } ?? []
        guard changes.isEmpty else { throw .termsChanged(changes) }
        var after = self
        after.note(act, words, draft.photos ?? [], by: party, at: now)
        if rule.next != state {
            after.become(rule.next, by: person, at: now)
            after.reason = words
            after.share = owing
        } else if rule.told == .completed {
            // It is back, whoever is right about it.
            after.holds = false
        }
        // One had what is the other's, which only now has ended: of what was given back it was told then.
        let isCompleted = act == .settle && holds
        return RentalDecision(agreement: after, told: isCompleted ? .completed : rule.told, by: person)
    }

    /// What time has done to it; nil where nothing.
    func pass(at now: Date) -> RentalDecision? {
        guard let rule = rules(for: .time, at: now).first else { return nil }
        var after = self
        after.become(rule.next, by: nil, at: now)
        after.reason = nil
        if rule.next == .lapsed { after.share = 0 }
        return RentalDecision(agreement: after, told: rule.told, by: nil)
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
        // What was said when it was accepted is no reason for this.
        after.reason = nil
        after.share = 0
        return RentalDecision(agreement: after, told: state == .requested ? .answered : .changed, by: person)
    }

    /// Somebody else has it then, and who waits for an answer need not wait for what can't come. Nobody has declined it, and nothing is said by
    /// anybody; what is overdue lapses.
    func giveWay(at now: Date) -> RentalDecision? {
        guard state == .requested, now < answerBy else { return nil }
        var after = self
        after.become(.declined, by: nil, at: now)
        return RentalDecision(agreement: after, told: .answered, by: nil)
    }

    // MARK: What transitions are made of

    private func rules(for party: RentalParty, at now: Date) -> [RentalRule] {
        RentalRule.table.filter {
            $0.state == state && $0.who == party && $0.condition.holds(for: self, by: party, at: now)
        }
    }

    /// Keeps what one of the two says and shows, whatever the agreement comes to: its reason is that of its state alone. That the thing was handed over,
    /// or is back, is something also where nothing is said of it.
    private mutating func note(
        _ act: RentalAct, _ words: String?, _ photos: [String], by party: RentalParty, at now: Date
    ) {
        guard let role = RentalRole(rawValue: party.rawValue) else { return }
        let photos = act.takesPhotos ? photos : []
        guard act == .handOver || act == .giveBack || words != nil || !photos.isEmpty else { return }
        evidence.append(RentalEvidence(by: role, at: act, photos: photos, note: words, madeAt: now))
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
        case .handOver, .giveBack, .dispute, .explain: share
        }
    }
}
