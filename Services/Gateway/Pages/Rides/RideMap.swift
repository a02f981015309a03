import PlainText
import WireProtocol

/// The way of a ride on a map (`rides/map`, `ridemap.js`): along streets where places knows them, else in straight lines. The same is said in words beside it.
struct RideMap {
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
    init(of ride: Ride, in visit: Visit) async {
        let points = ride.stops.map(\.position)
        let query = PlaceRouteQuery(points: points)
        let route = try? await visit.ask(PlacesMethods.route, query, Nothing(), within: 1)
        let shape = route.map(\.shape).flatMap { $0.count > 1 ? $0 : nil } ?? points
        let legs = route?.legs.map(\.alongStreets) ?? []
        isStraight = !legs.contains(true)
        said = visit.words["rides.map.\(isStraight ? "straight" : legs.contains(false) ? "partly" : "streets")"]
        center = shape[shape.count / 2].written
        way = Self.written(shape)
        stops = Self.written(points)
        basemap = visit.site.map("basemap.json")
        world = visit.site.map("world.json")
        label = visit.words["rides.map.label", ["title": ride.title(in: visit.words)]]
        attribution = route?.attribution.joined(separator: " · ").nonEmpty
    }

    private static func written(_ points: [Position]) -> String { points.map(\.written).joined(separator: ";") }
}
