import FoundationEssentials
import WireProtocol

// Agreements, as listings shows them to the two and to moderators. What is asked for and done to one is so from then on; refusals are what a
// test says.
extension PageDoor {
    func showRentals() {
        services.on(ListingsMethods.rentals) { request in
            let (query, caller) = (request.parameters, request.caller)
            _ = try caller.requirePerson()
            if query.disputed == true { try caller.require(.moderator) }
            let found = rentals.value.compactMap { Self.seen($0, by: caller) }.filter { Self.finds($0, query) }
            // Lists that are filtered have pages of three, as an overview asks for all.
            return Page(found, from: query.cursor, size: query.limit == 20 ? 3 : query.limit ?? 20)
        }
        services.on(ListingsMethods.rental) { try rental($0.parameters.id, $0.caller) }
        services.on(PeerRole.listings.methods.commitments) { _ in
            let held = rentals.value.filter { $0.state == .handedOver }
            return Page(items: held.map { Commitment(Subject($0.id), title: $0.thing.title) })
        }
        services.answer(ListingsMethods.rentalContact, RentalContact(phone: "+6591234567"))
        services.on(ListingsMethods.quoteRental) { try quote($0.parameters) }
        services.on(ListingsMethods.askRental) { request in
            let draft = request.content
            let query = RentalQuoteQuery(id: request.parameters.id, from: draft.from, until: draft.until)
            let rental = try asked(query, draft.message, by: summary(of: request.caller))
            rentals.mutate { $0.append(rental) }
            return rental
        }
        services.on(ListingsMethods.actOnRental) { request in
            var rental = try rental(request.parameters.id, request.caller)
            rental.take(request.parameters.act, request.content)
            rentals.mutate { [rental] in $0 = $0.map { $0.id == rental.id ? rental : $0 } }
            return rental
        }
    }

    /// What a period of a thing costs, where nobody has it.
    func quote(_ query: RentalQuoteQuery) throws -> RentalQuote {
        guard let thing = things.value.first(where: { $0.id == query.id }) else { throw ServiceError.notFound("thing") }
        let byHour = thing.terms.unit == .hour
        let first = byHour ? WallTime(query.from)?.seconds : CivilDay(query.from).map { $0.number * 86400 }
        let last = byHour ? WallTime(query.until)?.seconds : CivilDay(query.until).map { ($0.number + 1) * 86400 }
        guard let first, let last else { throw ServiceError(.malformed, "Not a period.") }
        let units = (last - first) / (byHour ? 3600 : 86400)
        let isTaken = (taken.value[query.id] ?? []).contains { $0.from <= query.until && query.from <= $0.until }
        return RentalQuote(
            startsAt: Date(timeIntervalSince1970: Double(first)), endsAt: Date(timeIntervalSince1970: Double(last)),
            units: units,
            cost: thing.terms.price.map { Money(amount: $0.amount * units, currency: $0.currency) }, isFree: !isTaken,
            rental: nil)
    }

    private func asked(_ query: RentalQuoteQuery, _ message: String?, by person: PersonSummary) throws -> Rental {
        let quote = try quote(query)
        guard let thing = things.value.first(where: { $0.id == query.id }) else { throw ServiceError.notFound("thing") }
        return Rental(
            id: .new(),
            thing: RentedThing(id: thing.id, kind: thing.kind, title: thing.title, address: "12 Well Street"),
            owner: thing.owner, renter: person, role: .renter,
            state: thing.terms.isInstant ? .accepted : .requested, from: query.from, until: query.until,
            zone: thing.terms.zone, startsAt: quote.startsAt, endsAt: quote.endsAt, units: quote.units,
            terms: thing.terms, cost: quote.cost, owed: nil, message: message, requestedAt: Date(),
            answerBy: Date() + 86_400, acceptedAt: thing.terms.isInstant ? Date() : nil, changedAt: Date(),
            changedBy: nil, reason: nil, evidence: [], possible: [])
    }

    private func rental(_ id: RentalID, _ caller: Caller) throws -> Rental {
        guard let found = rentals.value.first(where: { $0.id == id }), let rental = Self.seen(found, by: caller) else {
            throw ServiceError.notFound("rental")
        }
        return rental
    }

    private static func finds(_ rental: Rental, _ query: RentalQuery) -> Bool {
        if query.disputed == true { return rental.state == .disputed }
        let stage = RentalStage(of: rental.state)
        return rental.role != nil && (query.role ?? rental.role) == rental.role
            && (query.state ?? rental.state) == rental.state && (query.stage ?? stage) == stage
            && (query.thing ?? rental.thing.id) == rental.thing.id
    }

    /// As the caller may see it, with what they may do; nil of what is not theirs to see.
    private static func seen(_ rental: Rental, by caller: Caller) -> Rental? {
        var rental = rental
        rental.role = rental.owner.id == caller.person ? .owner : rental.renter.id == caller.person ? .renter : nil
        let isJudged = caller.roles.contains(.moderator) && rental.state == .disputed
        guard rental.role != nil || isJudged else { return nil }
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
}

extension Rental {
    /// What has been done to it.
    fileprivate mutating func take(_ act: RentalAct, _ draft: RentalActDraft) {
        switch act {
        case .accept: (state, owed, acceptedAt) = (.accepted, cost, Date())
        case .decline: state = .declined
        case .cancel: state = .cancelled
        case .handOver: state = .handedOver
        case .giveBack: state = .returned
        case .reportNoShow: state = .noShow
        case .dispute: state = .disputed
        case .explain: break
        case .settle:
            state = .settled
            owed = cost.map { Money(amount: $0.amount * (draft.share ?? 0) / 100, currency: $0.currency) }
        }
        if let role, act.takesPhotos || draft.reason != nil {
            evidence.append(
                RentalEvidence(by: role, at: act, photos: draft.photos ?? [], note: draft.reason, madeAt: Date()))
        }
        guard act != .explain else { return }
        reason = draft.reason
        (changedAt, changedBy) = (Date(), role == .owner ? owner : renter)
    }
}
