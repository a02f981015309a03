// What the matching service is asked, and the stream of what it publishes.

package enum MatchingMethods {
    package static let availability = Method<Nothing, Nothing, OwnAvailability>("matching.availability", .query)
    package static let offerDelivery = Method<Nothing, AvailabilityDraft, Availability>(
        "matching.offerDelivery", .command)
    package static let resumeDelivery = Method<Nothing, Nothing, Availability>("matching.resumeDelivery", .command)
    package static let endDelivery = Method<Nothing, Nothing, Nothing>("matching.endDelivery", .command)

    package static let restaurants = Method<DeliveryRestaurantQuery, Nothing, Page<DeliveryRestaurant>>(
        "matching.restaurants", .query)
    package static let deliverers = Method<DelivererQuery, Nothing, Page<Deliverer>>("matching.deliverers", .query)

    package static let placeOrder = Method<Nothing, OrderDraft, DeliveryOrder>("matching.placeOrder", .command)
    /// What is absent stays. Who is asked is asked no more, and somebody is asked anew.
    package static let changeOrder = Method<OrderReference, OrderDraft, DeliveryOrder>(
        "matching.changeOrder", .command)
    package static let cancelOrder = Method<OrderReference, Nothing, Nothing>("matching.cancelOrder", .command)
    package static let askNext = Method<OrderReference, OrderAsking, DeliveryOrder>("matching.askNext", .command)
    package static let order = Method<OrderReference, Nothing, DeliveryOrder>("matching.order", .query)
    package static let orders = Method<OrderQuery, Nothing, Page<DeliveryOrder>>("matching.orders", .query)

    package static let match = Method<MatchReference, Nothing, DeliveryMatch>("matching.match", .query)
    package static let matches = Method<MatchQuery, Nothing, Page<DeliveryMatch>>("matching.matches", .query)
    package static let actOnMatch = Method<MatchActReference, MatchActDraft, DeliveryMatch>(
        "matching.actOnMatch", .command)
    package static let movePosition = Method<MatchReference, MatchPositionDraft, Nothing>(
        "matching.movePosition", .command)
    /// The deliverer shows it no more.
    package static let hidePosition = Method<MatchReference, Nothing, Nothing>("matching.hidePosition", .command)
    package static let position = Method<MatchReference, Nothing, MatchPosition>("matching.position", .query)
    package static let contact = Method<MatchReference, Nothing, MatchContact>("matching.contact", .query)
}

package enum MatchingEvents {
    package static let stream = PublishedStream(of: .matching)
}

/// `GET /v1/delivery`.
public struct OwnAvailability: Codable, Hashable, Sendable {
    /// Absent where one offers nothing now.
    public var availability: Availability?
    public init(availability: Availability?) { self.availability = availability }
}
