import Hummingbird
import WireProtocol

/// `/wanted`: one's standing searches, the newest first.
struct WantedListPage {
    struct Row {
        var key: String
        var href: String
        var icon: String
        var sentence: String
        var state: String
        var tone: String
        var found: String
        var last: Moment?
    }

    /// As many as a list has that follows what happens (`livelist.js`).
    private static let limit = 20

    var rows: [Row]
    var any: Bool
    var more: String?
    /// The address of this list, to be loaded anew when something happens.
    var `self`: String
    /// Whether something that happens changes this list: not a later page of it.
    var live: Bool
    /// Where one looks for something that can be looked for from then on.
    var lists: [PageLink]

    static func register(on routes: PageRoutes) {
        routes.get("/wanted") { visit in
            try visit.context.requirePerson()
            let query = WantedListQuery(limit: limit, cursor: visit.query("cursor"))
            let found = try await visit.ask(MatchingMethods.allWanted, query, Nothing())
            let page = WantedListPage(found, await visit.sentences(of: found.items.map(\.query)), in: visit)
            switch visit.isFragment ? visit.fragmentTarget : nil {
            case "wanted": return visit.fragment("wanted/mine", page)
            case "more": return visit.fragment("wanted/rows", page)
            default: break
            }
            let frame = PageFrame(
                title: visit.words["wanted.title"], tab: .me, width: "middle", scripts: ["wanted"])
            return try await visit.page("wanted/list", page, frame)
        }
    }

    private init(_ found: Page<Wanted>, _ sentences: [String], in visit: Visit) {
        rows = zip(found.items, sentences).map { Row($0, $1, in: visit) }
        any = !rows.isEmpty
        more = found.next.map { "\(WantedPages.path)?cursor=\(LocalPath.encoded($0))" }
        self.`self` = WantedPages.path
        live = visit.query("cursor") == nil
        let verticals: [any Vertical] = [SpotsVertical(), ThingsVertical(), RidesVertical()]
        // Also for those whose own home of deliveries is the other one.
        let deliveries = PageLink(
            href: DeliveriesPage.path(to: visit.lastDropOff), icon: "restaurant",
            text: visit.words["deliveries.title"], chosen: false)
        lists = verticals.flatMap { $0.lists(at: nil, in: visit) } + [deliveries]
    }
}

extension WantedListPage.Row {
    fileprivate init(_ wanted: Wanted, _ sentence: String, in visit: Visit) {
        key = wanted.id.description
        href = wanted.path
        icon = wanted.query.icon
        self.sentence = sentence
        state = wanted.state.text(in: visit.words)
        tone = wanted.state.tone
        found = visit.words["wanted.found.count", count: wanted.found]
        last = wanted.lastFoundAt.map { visit.moment($0, .ago) }
    }
}

extension WantedQuery {
    /// A symbol of `icons.svg`. A vertical more adds its own here.
    var icon: String {
        if spots != nil { return "park" }
        if rides != nil { return "ride" }
        return deliverers != nil ? "restaurant" : things?.kind?.icon ?? "search"
    }

    /// Those of the cards of what it has found.
    var styles: [String] { rides != nil ? ["rides"] : deliverers != nil ? ["deliveries"] : [] }
}
