import HTTPTypes
import Hummingbird
import WireProtocol

/// `/cars`, `/spaces`, `/private-parking`: what is for rent. What is looked for is in the address. Anybody may look.
struct ThingsPage {
    struct Choice {
        var href: String
        var text: String
        var chosen: Bool
    }
    /// Something that narrows the list, and the list without it.
    struct Narrowing {
        var href: String
        var text: String
        var label: String
    }

    struct Map {
        var label: String
        var basemap: String?
        var world: String?
    }

    var heading: String
    var verticals: [PageLink]
    var filters: ThingFilters
    /// The models to choose from are shown anew, beside what was asked for.
    var models: ThingModels?
    var orders: [Choice]
    var narrowings: [Narrowing]
    var all: String?
    var problem: String?
    /// The map beside the list, and the same list with or without it.
    var map: Map?
    var mapHref: String
    var mapText: String
    /// Around what the list is where it has nothing, and from where distances are measured.
    var center: String
    var near: String?
    var kind: String
    var `self`: String
    /// Where the live stream was when these things were asked for.
    var since: String
    /// What is said to who does not see the list change.
    var said: String
    var things: [ThingCard]
    var any: Bool
    var none: Bool
    var emptyTitle: String
    var emptyText: String
    var icon: String
    var shareHref: String
    var shareText: String
    /// Where one says that they want to be told of what fits; nil where something is wrong.
    var tell: String?
    var more: String?

    static func register(on routes: PageRoutes) {
        for kind in ThingKind.allCases {
            routes.get(RouterPath(kind.path)) { visit in
                try visit.context.requireSoundSession()
                return try await answer(kind, visit)
            }
        }
        // A card as it is now, for a list that somebody looks at: gone where a list would not have it.
        routes.get("/things/{id}/card") { visit in
            try visit.context.requireSoundSession()
            let thing = try await ThingPage.thing(visit)
            guard thing.state == .listed, thing.hidden == nil else { throw ServiceError.notFound("thing") }
            let near = visit.query("near").flatMap { PlaceChoice(written: $0)?.position ?? Position(written: $0) }
            return visit.fragment("things/card", ThingCard(thing, period: visit.period, near: near, in: visit))
        }
    }

    private static func answer(_ kind: ThingKind, _ visit: Visit) async throws -> Response {
        var search = await ThingSearch(kind, in: visit)
        let isPart = visit.isFragment && ["results", "more"].contains(visit.fragmentTarget)
        // The form's own address has all of its fields; what one keeps or sends to others has those that say something.
        if search.isForm, search.errors.isEmpty, !isPart { return visit.redirect(to: search.path()) }
        let offersModels = kind.look.isVehicle && (!isPart || visit.trigger == "brand")
        let since = visit.since
        async let models = offersModels ? visit.askUnlessAway(ListingsMethods.carModels, Nothing()) : nil
        let found = try await found(&search, visit)
        let page = ThingsPage(found, search, try await models, since: since, isPart: isPart, in: visit)
        if isPart, visit.fragmentTarget == "more" { return visit.fragment("things/rows", page) }
        guard isPart else {
            let frame = PageFrame(
                title: page.heading, tab: .home, width: "", usesMap: search.showsMap,
                scripts: ["combobox", "things", "shelf"] + (search.showsMap ? ["thingmap"] : []))
            if !search.errors.isEmpty {
                return try await visit.page("things/things", page, frame, status: .unprocessableContent)
            }
            return visit.remembering(search, in: try await visit.page("things/things", page, frame))
        }
        var response = visit.fragment("things/results", page)
        if search.errors.isEmpty {
            response.headers[visit.isTyping ? Visit.replaceHeader : Visit.pushHeader] = search.path()
            response = visit.remembering(search, in: response)
        }
        return response
    }

    /// Nothing where what is looked for is wrong, which the search says then: all of it at once, so the service is asked for what it
    /// finds wrong whatever was found wrong here.
    private static func found(_ search: inout ThingSearch, _ visit: Visit) async throws -> Page<Thing> {
        do {
            let query = search.question(cursor: visit.query("cursor"))
            let found = try await visit.ask(ListingsMethods.things, query, Nothing())
            return search.errors.isEmpty ? found : Page(items: [])
        } catch let error as ServiceError where error.code == .invalid || !search.errors.isEmpty {
            search.refuse(error)
            return Page(items: [])
        }
    }

    private init(
        _ found: Page<Thing>, _ search: ThingSearch, _ models: CarModels?, since: String, isPart: Bool, in visit: Visit
    ) {
        let (words, kind) = (visit.words, search.kind)
        map =
            search.showsMap
            ? Map(
                label: words["things.mapLabel.\(kind.rawValue)"], basemap: visit.site.map("basemap.json"),
                world: visit.site.map("world.json")) : nil
        var other = search
        other.showsMap.toggle()
        (mapHref, mapText) = (other.path(), words[search.showsMap ? "things.withoutMap" : "things.withMap"])
        center = (search.near?.position ?? visit.community.center).written
        near = search.near?.position.written
        (self.kind, self.`self`, self.since) = (kind.rawValue, search.path(), since)
        heading = words["things.vertical.\(kind.rawValue)"]
        verticals = visit.lists(at: kind.path)
        filters = ThingFilters(search, models, in: visit)
        if isPart, visit.trigger == "brand" {
            self.models = filters.model
            self.models?.anew = true
        }
        orders = ThingOrder.allCases.map { order in
            var other = search
            other.order = order
            return Choice(
                href: other.path(), text: words["things.order.\(order.rawValue)"], chosen: order == search.order)
        }
        narrowings = Self.narrowings(search, in: words)
        all = narrowings.isEmpty ? nil : search.path(without: ThingSearch.narrowing)
        let wrong = search.errors.messages.sorted { $0.key < $1.key }.map(\.value).joined(separator: " ")
        problem = wrong.isEmpty ? nil : isPart ? wrong : words["things.wrong"]
        things = found.items.map { ThingCard($0, period: search.period, in: visit) }
        any = !things.isEmpty
        none = things.isEmpty && wrong.isEmpty
        let number = found.next == nil ? String(things.count) : "\(things.count)+"
        said = words["things.count.\(kind.rawValue)", ["n": number], count: things.count]
        let isNarrow = !narrowings.isEmpty
        emptyTitle = words[isNarrow ? "things.noneFits" : "things.none.\(kind.rawValue)"]
        emptyText = words[isNarrow ? "things.widen" : "things.noneText"]
        icon = kind.icon
        shareHref = kind.sharePath
        shareText = words["things.share.\(kind.rawValue)"]
        tell = search.errors.isEmpty ? WantedSearch.things(search).path : nil
        more = found.next.map { search.path(cursor: $0) }
    }

    private static func narrowings(_ search: ThingSearch, in words: Words) -> [Narrowing] {
        func one(_ names: Set<String>, _ text: String) -> Narrowing? {
            guard !text.isEmpty else { return nil }
            return Narrowing(
                href: search.path(without: names), text: text, label: words["things.without", ["what": text]])
        }
        let period =
            search.from.isEmpty || search.until.isEmpty
            ? "" : CivilText.period(search.from, search.until, in: words)
        let price = search.price.isEmpty ? "" : words["things.upTo", ["price": search.price]]
        return [
            one(["q"], search.q.isEmpty ? "" : words["things.quoted", ["words": search.q]]),
            one(["brand", "model"], search.brand), one(["model"], search.model), one(["region"], search.region),
            one(["price"], price), one(["from", "until"], period),
        ].compactMap(\.self)
    }
}

extension Visit {
    fileprivate static let pushHeader = HTTPField.Name("HX-Push-Url")!
    fileprivate static let replaceHeader = HTTPField.Name("HX-Replace-Url")!
    private static let triggerHeader = HTTPField.Name("HX-Trigger-Name")!
    private static let currentHeader = HTTPField.Name("HX-Current-URL")!

    /// The field that was changed, where htmx asks.
    fileprivate var trigger: String? { request.headers[Self.triggerHeader] }

    /// Whether words are typed on: Back leads to where that began, not through each of its letters.
    fileprivate var isTyping: Bool {
        guard trigger == "q" else { return false }
        let current = LocalPath.of(address: request.headers[Self.currentHeader])
        return current?.contains("q=") == true
    }
}
