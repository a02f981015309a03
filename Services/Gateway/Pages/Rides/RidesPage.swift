import Hummingbird
import WireProtocol

/// `/rides`: where one looks for a ride, by its two ends or by region. `from=` and `to=` fill the form in. Anybody may look.
struct RidesPage {
    struct Region {
        var href: String
        var name: String
        var text: String
    }

    var tabs: [PageLink]
    var search: RideSearchForm
    var regions: [Region]
    var any: Bool

    static func register(on routes: PageRoutes) {
        routes.get("/rides") { visit in
            try visit.context.requireSoundSession()
            let found = try await visit.ask(RidesMethods.regions, Nothing(), Nothing()).items
            let page = RidesPage(found, in: visit)
            let frame = PageFrame(
                title: visit.words["rides.title"], tab: .home, width: "middle", scripts: ["combobox"], styles: ["rides"]
            )
            return try await visit.page("rides/rides", page, frame)
        }
    }

    private init(_ found: [RegionOfRides], in visit: Visit) {
        let words = visit.words
        tabs = RideTabs(.find, in: words).tabs
        search = RideSearchForm(RideSearch(reading: visit), in: visit)
        regions = found.filter { $0.from + $0.to > 0 }.map { region in
            let numbers = ["from": Self.number(region.from), "to": Self.number(region.to)]
            return Region(
                href: RideRegionPage.path(region.region, region.from > 0 ? .from : .to), name: region.region,
                text: words["rides.regions.counts", numbers])
        }
        any = !regions.isEmpty
    }

    /// The service counts no further than to 99.
    private static func number(_ count: Int) -> String { count < 99 ? String(count) : "99+" }
}
