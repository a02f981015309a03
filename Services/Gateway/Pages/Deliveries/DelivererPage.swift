import HTTPTypes
import Hummingbird
import WireProtocol

/// `/deliverers/{id}`: leads to the restaurant where somebody can bring something, as what one is told of them does. Where they are gone, it says so.
struct DelivererPage {
    static let path = "/deliverers"

    var deliveries: String
    var searches = WantedPages.path

    static func register(on routes: PageRoutes) {
        routes.get("/deliverers/{id}") { visit in
            try visit.context.requirePerson()
            let id: AvailabilityID = try visit.id()
            async let noted: Void = visit.markRead(about: Subject(id))
            async let dropOff = wantedAt(id, visit)
            let found = try await restaurant(of: id, visit)
            await noted
            guard let place = found else { return try await gone(visit) }
            return visit.redirect(to: RestaurantPage.path(of: place, to: await dropOff, found: id))
        }
    }

    /// Where they are; nil where they are not there any more, not seen by others, or not by who asks.
    private static func restaurant(of id: AvailabilityID, _ visit: Visit) async throws -> PlaceID? {
        do {
            let reference = DelivererReference(id: id)
            return try await visit.ask(MatchingMethods.deliverer, reference, Nothing()).restaurant.place
        } catch let error as ServiceError where error.code == .notFound {
            return nil
        }
    }

    /// Where it is to be brought, as the search says that has found them.
    private static func wantedAt(_ id: AvailabilityID, _ visit: Visit) async -> PlaceChoice? {
        let asked = WantedFinders(of: Subject(id))
        let found = try? await visit.ask(MatchingMethods.wantedFinders, asked, Nothing(), within: 2)
        guard let to = found?.items.compactMap({ $0.query.deliverers?.to }).first else { return nil }
        if let last = visit.lastDropOff, last.position == to { return last }
        return PlaceChoice(position: to, label: await visit.placeName(at: to) ?? to.shown)
    }

    private static func gone(_ visit: Visit) async throws -> Response {
        let page = DelivererPage(deliveries: DeliveriesPage.path(to: visit.lastDropOff))
        let frame = PageFrame(title: visit.words["deliveries.gone"], tab: .home)
        return try await visit.page("deliveries/deliverer", page, frame, status: .notFound)
    }
}
