import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Agreements in memory: the states that pages show, without their times.
extension PageCall {
    func rentals(_ method: String, _ state: inout PageBackend.State) throws -> Outcome {
        let me = try caller.requirePerson()
        switch method {
        case "listings.rentals":
            let query = try WireJSON.decode(RentalQuery.self, from: parameters)
            let isModerator = caller.roles.contains(.moderator)
            if query.disputed == true, !isModerator { throw ServiceError(.forbidden, "Only moderators.") }
            let found = state.rentals.compactMap { seen($0, by: me, isModerator && query.disputed == true) }.filter {
                if query.disputed == true { return $0.state == .disputed }
                return (query.role ?? $0.role) == $0.role && (query.state ?? $0.state) == $0.state
                    && (query.stage ?? RentalStage(of: $0.state)) == RentalStage(of: $0.state)
                    && (query.thing ?? $0.thing.id) == $0.thing.id
            }
            let start = query.cursor.flatMap { Int($0) } ?? 0
            // Lists that are filtered have pages of three, as an overview asks for all.
            let limit = query.limit == 20 ? 3 : query.limit ?? 20
            let next = start + limit < found.count ? String(start + limit) : nil
            return try WireJSON.encode(Page(items: Array(found.dropFirst(start).prefix(limit)), next: next))
        case "listings.rentalsInHand":
            let held = state.rentals.filter { $0.state == .handedOver }
            return try WireJSON.encode(Page(items: held.map { RentalInHand(id: $0.id, title: $0.thing.title) }))
        case "listings.quoteRental":
            let query = try WireJSON.decode(RentalQuoteQuery.self, from: parameters)
            return try WireJSON.encode(try quote(query.id, query.from, query.until, state))
        case "listings.askRental": return try WireJSON.encode(try ask(me, &state))
        case "listings.rentalContact":
            let rental = try rental(by: me, state)
            guard rental.role != nil, [.accepted, .handedOver, .disputed].contains(rental.state) else {
                throw ServiceError(.wrongState, "Not now.")
            }
            return try WireJSON.encode(RentalContact(phone: "+6591234567"))
        case "listings.actOnRental":
            let rental = try act(try rental(by: me, state))
            state.rentals = state.rentals.map { $0.id == rental.id ? rental : $0 }
            return try WireJSON.encode(rental)
        default: return try WireJSON.encode(try rental(by: me, state))
        }
    }

    private func rental(by me: PersonID, _ state: PageBackend.State) throws -> Rental {
        let id = try WireJSON.decode(RentalReference.self, from: parameters).id
        guard let found = state.rentals.first(where: { $0.id == id }),
            let rental = seen(found, by: me, caller.roles.contains(.moderator))
        else { throw ServiceError.notFound("rental") }
        return rental
    }

    private func seen(_ rental: Rental, by me: PersonID, _ isModerator: Bool) -> Rental? {
        var rental = rental
        rental.role = rental.owner.id == me ? .owner : rental.renter.id == me ? .renter : nil
        guard rental.role != nil || isModerator && rental.state == .disputed else { return nil }
        if rental.role == .renter, ![.accepted, .handedOver].contains(rental.state) { rental.thing.address = nil }
        rental.possible =
            switch (rental.state, rental.role) {
            case (.requested, .owner?): [.accept, .decline]
            case (.requested, .renter?): [.cancel]
            case (.accepted, _?): [.cancel, .handOver, .reportNoShow]
            case (.handedOver, _?): [.giveBack, .dispute]
            case (.returned, _?): [.dispute]
            case (.disputed, nil): [.settle]
            case (.disputed, _?): [.explain]
            default: []
            }
        return rental
    }

    private func quote(
        _ id: ThingID, _ from: String, _ until: String, _ state: PageBackend.State
    ) throws -> (RentalQuote) {
        guard let thing = state.things.first(where: { $0.id == id }) else { throw ServiceError.notFound("thing") }
        let byHour = thing.terms.unit == .hour
        let (first, last) =
            byHour
            ? (WallTime(from)?.seconds, WallTime(until)?.seconds)
            : (CivilDay(from).map { $0.number * 86400 }, CivilDay(until).map { ($0.number + 1) * 86400 })
        guard let first, let last else {
            let field = first == nil ? "from" : "until"
            throw ServiceError.invalid([FieldError(field, byHour ? "not_an_hour" : "not_a_day", "Not a day.")])
        }
        guard first < last else { throw ServiceError.invalid([FieldError("until", "before_from", "Before.")]) }
        let units = (last - first) / (byHour ? 3600 : 86400)
        if units > 30 { throw ServiceError.invalid([FieldError("until", "too_long", "Too long.")]) }
        let own = state.rentals.first { rental in
            state.asksOnce && rental.thing.id == id && rental.renter.id == caller.person
                && [.requested, .accepted].contains(rental.state) && rental.from <= until && from <= rental.until
        }
        let isTaken = (state.taken[id] ?? []).contains { $0.from <= until && from <= $0.until }
        return RentalQuote(
            startsAt: Date(timeIntervalSince1970: Double(first)), endsAt: Date(timeIntervalSince1970: Double(last)),
            units: units,
            cost: thing.terms.price.map { Money(amount: $0.amount * units, currency: $0.currency) }, isFree: !isTaken,
            rental: own?.id)
    }

    private func ask(_ me: PersonID, _ state: inout PageBackend.State) throws -> Rental {
        let id = try WireJSON.decode(ThingReference.self, from: parameters).id
        let draft = try WireJSON.decode(RentalDraft.self, from: body)
        let quote = try quote(id, draft.from, draft.until, state)
        guard let thing = state.things.first(where: { $0.id == id }), let person = state.people[me] else {
            throw ServiceError.notFound("thing")
        }
        if let own = quote.rental {
            throw ServiceError(.alreadyAsked, "Yours.", errors: [FieldError("rental", "\(own)", "This is yours.")])
        }
        guard quote.isFree else { throw ServiceError(.overlaps, "Somebody else has it.") }
        let rental = Rental(
            id: .new(),
            thing: RentedThing(id: id, kind: thing.kind, title: thing.title, address: "12 Well Street"),
            owner: thing.owner, renter: person.summary, role: .renter,
            state: thing.terms.isInstant ? .accepted : .requested, from: draft.from, until: draft.until,
            zone: thing.terms.zone, startsAt: quote.startsAt, endsAt: quote.endsAt, units: quote.units,
            terms: thing.terms, cost: quote.cost, owed: nil, message: draft.message, requestedAt: Date(),
            answerBy: Date() + 86_400, acceptedAt: thing.terms.isInstant ? Date() : nil, changedAt: Date(),
            changedBy: nil, reason: nil, evidence: [], possible: [])
        state.rentals.append(rental)
        return rental
    }

    private func act(_ before: Rental) throws -> Rental {
        let act = try WireJSON.decode(RentalActReference.self, from: parameters).act
        let draft = try WireJSON.decode(RentalActDraft.self, from: body)
        guard before.possible.contains(act) else { throw ServiceError(.wrongState, "Not possible now.") }
        var errors: [FieldError] = []
        if [.dispute, .explain, .settle].contains(act), draft.reason == nil {
            errors.append(FieldError("reason", "required", "Say why."))
        }
        if act == .settle, !(0...100).contains(draft.share ?? -1) {
            errors.append(FieldError("share", "out_of_range", "0 to 100."))
        }
        guard errors.isEmpty else { throw ServiceError.invalid(errors) }
        if let shown = draft.expected, shown != RentalExpectation() {
            let owed = before.owed(after: act, at: Date())
            guard shown.state == before.state, shown.owed == owed, shown.evidence == before.evidence.count else {
                let field = FieldError("expected.owed", owed.map(String.init) ?? "", "This has changed.")
                throw ServiceError(.termsChanged, "The terms have changed meanwhile.", errors: [field])
            }
        }
        var rental = before
        switch act {
        case .accept: (rental.state, rental.owed, rental.acceptedAt) = (.accepted, rental.cost, Date())
        case .decline: rental.state = .declined
        case .cancel: rental.state = .cancelled
        case .handOver: rental.state = .handedOver
        case .giveBack: rental.state = .returned
        case .reportNoShow: rental.state = .noShow
        case .dispute: rental.state = .disputed
        case .explain: break
        case .settle:
            rental.state = .settled
            rental.owed = rental.cost.map { Money(amount: $0.amount * (draft.share ?? 0) / 100, currency: $0.currency) }
        }
        if let role = rental.role, act.takesPhotos || draft.reason != nil {
            rental.evidence.append(
                RentalEvidence(by: role, at: act, photos: draft.photos ?? [], note: draft.reason, madeAt: Date()))
        }
        guard act != .explain else { return rental }
        rental.reason = draft.reason
        (rental.changedAt, rental.changedBy) = (Date(), rental.role == .owner ? rental.owner : rental.renter)
        return rental
    }
}
