import Messaging
import WireProtocol

/// Request → use case → reply; error → stable code.
struct PlacesEndpoint: Sendable {
    let places: PlaceUseCases
    let maps: StreetMaps

    func answer(on router: inout RequestRouter) {
        router.on(PlacesMethods.search) { query, _, _ in try await places.search(query) }
        router.on(PlacesMethods.place) { place, _, _ in try await places.place(place.id, in: place.language) }
        router.on(PlacesMethods.reverse) { query, _, _ in try await places.reverse(query.at, in: query.language) }
        router.on(PlacesMethods.nearby) { query, _, _ in try await places.nearby(query) }
        router.on(PlacesMethods.region) { query, _, _ in try await places.region(query.at) }
        router.on(PlacesMethods.distances) { query, _, context in
            try await maps.distances(try DistanceQuestion(query), before: context.deadline)
        }
        router.on(PlacesMethods.route) { query, _, context in
            try await maps.route(try RouteQuestion(query), before: context.deadline)
        }
    }
}

/// Gives a refusal of the domain its code and its sentence.
extension PlaceError: Refusal {
    var serviceError: ServiceError {
        switch self {
        case .invalid(let errors): .invalid(errors)
        case .notFound: .notFound("place")
        }
    }
}
