import Hummingbird
import WireProtocol

/// `/rides/mine`: the rides that one drives, rides along in, has saved, or has asked for: `tab=current|past|saved|pending`.
struct MyRidesPage {
    struct Choice {
        var href: String
        var text: String
        var current: Bool
    }

    static let path = "/rides/mine"
    /// How addresses and forms name the list of those that wait for an answer.
    static let pending = MyRidesTab.pending.rawValue

    var tabs: [PageLink]
    var choices: [Choice]
    var rows: [MyRidesRow]
    var any: Bool
    var more: String?
    /// The address of this list, to be loaded anew when something happens.
    var `self`: String
    /// Whether something that happens changes this list: not a later page of it.
    var live: Bool
    var emptyIcon: String
    var emptyTitle: String
    var emptyText: String
    /// Where one goes on.
    var offers: [PageLink]

    static func register(on routes: PageRoutes) {
        routes.get("/rides/mine") { visit in
            try visit.context.requirePerson()
            let page = try await load(visit)
            switch visit.isFragment ? visit.fragmentTarget : nil {
            case "mine": return visit.fragment("rides/my-list", page)
            case "more": return visit.fragment("rides/my-rows", page)
            default:
                let frame = PageFrame(
                    title: visit.words["mine.title"], tab: .me, width: "middle", scripts: ["myrides", "elsewhere"],
                    styles: ["rentals", "rides"])
                return try await visit.page("rides/my", page, frame)
            }
        }
    }

    static func path(_ tab: MyRidesTab) -> String { tab == .current ? path : "\(path)?tab=\(tab.rawValue)" }

    /// - Parameter tab: nil on the list of one's commutes.
    static func choices(_ tab: MyRidesTab?, in words: Words) -> [Choice] {
        let lists = MyRidesTab.allCases.map {
            Choice(href: path($0), text: words["mine.tab.\($0.rawValue)"], current: $0 == tab)
        }
        return lists + [Choice(href: CommutesPage.path, text: words["commutes.title"], current: tab == nil)]
    }

    private static func load(_ visit: Visit) async throws -> MyRidesPage {
        let tab = visit.query("tab").flatMap(MyRidesTab.init) ?? .current
        let query = MyRidesQuery(tab: tab, limit: 20, cursor: visit.query("cursor"))
        async let reviews = tab == .past ? toReview(visit) : []
        let found = try await visit.ask(RidesMethods.myRides, query, Nothing())
        return MyRidesPage(found, tab, await reviews, in: visit)
    }

    /// What one may still review; nothing where that can't be had.
    private static func toReview(_ visit: Visit) async -> [Encounter] {
        let asked = EncounterQuery(limit: 100)
        let found = try? await visit.ask(AuthMethods.encounters, asked, Nothing(), within: 2)
        return found?.items ?? []
    }

    private init(_ found: Page<MyRide>, _ tab: MyRidesTab, _ reviews: [Encounter], in visit: Visit) {
        let (words, here) = (visit.words, Self.path(tab))
        tabs = RideTabs(.mine, in: words).tabs
        choices = Self.choices(tab, in: words)
        rows = Self.paired(found.items).map { MyRidesRow($0, with: $1, tab, reviews, in: visit) }
        any = !rows.isEmpty
        more = found.next.map { "\(here)\(here.contains("?") ? "&" : "?")cursor=\(LocalPath.encoded($0))" }
        self.`self` = here
        live = visit.query("cursor") == nil
        emptyIcon = tab == .saved ? "star" : tab == .pending ? "hourglass" : "ride"
        emptyTitle = words["mine.empty.\(tab.rawValue)"]
        emptyText = words["mine.empty.\(tab.rawValue)Text"]
        let find = PageLink(href: RidesVertical.path, icon: "search", text: words["mine.find"])
        let offer = PageLink(href: OfferPages.path, icon: "plus", text: words["mine.offer"])
        offers = tab == .saved ? [find] : [find, offer]
    }

    /// Requests for both ways or none are answered at once: what comes later of the two stands in the row of the first.
    private static func paired(_ items: [MyRide]) -> [(MyRide, MyRide?)] {
        let requests = items.compactMap { item in item.request.map { ($0.id, item) } }
        let byRequest = Dictionary(requests) { first, _ in first }
        var shown: Set<SeatRequestID> = []
        return items.compactMap { item in
            guard let request = item.request, request.isOfBothWays, let id = request.together, let other = byRequest[id]
            else { return (item, nil) }
            shown.insert(request.id)
            return shown.contains(id) ? nil : (item, other)
        }
    }
}
