import DurableMessaging
import Messaging
import WireProtocol

/// Request → use case → reply; error → stable code.
struct RentalEndpoint: Sendable {
    let rentals: RentalUseCases

    func answer(on router: inout RequestRouter) {
        answerAboutThings(on: &router)
        answerAboutRentals(on: &router)
    }

    private func answerAboutThings(on router: inout RequestRouter) {
        router.on(ListingsMethods.things, version: AnswerVersion.of) { query, _, context in
            try await rentals.things(query, for: context.caller)
        }
        router.on(ListingsMethods.thing, version: AnswerVersion.of) { thing, _, context in
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
extension RentalError: Refusal {
    var serviceError: ServiceError {
        switch self {
        case .invalid(let errors): .invalid(errors)
        case .notFound: .notFound("thing")
        case .notYours: ServiceError(.forbidden, "Only the one who shares this may do that.")
        case .yourOwn: ServiceError(.forbidden, "This is your own.")
        case .overlaps: ServiceError(.overlaps, "Somebody else has it in this period, or it is blocked.")
        case .alreadyAsked(let rental):
            ServiceError(
                .alreadyAsked, "You have asked for some of this time already, or you have it.",
                errors: rental.map { [FieldError("rental", $0.description, "This is yours.")] } ?? [])
        case .zoneInUse:
            .invalid([FieldError("zone", "in_use", "It stays while somebody has or asked for it, or days are blocked.")]
            )
        case .notListed: ServiceError(.wrongState, "This is not let at the moment.")
        case .termsChanged(let errors):
            ServiceError(.termsChanged, "The terms have changed meanwhile.", errors: errors)
        case .changedMeanwhile(let version): .changedMeanwhile(version)
        case .wrongState(let possible):
            ServiceError(
                .wrongState, "That is not possible now.",
                errors: possible.map { FieldError("act", $0.rawValue, "This is possible.") })
        case .tooManyPlates:
            .invalid([FieldError("plate", "too_many", "You have given many number plates. Try again tomorrow.")])
        case .tooManyThings(let limit):
            ServiceError(.tooManyThings, "You share \(limit) things already. Withdraw one first.")
        case .tooManyRentals(let limit):
            ServiceError(.tooManyRentals, "You wait for \(limit) answers already. Take a request back first.")
        case .tooManyAhead(let limit):
            ServiceError(.tooManyRentals, "You have \(limit) agreements ahead already. Let one begin, or cancel it.")
        }
    }
}
