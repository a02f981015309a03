import DurableMessaging
import Messaging
import WireProtocol

/// Request → use case → reply; error → stable code.
struct SpotEndpoint: Sendable {
    let spots: SpotUseCases

    func answer(on router: inout RequestRouter) {
        router.on(ListingsMethods.spots, version: AnswerVersion.of) { query, _, context in
            try await spots.spots(query, for: context.caller)
        }
        router.on(ListingsMethods.spot, version: AnswerVersion.of) { spot, _, context in
            try await spots.spot(spot.id, for: context.caller)
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
        case .claimed: ServiceError(.wrongState, "Someone has claimed this spot meanwhile.")
        case .notClaimed: ServiceError(.wrongState, "You do not hold this spot.")
        case .expired: ServiceError(.wrongState, "This spot is no longer there: its time is over.")
        case .removed: ServiceError(.wrongState, "This spot was taken back by the one who posted it.")
        case .tooManyClaims(let limit):
            ServiceError(.tooManyClaims, "You hold \(limit) spots already. Give one back first.")
        case .tooManySpots(let limit):
            ServiceError(.tooManySpots, "You have \(limit) free spots on the map already. Remove one first.")
        }
    }
}
