import Hummingbird
import WireProtocol

/// `/restaurants/{id}`: who can bring something from there now, the least way for them first. `to=` says where it is wanted, `found=yes&deliverer=` whom a
/// standing search has found there.
struct RestaurantPage {
    private static let limit = 20

    var id: String
    var name: String
    var address: String?
    var to: String?
    var back: String
    var rows: [DelivererRow]
    var any: Bool
    var more: String?
    var `self`: String
    var live: Bool
    var since: String
    /// To the order that asks whoever fits best.
    var order: String
    /// Where one says that they want to be told of who comes.
    var tell: String
    /// That one has looked for somebody there.
    var found: FoundBox?

    /// - Parameter found: whom a standing search has found there.
    static func path(of place: PlaceID, to dropOff: PlaceChoice? = nil, found: AvailabilityID? = nil) -> String {
        var pairs = dropOff.map { [("to", $0.written)] } ?? []
        if let found { pairs += [("found", "yes"), ("deliverer", found.description)] }
        let query = pairs.map { "\($0)=\(LocalPath.encoded($1))" }.joined(separator: "&")
        return "/restaurants/\(place)" + (query.isEmpty ? "" : "?\(query)")
    }

    static func register(on routes: PageRoutes) {
        routes.get("/restaurants/{id}") { visit in
            try visit.context.requirePerson()
            let id: PlaceID = try visit.id()
            let dropOff = visit.dropOff().chosen
            let query = DelivererQuery(
                restaurant: id, to: dropOff?.position, limit: limit, cursor: visit.query("cursor"))
            async let place = place(id, visit)
            async let box = foundBox(on: path(of: id, to: dropOff), visit)
            let found = try await visit.ask(MatchingMethods.deliverers, query, Nothing())
            var page = RestaurantPage(id, try await place, found, to: dropOff, in: visit)
            page.found = await box
            switch visit.isFragment ? visit.fragmentTarget : nil {
            case "deliverers": return visit.fragment("deliveries/deliverers", page)
            case "more": return visit.fragment("deliveries/deliverer-rows", page)
            default: break
            }
            let frame = PageFrame(
                title: page.name, tab: .home, width: "middle", scripts: ["deliveries"], styles: ["deliveries"])
            return visit.remembering(dropOff, in: try await visit.page("deliveries/restaurant", page, frame))
        }
    }

    /// Nil where Places is away: the page does without its name.
    private static func place(_ id: PlaceID, _ visit: Visit) async throws -> Place? {
        try await visit.askUnlessAway(PlacesMethods.place, PlaceReference(id: id, language: visit.words.code))
    }

    /// Nil where none of their searches has found who the address says.
    private static func foundBox(on page: String, _ visit: Visit) async -> FoundBox? {
        guard let id = visit.query("deliverer").flatMap({ AvailabilityID($0) }) else { return nil }
        return await FoundBox(of: Subject(id), on: page, in: visit)
    }

    private init(_ id: PlaceID, _ place: Place?, _ found: Page<Deliverer>, to dropOff: PlaceChoice?, in visit: Visit) {
        self.id = id.description
        name = place?.shownName ?? visit.words["deliveries.aRestaurant"]
        address = place?.whereabouts
        to = dropOff?.label
        back = DeliveriesVertical.path
        rows = found.items.map { DelivererRow($0, of: id, to: dropOff, in: visit) }
        any = !rows.isEmpty
        let here = Self.path(of: id, to: dropOff)
        more = found.next.map { "\(here)\(dropOff == nil ? "?" : "&")cursor=\(LocalPath.encoded($0))" }
        self.`self` = here
        live = visit.query("cursor") == nil
        since = visit.since
        order = OrderNewPage.path(from: id, to: dropOff)
        tell = WantedNewPage.path(
            WantedDeliverers.pairs(restaurant: id, to: dropOff, until: WantedDeliverers.today))
    }
}

/// Somebody who can bring something from a restaurant (`deliveries/deliverer-row`), with the way to ask them for it.
struct DelivererRow {
    var key: String
    var person: PersonView
    /// `to Exactum, 80 m away from where you want it`
    var said: String
    var until: Moment
    var free: String
    /// What they want for it at least.
    var fee: String?
    var ask: String
    /// What tells the link from others.
    var label: String

    init(_ deliverer: Deliverer, of restaurant: PlaceID, to dropOff: PlaceChoice?, in visit: Visit) {
        let words = visit.words
        key = deliverer.id.description
        person = PersonView(deliverer.person, in: visit)
        let distance = deliverer.distance.map { Distance.reach($0, in: words) }
        let values = ["place": deliverer.dropOff.name, "distance": distance ?? ""]
        said = words[distance == nil ? "deliveries.goesTo" : "deliveries.goesToNear", values]
        until = visit.moment(deliverer.until, .clock)
        free = words["deliveries.free", count: deliverer.free]
        fee = deliverer.leastFee.map { words["deliveries.leastFee", ["fee": Price.text($0, in: words)]] }
        ask = OrderNewPage.path(from: restaurant, asking: deliverer.id, to: dropOff)
        label = words["deliveries.askWho", ["name": deliverer.person.name]]
    }
}
