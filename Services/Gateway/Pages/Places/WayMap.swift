import PlainText
import WireProtocol

/// A way on a map (`places/way-map`), which a script of the page draws: along streets where places knows them, else in straight lines. The same is said in words beside it.
struct WayMap {
    /// By which the script finds it.
    var id: String
    var center: String
    /// `60.17,24.95;60.4,25.1`
    var way: String
    var stops: String
    /// Not even a part of it is along streets.
    var isStraight: Bool
    var said: String
    var basemap: String?
    var world: String?
    var label: String
    /// Whose streets those are.
    var attribution: String?

    /// The page does without streets where places is slow or away.
    /// - Parameter title: of what the way is.
    init(_ id: String, through points: [Position], _ mode: TravelMode, of title: String, in visit: Visit) async {
        let query = PlaceRouteQuery(points: points, mode: mode)
        let route =
            points.count > 1 ? try? await visit.ask(PlacesMethods.route, query, Nothing(), within: 1) : nil
        let shape = route.map(\.shape).flatMap { $0.count > 1 ? $0 : nil } ?? points
        let legs = route?.legs.map(\.alongStreets) ?? []
        self.id = id
        isStraight = !legs.contains(true)
        said = visit.words["way.map.\(isStraight ? "straight" : legs.contains(false) ? "partly" : "streets")"]
        center = shape[shape.count / 2].written
        way = Self.written(shape)
        stops = Self.written(points)
        basemap = visit.site.map("basemap.json")
        world = visit.site.map("world.json")
        label = visit.words["way.map.label", ["title": title]]
        attribution = route?.attribution.joined(separator: " · ").nonEmpty
    }

    private static func written(_ points: [Position]) -> String { points.map(\.written).joined(separator: ";") }
}
