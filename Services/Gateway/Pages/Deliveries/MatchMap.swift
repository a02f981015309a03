import PlainText
import WireProtocol

/// The way of a delivery on a map (`matches/map`, `matchmap.js`): from the restaurant to where it is brought, and for its deliverer on to where they go. The
/// page says the same in words.
struct MatchMap {
    var center: String
    /// `60.17,24.95;60.18,24.96`
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
    init(of match: DeliveryMatch, in visit: Visit) async {
        let places = [match.restaurant, match.dropOff] + (match.role == .deliverer ? [match.destination] : [])
        var points: [Position] = []
        for place in places where points.last != place.position { points.append(place.position) }
        let query = PlaceRouteQuery(points: points, mode: .walking)
        let route =
            points.count > 1 ? try? await visit.ask(PlacesMethods.route, query, Nothing(), within: 1) : nil
        let shape = route.map(\.shape).flatMap { $0.count > 1 ? $0 : nil } ?? points
        let legs = route?.legs.map(\.alongStreets) ?? []
        isStraight = !legs.contains(true)
        said = visit.words["rides.map.\(isStraight ? "straight" : legs.contains(false) ? "partly" : "streets")"]
        center = shape[shape.count / 2].written
        way = Self.written(shape)
        stops = Self.written(points)
        basemap = visit.site.map("basemap.json")
        world = visit.site.map("world.json")
        label = visit.words["matches.map", ["title": match.title]]
        attribution = route?.attribution.joined(separator: " · ").nonEmpty
    }

    private static func written(_ points: [Position]) -> String { points.map(\.written).joined(separator: ";") }
}
