import Hummingbird
import WireProtocol

/// `POST /deliveries/mode`: goes to the other home, and auth keeps which one. Whoever still offers to deliver is asked once whether that goes on (`/deliveries/still`).
struct DeliveryModePages {
    static let path = "/deliveries/mode"
    static let still = "/deliveries/still"

    var ask: Ask

    static func register(on routes: PageRoutes) {
        routes.post("/deliveries/mode") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            return try await change(to: DeliveryMode(rawValue: form["mode"]) ?? .ordering, visit)
        }
        routes.get("/deliveries/still") { visit in
            try visit.context.requirePerson()
            guard let availability = try await visit.ownAvailability() else {
                return visit.redirect(to: DeliveriesVertical.path)
            }
            let page = DeliveryModePages(availability, in: visit)
            let frame = PageFrame(title: page.ask.title, tab: .home, styles: ["deliveries"])
            return try await visit.page("deliveries/ask", page, frame)
        }
        routes.post("/deliveries/still") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            _ = try await visit.command(MatchingMethods.endDelivery, Nothing(), Nothing(), of: form)
            return visit.redirect(to: DeliveriesVertical.path, done: "order.stopped")
        }
    }

    /// It may be done any number of times, by any of the forms that are open: it has no key.
    private static func change(to mode: DeliveryMode, _ visit: Visit) async throws -> Response {
        _ = try await visit.ask(AuthMethods.changeProfile, Nothing(), ProfileChange(mode: .set(mode)))
        guard mode == .ordering else { return visit.redirect(to: DeliverPage.path) }
        let isOffering = (try? await visit.ownAvailability()) != nil
        return visit.redirect(to: isOffering ? still : DeliveriesVertical.path)
    }

    private init(_ availability: Availability, in visit: Visit) {
        ask = Ask(
            "deliveries.still", icon: "restaurant", action: Self.still, cancel: DeliveriesVertical.path,
            name: availability.restaurant.name, in: visit.words)
    }
}

extension Visit {
    /// What one offers to bring along now; nil where that is nothing.
    func ownAvailability() async throws -> Availability? {
        let own = try await ask(MatchingMethods.availability, Nothing(), Nothing(), within: 2).availability
        return own.flatMap { $0.state == .ended ? nil : $0 }
    }
}
