import Foundation
public import WireProtocol

// Who can bring something along. A command takes the idempotency key of an earlier try; without one it makes its own.

extension KampongClient {
    /// What the person offers to bring along now; nothing where they offer nothing.
    public func availability() async throws -> OwnAvailability { try await call(.get, "v1/delivery") }

    /// Says where one is, where one goes and how much one can carry. Where one has said so already, what the draft leaves out stays.
    /// - Throws: `Problem` with code `wrong_state` where another restaurant is named while there is something to bring from the present one.
    public func offerDelivery(
        _ draft: AvailabilityDraft = AvailabilityDraft(), key: String? = nil
    ) async throws -> Availability {
        try await call(.put, "v1/delivery", body: draft, key: key)
    }

    /// Says that one is still there.
    public func resumeDelivery(key: String? = nil) async throws -> Availability {
        try await call(.post, "v1/delivery/resume", key: key)
    }

    /// What is in hand is still to be brought.
    public func endDelivery(key: String? = nil) async throws {
        let _: Nothing = try await call(.delete, "v1/delivery", key: key)
    }

    /// Restaurants from which somebody can bring something now, the nearest first.
    public func deliveryRestaurants(
        _ query: DeliveryRestaurantQuery = DeliveryRestaurantQuery()
    ) async throws -> Page<DeliveryRestaurant> {
        try await call(
            .get, "v1/restaurants",
            query: Self.query([
                ("near", query.near.map { "\($0.latitude),\($0.longitude)" }), ("limit", query.limit.map(String.init)),
                ("cursor", query.cursor),
            ]))
    }

    /// Who can bring something from a restaurant now, the least way for them first.
    public func deliverers(_ query: DelivererQuery) async throws -> Page<Deliverer> {
        try await call(
            .get, "v1/restaurants/\(query.restaurant)/deliverers",
            query: Self.query([
                ("to", query.to.map { "\($0.latitude),\($0.longitude)" }), ("limit", query.limit.map(String.init)),
                ("cursor", query.cursor),
            ]))
    }

    /// Somebody who can bring something now, and from where: as a standing search has found them.
    /// - Throws: `Problem` with code `notFound` where they are not there any more, or have no hand free.
    public func deliverer(_ id: AvailabilityID) async throws -> DelivererFound {
        try await call(.get, "v1/deliverers/\(id)")
    }
}
