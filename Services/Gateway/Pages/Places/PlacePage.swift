import Hummingbird
import WireProtocol

/// `/places/{id}`: one place, where it is, how it is called, and what can be done there; strangers may look. `at=lat,lng` says where
/// one is.
struct PlacePage {
    struct Name {
        var language: String
        /// The language as HTML may say it; what a source says may be anything.
        var lang: String?
        var name: String
    }

    var place: PlaceView
    var center: String
    var basemap: String?
    var world: String?
    var mapLabel: String
    var address: String?
    var positionText: String
    var names: [Name]
    var hasNames: Bool
    var attribution: String
    var directions: DirectionsView
    /// What one can do there.
    var offers: [Offer]
    var nearHref: String

    struct Offer {
        var href: String
        var icon: String
        var text: String
        var isQuiet = false
    }

    static func register(on routes: PageRoutes) {
        routes.get("/places/{id}") { visit in
            try visit.context.requireSoundSession()
            let place = try await visit.ask(
                PlacesMethods.place, PlaceReference(id: visit.id(), language: visit.words.code), Nothing())
            let way = await WayView(to: place.position, in: visit)
            let frame = PageFrame(
                title: place.name, tab: .map, width: "", usesMap: true, scripts: ["pinned", "way"])
            return try await visit.page("places/place", PlacePage(place, way, in: visit), frame)
        }
    }

    private init(_ place: Place, _ way: WayView, in visit: Visit) {
        self.place = PlaceView(place, in: visit)
        center = place.position.written
        basemap = visit.site.map("basemap.json")
        world = visit.site.map("world.json")
        mapLabel = visit.words["places.pinLabel", ["name": place.name]]
        let town = [place.postcode, place.locality].compactMap(\.self).joined(separator: " ")
        address = place.address.map { town.isEmpty ? $0 : "\($0), \(town)" }
        positionText = place.position.shown
        names = (place.names ?? []).filter { $0.name != place.name }.map {
            Name(language: $0.language, lang: Self.tag($0.language), name: $0.name)
        }
        hasNames = !names.isEmpty
        attribution = place.attribution
        directions = DirectionsView(to: place.position, called: place.name, way, in: visit)
        offers = visit.verticals.flatMap { $0.offers(at: place, in: visit.words) }
        nearHref = PlaceTarget.places.href(to: place)
    }

    /// A language tag as it must look (BCP 47), or nil.
    private static func tag(_ language: String) -> String? {
        let parts = language.split(separator: "-", omittingEmptySubsequences: false)
        let isTag =
            (2...3).contains(parts.first?.count ?? 0)
            && parts.allSatisfy {
                (1...8).contains($0.count) && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            }
        return isTag ? language : nil
    }
}
