import FoundationEssentials
import Messaging
import People
import Postgres
import WireProtocol

/// What can be asked of things and agreements: load, decide, save with its event.
struct RentalUseCases: Sendable {
    let store: RentalStore
    let people: PeopleProjection
    let limits: RentalLimits
    /// Asks auth for somebody's telephone number.
    let askForPhone: @Sendable (PersonID) async throws -> String?
    let clock: @Sendable () -> Date

    /// What all commands share: a person who may do something.
    func command<Reply: Codable & Sendable>(
        _ request: RequestContext,
        _ body: @Sendable @escaping (RentalTransaction, PersonID) async throws -> Reply
    ) async throws -> Reply {
        try await store.command(request) { rentals, person, _ in try await body(rentals, person) }
    }

    func viewer(_ caller: Caller) -> ThingViewer {
        ThingViewer(
            person: caller.person, seesHidden: caller.person != nil && caller.roles.contains(.moderator))
    }
}

// MARK: Agreements

extension RentalUseCases {
    func quote(_ query: RentalQuoteQuery, for caller: Caller) async throws -> RentalQuote {
        let now = clock()
        guard let thing = try await store.thing(query.id, as: query.kind, for: viewer(caller), at: now)?.thing,
            let zone = Zone.named(thing.terms.zone)
        else { throw RentalError.notFound }
        let period = try RentalPeriod(
            PeriodDraft(from: query.from, until: query.until), unit: thing.terms.unit, in: zone)
        let errors = period.errors(of: thing, in: zone, at: now, within: limits)
        guard errors.isEmpty else { throw RentalError.invalid(errors) }
        var quote = RentalQuote(
            startsAt: period.startsAt, endsAt: period.endsAt, units: period.units,
            cost: thing.terms.cost(of: period.units), isFree: try await store.isFree(thing.id, period))
        if let person = caller.person {
            quote.rental = try await store.own(of: thing.id, by: person).rental(in: period)
        }
        return quote
    }

    func ask(
        _ id: ThingID, as kind: ThingKind? = nil, _ draft: RentalDraft, _ request: RequestContext
    ) async throws -> Rental {
        // One round trip to know, one to write, one to commit.
        try await store.command(
            request, asking: { person, now in RentalWish.questions(id, by: person, at: now, people.campuses) }
        ) { rentals, person, answers in
            let wish = try RentalWish(answers, as: kind, store.seal, at: rentals.now)
            // Who rents it goes on seeing it when the two are apart, and gets no more of it.
            guard wish.areTogether else { throw RentalError.notListed }
            let agreement = try Agreement.ask(
                .new(at: rentals.now), for: wish.thing, draft, by: person, waiting: wish.waiting,
                ahead: wish.ahead, own: wish.own, at: rentals.now, within: limits)
            let names = try await rentals.add(agreement)
            return Rental(agreement, wish.thing, for: person, isModerator: false, among: names, at: rentals.now)
        }
    }

    func act(
        _ id: RentalID, _ act: RentalAct, _ draft: RentalActDraft, _ request: RequestContext
    ) async throws -> Rental {
        let isModerator = request.caller.roles.contains(.moderator)
        return try await command(request) { rentals, person in
            let before = try await rentals.agreement(id, for: person, isModerator: isModerator)
            guard let party = RentalParty(before.role(of: person), isModerator: isModerator) else {
                throw RentalError.notFound
            }
            let thing = try await rentals.thing(before.thing, for: .everything).thing
            let decision = try before.act(act, draft, by: person, as: party, at: rentals.now)
            if act == .accept, try await !rentals.mayBeLet(thing, to: before.renter) { throw RentalError.notListed }
            try await rentals.keep(decision, insteadOf: before)
            return try await answer(decision.agreement, thing, to: person, isModerator: isModerator, rentals)
        }
    }

    func rental(_ id: RentalID, for caller: Caller) async throws -> Rental {
        let person = try caller.requirePerson()
        let isModerator = caller.roles.contains(.moderator)
        guard let agreement = try await store.agreement(id, for: person, isModerator: isModerator) else {
            throw RentalError.notFound
        }
        return try await answers([agreement], to: person, isModerator: isModerator)[0]
    }

    func rentals(_ query: RentalQuery, for caller: Caller) async throws -> Page<Rental> {
        let page = try AgreementPage(query, for: caller)
        let person = try caller.requirePerson()
        let found = FoundPage(try await store.agreements(page), of: page.limit)
        return Page(
            items: try await answers(found.shown, to: person, isModerator: caller.roles.contains(.moderator)),
            next: found.last?.id.description)
    }

    /// The other one's telephone number, from the acceptance until it is over. The two may be apart since: then none is told, as if none
    /// were given.
    func contact(_ id: RentalID, for caller: Caller) async throws -> RentalContact {
        let person = try caller.requirePerson()
        guard let agreement = try await store.agreement(id, for: person, isModerator: false),
            let role = agreement.role(of: person)
        else { throw RentalError.notFound }
        guard agreement.showsDoor else {
            throw RentalError.wrongState(agreement.possible(for: .init(role, isModerator: false), at: clock()))
        }
        let other = role == .owner ? agreement.renter : agreement.owner
        var mayAsk = other != .nobody
        if mayAsk, !agreement.isInHand { mayAsk = try await store.areTogether(person, other) }
        return RentalContact(phone: mayAsk ? try await askForPhone(other) : nil)
    }

    func answers(_ agreements: [Agreement], to person: PersonID, isModerator: Bool) async throws -> [Rental] {
        let now = clock()
        let things = try await store.things(of: agreements)
        // The two may be apart since; moderators are told who they are.
        let names = try await people.summaries(
            of: agreements.reduce(into: []) { $0.formUnion($1.people) }, for: isModerator ? nil : person)
        let held = agreements.filter(\.isInHand).reduce(into: Set<PersonID>()) { $0.formUnion($1.people) }
        let holders = held.isEmpty ? names : try await people.summaries(of: held)
        return agreements.map {
            Rental(
                $0, things[$0.thing], for: person, isModerator: isModerator, among: $0.isInHand ? holders : names,
                at: now)
        }
    }

    private func answer(
        _ agreement: Agreement, _ thing: RentableThing, to person: PersonID, isModerator: Bool,
        _ rentals: RentalTransaction
    ) async throws -> Rental {
        let names = try await rentals.people(
            agreement.people, for: isModerator || agreement.isInHand ? nil : person)
        return Rental(agreement, thing, for: person, isModerator: isModerator, among: names, at: rentals.now)
    }
}

// MARK: For other services

extension RentalUseCases {
    /// What there is to be judged by moderators, as the one sees it who reports it.
    func subject(_ query: SubjectQuery) async throws -> SubjectSnapshot {
        let looks = query.viewer.map { ThingViewer(person: $0) } ?? .everything
        guard let id = query.subject.id(of: Thing.self), let seen = try await store.thing(id, for: looks, at: clock())
        else { throw RentalError.notFound }
        return SubjectSnapshot(seen.thing)
    }
}
