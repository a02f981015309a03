#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Deliverers who are looked for before they are there.

/// Somebody who can bring something: from one restaurant, or from any within a circle. Exactly one of the two.
public struct DelivererSearch: Codable, Hashable, Sendable {
    /// One that Places knows.
    public var restaurant: PlaceID?
    public var near: Position?
    /// Metres, 50 to 5000; 400 where absent.
    public var radius: Int?
    /// Where one wants it brought: who does not go there, and would not go so far out of the way, is left out.
    public var to: Position?
    /// It looks no longer than this.
    public var until: Date?

    public init(
        restaurant: PlaceID? = nil, near: Position? = nil, radius: Int? = nil, to: Position? = nil, until: Date? = nil
    ) {
        self.restaurant = restaurant
        self.near = near
        self.radius = radius
        self.to = to
        self.until = until
    }
}

/// Somebody who can bring something now, and from where. `GET /v1/deliverers/{id}`.
public struct DelivererFound: Codable, Hashable, Sendable {
    public var restaurant: DeliveryPlace
    public var deliverer: Deliverer

    public init(restaurant: DeliveryPlace, deliverer: Deliverer) {
        self.restaurant = restaurant
        self.deliverer = deliverer
    }
}

public struct DelivererReference: Codable, Hashable, Sendable {
    public var id: AvailabilityID
    public init(id: AvailabilityID) { self.id = id }
}

extension MatchingMethods {
    /// `not_found` where they are not there, have no free hand, are not seen by others, or are apart from who asks.
    package static let deliverer = Method<DelivererReference, Nothing, DelivererFound>("matching.deliverer", .query)
}
