import HTTPTypes
import WireProtocol

extension APIRoute {
    /// What people bring each other: who is there to bring something, what is wanted, and one order with who brings it.
    static let deliveries: [APIRoute] = offered + orders + matches

    private static let offered: [APIRoute] = [
        .service(.get, "/v1/delivery", "getDelivery", MatchingMethods.availability),
        .service(.put, "/v1/delivery", "offerDelivery", MatchingMethods.offerDelivery),
        .service(.delete, "/v1/delivery", "endDelivery", MatchingMethods.endDelivery),
        .service(.post, "/v1/delivery/resume", "resumeDelivery", MatchingMethods.resumeDelivery),
        .service(.get, "/v1/restaurants", "listRestaurants", MatchingMethods.restaurants) { read, _ in
            DeliveryRestaurantQuery(
                near: read.position("near"), limit: read.integer("limit", in: 1...100), cursor: read.text("cursor"))
        },
        .service(.get, "/v1/restaurants/{id}/deliverers", "listDeliverers", MatchingMethods.deliverers) { read, _ in
            DelivererQuery(
                restaurant: read.id(), to: read.position("to"), limit: read.integer("limit", in: 1...100),
                cursor: read.text("cursor"))
        },
        .service(.get, "/v1/deliverers/{id}", "getDeliverer", MatchingMethods.deliverer) { read, _ in
            DelivererReference(id: read.id())
        },
    ]

    private static let orders: [APIRoute] = [
        .service(.get, "/v1/orders", "listOrders", MatchingMethods.orders) { read, _ in
            OrderQuery(
                isOver: read.flag("isOver"), limit: read.integer("limit", in: 1...100), cursor: read.text("cursor"))
        },
        .service(.post, "/v1/orders", "placeOrder", MatchingMethods.placeOrder, success: .created),
        .service(.get, "/v1/orders/{id}", "getOrder", MatchingMethods.order, read: orderReference),
        .service(.patch, "/v1/orders/{id}", "changeOrder", MatchingMethods.changeOrder, read: orderReference),
        .service(.delete, "/v1/orders/{id}", "cancelOrder", MatchingMethods.cancelOrder, read: orderReference),
        .service(.post, "/v1/orders/{id}/ask", "askNext", MatchingMethods.askNext, read: orderReference),
    ]

    private static let matches: [APIRoute] = [
        .service(.get, "/v1/matches", "listMatches", MatchingMethods.matches) { read, _ in
            MatchQuery(
                role: read.choice("role", of: MatchRole.allCases), isOver: read.flag("isOver"),
                disputed: read.flag("disputed"), limit: read.integer("limit", in: 1...100),
                cursor: read.text("cursor"))
        },
        .service(.get, "/v1/matches/{id}", "getMatch", MatchingMethods.match, read: matchReference),
        // Before the acts: a router takes what is said in words first, and readers do.
        .service(.get, "/v1/matches/{id}/contact", "getMatchContact", MatchingMethods.contact, read: matchReference),
        .service(.get, "/v1/matches/{id}/position", "getMatchPosition", MatchingMethods.position, read: matchReference),
        .service(
            .put, "/v1/matches/{id}/position", "moveMatchPosition", MatchingMethods.movePosition, read: matchReference),
        .service(
            .delete, "/v1/matches/{id}/position", "hideMatchPosition", MatchingMethods.hidePosition,
            read: matchReference),
        .service(.post, "/v1/matches/{id}/{act}", "actOnMatch", MatchingMethods.actOnMatch) { read, _ in
            MatchActReference(id: read.id(), act: read.segment("act", as: MatchAct.init(path:)) ?? .accept)
        },
    ]

    @Sendable private static func orderReference(_ read: inout ParameterReader, _: APICall) -> OrderReference {
        OrderReference(id: read.id())
    }

    @Sendable private static func matchReference(_ read: inout ParameterReader, _: APICall) -> MatchReference {
        MatchReference(id: read.id())
    }
}
