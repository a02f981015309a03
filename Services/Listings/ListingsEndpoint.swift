import Messaging
import People
import WireProtocol

/// Request → use case → reply; error → stable code.
struct ListingsEndpoint: Sendable {
    let spots: SpotUseCases<PostgresSpotStore>
    let rentals: RentalUseCases

    func answer(on router: inout RequestRouter) {
        router.on(ListingsMethods.spots, version: SpotVersion.of) { query, _, context in
            try await spots.spots(query, for: context.caller)
        }
        router.on(ListingsMethods.spot, version: SpotVersion.of) { spot, _, context in
            try await spots.spot(spot.id, for: context.caller)
        }
        router.on(ListingsEvents.stream.methods.subject) { query, _, _ in
            query.subject.kind == .thing ? try await rentals.subject(query) : try await spots.subject(query)
        }
        router.on(ListingsEvents.stream.methods.roomSubject) { query, _, _ in
            query.subject.kind == .thing
                ? try await rentals.roomSubject(query) : try await spots.roomSubject(query)
        }
        router.on(ListingsEvents.stream.methods.waiting) { _, _, context in
            Page(items: try await rentals.waiting(for: context.caller) + spots.waiting(for: context.caller))
        }
        router.on(ListingsEvents.stream.methods.shelf) { query, _, context in
            try await shelf(query, for: context.caller)
        }
        router.on(ListingsMethods.postSpot) { _, draft, context in
            try await spots.post(draft, context)
        }
        router.on(ListingsMethods.changeSpot) { spot, draft, context in
            try await spots.change(spot.id, to: draft, context)
        }
        router.on(ListingsMethods.removeSpot) { spot, _, context in
            try await spots.remove(spot.id, context)
            return Nothing()
        }
        router.on(ListingsMethods.claimSpot) { spot, _, context in
            try await spots.claim(spot.id, expecting: spot.expectedPrice, context)
        }
        router.on(ListingsMethods.releaseSpot) { spot, _, context in
            try await spots.release(spot.id, context)
        }
        router.on(ListingsMethods.observeSpot) { spot, observation, context in
            try await spots.observe(spot.id, observation.state, context)
        }
        answerAboutThings(on: &router)
        answerAboutRentals(on: &router)
        let own = PersonalSections(spots.ownRecords + rentals.ownRecords)
        router.on(ListingsEvents.stream.methods.personalData) { query, _, _ in try await own.page(query) }
        router.on(ListingsEvents.stream.methods.photosInUse) { _, asked, _ in
            let asked = PhotoUse(photos: Array(asked.photos.prefix(PhotoUse.largest)))
            let ofThings = try await rentals.store.photos(among: asked.photos)
            return PhotoUse(photos: Set(try await spots.photosInUse(asked).photos + ofThings).sorted())
        }
    }

    private func shelf(_ query: ShelfQuery, for caller: Caller) async throws -> Page<ShelfItem> {
        switch query.kind {
        case .spot:
            let asked = SpotQuery(by: query.person, limit: query.limit, cursor: query.cursor)
            let found = try await spots.spots(asked, for: caller)
            return Page(items: found.items.map { ShelfItem($0) }, next: found.next)
        case .thing:
            let asked = ThingQuery(by: query.person, limit: query.limit, cursor: query.cursor)
            let found = try await rentals.things(asked, for: caller)
            return Page(items: found.items.map { ShelfItem($0) }, next: found.next)
        default: throw ServiceError.notFound("shelf")
        }
    }

    private func answerAboutThings(on router: inout RequestRouter) {
        router.on(ListingsMethods.things, version: SpotVersion.of) { query, _, context in
            try await rentals.things(query, for: context.caller)
        }
        router.on(ListingsMethods.thing, version: SpotVersion.of) { thing, _, context in
            try await rentals.thing(thing.id, as: thing.kind, for: context.caller)
        }
        router.on(ListingsMethods.postThing) { address, draft, context in
            try await rentals.post(draft, as: address.kind, context)
        }
        router.on(ListingsMethods.changeThing) { thing, draft, context in
            try await rentals.change(thing.id, as: thing.kind, to: draft, context)
        }
        router.on(ListingsMethods.amendThing) { thing, draft, context in
            try await rentals.amend(thing.id, as: thing.kind, with: draft, context)
        }
        router.on(ListingsMethods.publishThing) { thing, _, context in
            try await rentals.publish(thing.id, as: thing.kind, context)
        }
        router.on(ListingsMethods.withdrawThing) { thing, _, context in
            try await rentals.withdraw(thing.id, as: thing.kind, context)
            return Nothing()
        }
        router.on(ListingsMethods.carModels) { _, _, _ in CarModels(brands: rentals.limits.models.brands) }
        router.on(ListingsMethods.calendar) { query, _, context in
            try await rentals.calendar(query, for: context.caller)
        }
        router.on(ListingsMethods.blockDates) { thing, period, context in
            try await rentals.block(thing.id, as: thing.kind, period, context)
        }
        router.on(ListingsMethods.unblockDates) { block, _, context in
            try await rentals.unblock(block.id, context)
            return Nothing()
        }
    }

    private func answerAboutRentals(on router: inout RequestRouter) {
        router.on(ListingsMethods.quoteRental) { query, _, context in
            try await rentals.quote(query, for: context.caller)
        }
        router.on(ListingsMethods.askRental) { thing, draft, context in
            try await rentals.ask(thing.id, as: thing.kind, draft, context)
        }
        router.on(ListingsMethods.actOnRental) { rental, draft, context in
            try await rentals.act(rental.id, rental.act, draft, context)
        }
        router.on(ListingsMethods.rentalContact) { rental, _, context in
            try await rentals.contact(rental.id, for: context.caller)
        }
        router.on(ListingsEvents.stream.methods.commitments) { person, _, _ in
            try await rentals.commitments(of: person.id)
        }
        router.on(ListingsMethods.rental) { rental, _, context in
            try await rentals.rental(rental.id, for: context.caller)
        }
        router.on(ListingsEvents.stream.methods.calendarEntries) { query, _, _ in
            try await rentals.calendarEntries(query)
        }
        router.on(ListingsMethods.rentals) { query, _, context in
            try await rentals.rentals(query, for: context.caller)
        }
    }
}

/// Gives a refusal of the domain its code and its sentence.
extension SpotError: Refusal {
    var serviceError: ServiceError {
        switch self {
        case .invalid(let errors): .invalid(errors)
        case .notFound: .notFound("spot")
        case .notYours: ServiceError(.forbidden, "Only the one who posted this spot may do that.")
        case .yourOwn: ServiceError(.forbidden, "This is your own spot.")
        case .notYourClaim: ServiceError(.forbidden, "Someone else has claimed this spot.")
        case .alreadyClaimed: ServiceError(.alreadyClaimed, "Someone else was faster: this spot is taken.")
        case .changedMeanwhile(let version): .changedMeanwhile(version)
        case .priceChanged(let price):
            ServiceError(
                .termsChanged, "It costs something else by now.",
                errors: [FieldError("expectedPrice", String(price), "This has changed.")])
        case .erased: ServiceError(.unauthenticated, "This account is erased.")
        case .claimed: ServiceError(.wrongState, "Someone has claimed this spot meanwhile.")
        case .notClaimed: ServiceError(.wrongState, "You do not hold this spot.")
        case .expired: ServiceError(.wrongState, "This spot is no longer there: its time is over.")
        case .removed: ServiceError(.wrongState, "This spot was taken back by the one who posted it.")
        case .suspended: ServiceError(.suspended, "Your account is suspended.")
        case .tooManyClaims(let limit):
            ServiceError(.tooManyClaims, "You hold \(limit) spots already. Give one back first.")
        case .tooManySpots(let limit):
            ServiceError(.tooManySpots, "You have \(limit) free spots on the map already. Remove one first.")
        }
    }
}
