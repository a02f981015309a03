import Hummingbird
import WireProtocol

/// `/rides/commutes`: what one drives on the same days of each week, the latest posted first.
struct CommutesPage {
    /// One of them (`rides/commute-rows`).
    struct Row {
        var commute: CommuteView
        /// When the next ride is, or that there is none yet.
        var next: String?
        var isOver: Bool
        /// How many have to do with its rides.
        var asked: String?
    }

    static let path = "/rides/commutes"

    var tabs: [PageLink]
    var choices: [MyRidesPage.Choice]
    var rows: [Row]
    var any: Bool
    var more: String?
    var offer: String

    static func register(on routes: PageRoutes) {
        routes.get("/rides/commutes") { visit in
            try visit.context.requirePerson()
            let query = MySeriesQuery(limit: 20, cursor: visit.query("cursor"))
            let page = CommutesPage(try await visit.ask(RidesMethods.mySeries, query, Nothing()), in: visit)
            if visit.isFragment, visit.fragmentTarget == "more" { return visit.fragment("rides/commute-rows", page) }
            let frame = PageFrame(
                title: visit.words["commutes.title"], tab: .me, width: "middle", styles: ["rentals", "rides"])
            return try await visit.page("rides/commutes", page, frame)
        }
    }

    private init(_ found: Page<RideSeries>, in visit: Visit) {
        tabs = RideTabs(.mine, in: visit.words).tabs
        choices = MyRidesPage.choices(nil, in: visit.words)
        rows = found.items.map { Row($0, in: visit) }
        any = !rows.isEmpty
        more = found.next.map { "\(Self.path)?cursor=\(LocalPath.encoded($0))" }
        offer = "\(OfferPages.path)?repeat=yes"
    }
}

extension CommutesPage.Row {
    fileprivate init(_ series: RideSeries, in visit: Visit) {
        let words = visit.words
        commute = CommuteView(series, in: visit)
        isOver = series.isOver
        let days = CommuteDays(series.zone(in: visit), in: visit)
        next = series.rides.first.map { words["commutes.next", ["time": days.moment($0.departsAt)]] }
        let requests = series.rides.reduce(0) { $0 + $1.requests }
        asked = requests > 0 ? words["commutes.asked", count: requests] : nil
    }
}
