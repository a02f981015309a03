import Hummingbird
import WireProtocol

/// `/parking`: the map with the list. `near=lat,lng` looks around a person, `bbox=w,s,e,n` in a part of the map (`at=lat,lng` says
/// where the person is), nothing around the community's centre. Anybody may look.
struct ParkingPage {
    var center: String
    var fit: String
    var basemap: String?
    var world: String?
    var box: String
    var order: String
    var at: String
    var around: String
    /// The place that was chosen to look around.
    var placeName: String?
    /// Where the one is who looks.
    var from: String?
    var form: PlaceSearchForm
    var count: Int
    var partial: Bool
    var any: Bool
    var heading: String
    var orderText: String
    /// Whether there is somewhere else to go back to.
    var everywhere: Bool
    /// What else is there, where these spots are.
    var nearby: String
    var `self`: String
    var spots: [SpotCard]
    /// Where one says that they want to be told of free spots here.
    var tell: String
    var more: String?
    /// Where the live stream was when these spots were asked for.
    var since: String

    static func register(on routes: PageRoutes) {
        routes.get("/parking") { visit in
            try visit.context.requireSoundSession()
            if let matches = try await PlaceMatchesPage.answer(.parking, in: visit) { return matches }
            let (search, since) = (try await SpotSearch(in: visit), visit.since)
            let found = try await visit.ask(
                ListingsMethods.spots, search.query(cursor: visit.query("cursor")), Nothing())
            let page = ParkingPage(found, search, since: since, in: visit)
            switch visit.isFragment ? visit.fragmentTarget : nil {
            case "results": return visit.fragment("parking/results", page)
            case "more": return visit.fragment("parking/rows", page)
            default: return try await visit.page("parking/parking", page, frame(visit))
            }
        }
        routes.get("/spots/{id}/card") { visit in
            try visit.context.requireSoundSession()
            let spot = try await visit.ask(ListingsMethods.spot, SpotReference(id: visit.id()), Nothing())
            guard spot.state == .free else { throw ServiceError.notFound("spot") }
            return visit.fragment(
                "parking/card", SpotCard(spot, from: Position(written: visit.query("at")), in: visit))
        }
    }

    private static func frame(_ visit: Visit) -> PageFrame {
        PageFrame(
            title: visit.words["parking.title"], tab: .map, width: "", usesMap: true, scripts: ["combobox", "parking"])
    }

    private init(_ found: Page<Spot>, _ search: SpotSearch, since: String, in visit: Visit) {
        let words = visit.words
        let place = search.place
        var cards = found.items.map { SpotCard($0, from: place, in: visit) }
        // A box comes newest first; where all of it is here, it can be put in the order that a person on the way wants.
        let whole = found.next == nil && visit.query("cursor") == nil
        let nearest: Bool
        if case .near = search { nearest = true } else { nearest = place != nil && whole }
        if nearest { cards.sort { ($0.metres ?? 0, $0.id) < ($1.metres ?? 0, $1.id) } }
        center = (place ?? visit.community.center).written
        fit = search.box.written
        basemap = visit.site.map("basemap.json")
        world = visit.site.map("world.json")
        box = search.box.written
        order = nearest ? "nearest" : "newest"
        at = place?.written ?? ""
        around = search.name
        count = cards.count
        partial = !whole
        any = !cards.isEmpty
        let shown = whole ? String(cards.count) : "\(cards.count)+"
        placeName = search.placeName
        heading = words["count.\(search.name)", ["n": shown, "place": placeName ?? ""], count: cards.count]
        form = PlaceSearchForm(.parking, near: place ?? visit.community.center, in: visit)
        from = search.here?.written
        orderText = words["parking.\(order)"]
        if case .center = search { everywhere = false } else { everywhere = true }
        if case .near = search {
            nearby = "/places" + search.path().dropFirst("/parking".count)
        } else {
            nearby = "/places"
        }
        self.`self` = search.path()
        spots = cards
        tell = search.tell
        self.since = since
        more = found.next.map { search.path(cursor: $0) }
    }
}

extension Site {
    /// The address of a file that maps are drawn from: `basemap.json` is the index of what there is of streets, `world.json` the outlines of the
    /// world, or nil where this installation has none.
    func map(_ name: String) -> String? {
        if name == "basemap.json" { return services.maps.indexURL }
        return services.assets["map/" + name] == nil ? nil : services.assets.url("map/" + name)
    }
}
