import Hummingbird
import WireProtocol

/// `/deliveries`: who orders sees what runs, where it is wanted (`to=`), and which restaurants have somebody now. Whose mode is to deliver is led to that home.
struct DeliveriesPage {
    static let limit = 20

    var modes: DeliverySwitch
    var running: DeliveryRunning
    var to: PlaceField
    var restaurants: RestaurantList
    var order: String

    /// Its address for who orders. An empty place is said too: then nobody is led to the other home.
    static func path(to dropOff: PlaceChoice?) -> String {
        "\(DeliveriesVertical.path)?to=\(LocalPath.encoded(dropOff?.written ?? ""))"
    }

    static func register(on routes: PageRoutes) {
        DeliveryRunning.register(on: routes)
        routes.get("/deliveries") { visit in
            try visit.context.requirePerson()
            if visit.query("to") == nil, await delivers(visit) { return visit.redirect(to: DeliverPage.path) }
            var answer = visit.dropOff()
            await answer.lookUp(near: visit.community.center, in: visit)
            let list = try await RestaurantList(to: answer.chosen, in: visit)
            switch visit.isFragment ? visit.fragmentTarget : nil {
            case "restaurants": return visit.fragment("deliveries/restaurants", list)
            case "more": return visit.fragment("deliveries/restaurant-rows", list)
            default: break
            }
            let page = DeliveriesPage(list, answer, await DeliveryRunning(in: visit), in: visit)
            let frame = PageFrame(
                title: visit.words["deliveries.title"], tab: .home, width: "middle",
                scripts: ["combobox", "deliveries"], styles: ["deliveries"])
            return visit.remembering(
                answer.chosen, in: try await visit.page("deliveries/deliveries", page, frame))
        }
    }

    /// Whether they have chosen that home last; who orders where auth is slow or away.
    private static func delivers(_ visit: Visit) async -> Bool {
        let me = try? await visit.ask(AuthMethods.me, Nothing(), Nothing(), within: 1)
        return me?.mode == .delivering
    }

    private init(_ list: RestaurantList, _ answer: PlaceAnswer, _ running: DeliveryRunning, in visit: Visit) {
        let words = visit.words
        modes = DeliverySwitch(.ordering, in: words)
        self.running = running
        var fields = [Field("to", words["deliveries.to"]).with { $0.hint = words["deliveries.toHint"] }]
        if let trouble = answer.trouble {
            var errors = FieldErrors(words)
            errors.add("to", trouble.rawValue, topic: "orderPlace")
            errors.mark(&fields)
        }
        to = PlaceField(fields[0], answer, near: visit.community.center, in: visit)
        restaurants = list
        order = OrderNewPage.path(to: answer.chosen)
    }
}

/// Restaurants that have somebody now, the nearest first (`deliveries/restaurants`), made anew as that changes.
struct RestaurantList {
    var rows: [RestaurantRow]
    var any: Bool
    var more: String?
    /// The address of this list, to be loaded anew.
    var `self`: String
    /// Whether something that happens changes this list: not a later page of it.
    var live: Bool
    /// From where on the stream tells what is not in it.
    var since: String
    var deliver = DeliverPage.path
    /// Where one says that they want to be told of who comes.
    var tell: String

    init(to dropOff: PlaceChoice?, in visit: Visit) async throws {
        let cursor = visit.query("cursor")
        let query = DeliveryRestaurantQuery(near: dropOff?.position, limit: DeliveriesPage.limit, cursor: cursor)
        let found = try await visit.ask(MatchingMethods.restaurants, query, Nothing())
        rows = found.items.compactMap { RestaurantRow($0, to: dropOff, in: visit) }
        any = !rows.isEmpty
        let here = DeliveriesPage.path(to: dropOff)
        more = found.next.map { "\(here)&cursor=\(LocalPath.encoded($0))" }
        self.`self` = here
        live = cursor == nil
        since = visit.since
        let around = dropOff.map { _ in WantedDeliverers.usual }
        tell = WantedNewPage.path(
            WantedDeliverers.pairs(near: dropOff, radius: around, to: dropOff, until: WantedDeliverers.today))
    }
}
