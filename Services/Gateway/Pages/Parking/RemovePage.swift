import Hummingbird
import WireProtocol

/// `/spots/{id}/remove`: asks once, then takes one's own spot back.
struct RemovePage {
    var ask: Ask

    static func register(on routes: PageRoutes) {
        routes.get("/spots/{id}/remove") { visit in
            try visit.context.requirePerson()
            let spot = try await SpotPage.spot(visit)
            guard spot.mine else { throw ServiceError(.forbidden, "Only the one who posted this spot may do that.") }
            var ask = Ask(
                "remove", icon: "trash", action: "/spots/\(spot.id)/remove", cancel: "/spots/\(spot.id)",
                name: spot.name, in: visit.words)
            ask.grave = true
            if visit.isFragment { return visit.fragment("parking/remove", RemovePage(ask: ask)) }
            let frame = PageFrame(title: visit.words["remove.page"], tab: .map)
            return try await visit.page("parking/remove", RemovePage(ask: ask), frame)
        }
        routes.post("/spots/{id}/remove") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            let reference = SpotReference(id: try visit.id())
            _ = try await visit.command(ListingsMethods.removeSpot, reference, Nothing(), of: form)
            return visit.redirect(to: "/me/spots", done: "removed")
        }
    }
}
