import FoundationEssentials
import Messaging
import People
import Postgres
import WireProtocol

// What can be asked of things.

extension RentalUseCases {
    /// - Parameter kind: what it has to be to be found; so in all that follows.
    func thing(_ id: ThingID, as kind: ThingKind? = nil, for caller: Caller) async throws -> Thing {
        let looks = viewer(caller)
        guard let seen = try await store.thing(id, as: kind, for: looks, at: clock()) else {
            throw RentalError.notFound
        }
        let names = try await people.summaries(
            of: [seen.thing.owner], for: seen.rental == nil ? nil : caller.person)
        return Thing(seen, for: caller.person, among: names, isModerator: looks.seesHidden)
    }

    func things(_ query: ThingQuery, for caller: Caller) async throws -> Page<Thing> {
        let now = clock()
        let (wanted, wrong) = try await self.wanted(query, at: now)
        var page: ThingPage
        do {
            page = try ThingPage(query, for: caller)
        } catch RentalError.invalid(let errors) {
            throw RentalError.invalid(errors + wrong)
        }
        guard wrong.isEmpty else { throw RentalError.invalid(wrong) }
        page.wanted = wanted
        let found = FoundPage(try await store.things(page, for: caller.person, at: now), of: page.limit)
        let names = try await people.summaries(of: Set(found.shown.map(\.thing.owner)))
        return Page(
            items: found.shown.map { Thing($0, for: caller.person, among: names) },
            next: found.last.map { ThingCursor($0, in: page.order).text })
    }

    /// When something is wanted, by the clocks of things; and why nobody could ask for that. What can't be read is named by `ThingPage`.
    func wanted(
        _ query: ThingQuery, at now: Date
    ) async throws -> (periods: [WantedPeriod], wrong: [FieldError]) {
        var unreadable: [FieldError] = []
        guard let free = PeriodWish(from: query.from, until: query.until, &unreadable) else { return ([], []) }
        let clocks = try await self.clocks(of: query.kind.map { [$0] } ?? ThingKind.allCases)
        return try wanted(free, on: clocks, at: now)
    }

    /// The same on clocks that are known.
    func wanted(
        _ free: PeriodWish, on clocks: [ThingClock], at now: Date
    ) throws -> (periods: [WantedPeriod], wrong: [FieldError]) {
        do throws(RentalError) {
            return (try free.periods(on: clocks, at: now, within: limits), [])
        } catch {
            guard case .invalid(let errors) = error else { throw error }
            return ([], errors)
        }
    }

    /// By which clocks things of these kinds are let. Where nothing is let yet, what can't be asked for is said all the same.
    func clocks(of kinds: [ThingKind]) async throws -> [ThingClock] {
        let clocks = try await store.clocks(of: kinds)
        return clocks.isEmpty ? kinds.map { ThingClock(kind: $0, zone: limits.zone) } : clocks
    }

    /// - Parameter kind: what the address is for, so that the draft need not say it.
    func post(_ draft: ThingDraft, as kind: ThingKind?, _ request: RequestContext) async throws -> Thing {
        try await command(request) { rentals, person in
            var draft = draft
            draft.kind = draft.kind ?? kind
            guard kind == nil || draft.kind == kind else {
                throw RentalError.invalid([FieldError("kind", "not_allowed", "Another kind is posted elsewhere.")])
            }
            let held = try await rentals.things(of: person)
            let decision = try RentableThing.post(
                .new(at: rentals.now), draft, by: person, having: held, at: rentals.now, within: limits)
            try await rentals.add(decision)
            return try await answer(SeenThing(thing: decision.thing), to: person, rentals)
        }
    }

    func change(
        _ id: ThingID, as kind: ThingKind? = nil, to draft: ThingDraft, _ request: RequestContext
    ) async throws -> Thing {
        try await update(id, as: kind, request) { thing, person, _ throws(RentalError) in
            try thing.change(to: draft, by: person, within: limits)
        }
    }

    func amend(
        _ id: ThingID, as kind: ThingKind? = nil, with draft: ThingDraft, _ request: RequestContext
    ) async throws -> Thing {
        try await update(id, as: kind, request) { thing, person, _ throws(RentalError) in
            try thing.amend(with: draft, by: person, within: limits)
        }
    }

    func publish(_ id: ThingID, as kind: ThingKind? = nil, _ request: RequestContext) async throws -> Thing {
        try await command(request) { rentals, person in
            // Before the thing is locked, as whoever posts and asks does.
            let held = try await rentals.things(of: person)
            return try await update(id, as: kind, by: person, rentals) { thing, person, now throws(RentalError) in
                try thing.publish(by: person, having: held, at: now, within: limits)
            }
        }
    }

    func withdraw(_ id: ThingID, as kind: ThingKind? = nil, _ request: RequestContext) async throws {
        _ = try await command(request) { rentals, person in
            let thing = try await rentals.thing(id, as: kind, for: ThingViewer(person: person)).thing
            let decision = try thing.withdraw(by: person)
            if thing.state == .draft {
                try await rentals.remove(thing)
            } else {
                try await rentals.keep(decision, insteadOf: thing)
            }
            return Nothing()
        }
    }

    private func update(
        _ id: ThingID, as kind: ThingKind?, _ request: RequestContext,
        _ decide: @Sendable @escaping (RentableThing, PersonID, Date) throws(RentalError) -> ThingDecision
    ) async throws -> Thing {
        try await command(request) { rentals, person in
            try await update(id, as: kind, by: person, rentals, decide)
        }
    }

    private func update(
        _ id: ThingID, as kind: ThingKind?, by person: PersonID, _ rentals: RentalTransaction,
        _ decide: (RentableThing, PersonID, Date) throws(RentalError) -> ThingDecision
    ) async throws -> Thing {
        var seen = try await rentals.thing(id, as: kind, for: ThingViewer(person: person))
        let decision = try decide(seen.thing, person, rentals.now)
        try await rentals.keep(decision, insteadOf: seen.thing)
        seen.thing = decision.thing
        return try await answer(seen, to: person, rentals)
    }

    private func answer(
        _ seen: SeenThing, to person: PersonID, _ rentals: RentalTransaction
    ) async throws -> Thing {
        Thing(seen, for: person, among: try await rentals.people([seen.thing.owner], for: nil))
    }

    // MARK: When it is free

    func calendar(_ query: CalendarQuery, for caller: Caller) async throws -> ThingCalendar {
        let now = clock()
        guard let seen = try await store.thing(query.id, as: query.kind, for: viewer(caller), at: now),
            let zone = Zone.named(seen.thing.terms.zone)
        else { throw RentalError.notFound }
        let from = try query.from.map { try day($0, "from") } ?? zone.wallTime(at: now).day
        let until = try query.until.map { try day($0, "until") } ?? from + 62
        guard from <= until, until <= from + 400 else {
            throw RentalError.invalid([FieldError("until", "out_of_range", "At most 400 days later.")])
        }
        var taken = try await store.taken(query.id, from: zone.start(of: from), until: zone.start(of: until + 1))
        // Where hours are let there may be more than one answer holds: it ends with a whole day, and says so.
        let next = taken.count > Occupation.most ? zone.wallTime(at: taken[Occupation.most].startsAt).day : nil
        if let next { taken.removeAll { $0.startsAt >= zone.start(of: next) } }
        let isOwner = caller.person != nil && caller.person == seen.thing.owner
        return ThingCalendar(
            zone: zone.name,
            taken: taken.map { one in
                TakenPeriod(
                    from: one.from, until: one.until, block: isOwner && one.rental == nil ? one.id : nil,
                    rental: isOwner || caller.person != nil && one.renter == caller.person ? one.rental : nil)
            }, last: limits.lastDay(in: zone, at: now).text, next: next?.text)
    }

    private func day(_ text: String, _ field: String) throws(RentalError) -> CivilDay {
        guard let day = CivilDay(text) else {
            throw .invalid([FieldError(field, "not_a_day", "A day, such as 2026-12-01.")])
        }
        return day
    }

    func block(
        _ id: ThingID, as kind: ThingKind? = nil, _ draft: PeriodDraft, _ request: RequestContext
    ) async throws -> DateBlock {
        try await command(request) { rentals, person in
            let thing = try await rentals.thing(id, as: kind, for: ThingViewer(person: person)).thing
            let period = try thing.block(draft, by: person, at: rentals.now, within: limits)
            let block = DateBlock(id: .new(at: rentals.now), from: period.from, until: period.until)
            try await rentals.block(block.id, id, period)
            return block
        }
    }

    func unblock(_ id: DateBlockID, _ request: RequestContext) async throws {
        _ = try await command(request) { rentals, person in
            try await rentals.unblock(id, by: person)
            return Nothing()
        }
    }
}
