import FoundationEssentials
import Messaging
import WireProtocol

// What Places is asked, never while something is locked.

/// What Places knows of them; those that it does not know are left out.
typealias AskForPlaces = @Sendable (Set<PlaceID>) async throws -> [KnownPlace]
/// The restaurants within so many metres of a point, the nearest first.
typealias AskForRestaurants = @Sendable (_ middle: Position, _ radius: Int) async throws -> [KnownPlace]
/// How far it is on foot from one point to others, in their order; at most as many as `StreetHops.mostAtOnce`.
typealias AskForWays = @Sendable (_ from: Position, _ to: [Position]) async throws -> [KnownWay]

extension DeliveryUseCases {
    /// What a draft names. Whoever offers or orders waits for it.
    func places(of draft: AvailabilityDraft) async throws -> KnownPlaces {
        KnownPlaces(try await places(draft.places))
    }

    func places(of draft: OrderDraft) async throws -> KnownPlaces {
        async let named = places(draft.places)
        guard let circle = draft.circle else { return KnownPlaces(try await named) }
        return KnownPlaces(try await named, around: try await askForRestaurants(circle.middle, circle.radius))
    }

    private func places(_ ids: Set<PlaceID>) async throws -> [KnownPlace] {
        ids.isEmpty ? [] : try await askForPlaces(ids)
    }
}

extension RequestClient {
    func places(_ ids: Set<PlaceID>) async throws -> [KnownPlace] {
        try await withThrowingTaskGroup(of: KnownPlace?.self) { group in
            for id in ids { group.addTask { try await self.place(id) } }
            var places: [KnownPlace] = []
            for try await place in group { places += place.map { [$0] } ?? [] }
            return places
        }
    }

    private func place(_ id: PlaceID) async throws -> KnownPlace? {
        do {
            return KnownPlace(
                try await call(PlacesMethods.place, PlaceReference(id: id), Nothing(), deadline: Date() + 2))
        } catch let error as ServiceError where error.code == .notFound {
            return nil
        }
    }

    /// As many as an order of a circle shows.
    func restaurants(around middle: Position, within radius: Int) async throws -> [KnownPlace] {
        let query = NearbyPlaceQuery(
            at: middle, kind: .restaurant, radius: radius, limit: DeliveryLimits.shownAround)
        return try await call(PlacesMethods.nearby, query, Nothing(), deadline: Date() + 2).items.map(KnownPlace.init)
    }

    func ways(from point: Position, to others: [Position]) async throws -> [KnownWay] {
        let query = PlaceDistanceQuery(from: point, to: others, mode: .walking)
        return try await call(PlacesMethods.distances, query, Nothing(), deadline: Date() + 1).items.map(KnownWay.init)
    }
}
