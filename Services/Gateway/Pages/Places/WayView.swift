import Hummingbird
import PlainText
import WireProtocol

/// How far it is to somewhere, from where one is (`places/way`): asked for with the page (`?at=lat,lng`), or by `way.js` once the
/// device has said where it is.
struct WayView {
    /// On foot along the streets; nil where places knows no way, or is away.
    var walk: String?
    /// Whose streets those are.
    var attribution: String?
    /// The straight line, which says that it is one.
    var straight: String?

    static func register(on routes: PageRoutes) {
        routes.get("/places/way") { visit in
            guard let target = Position(written: visit.query("to")) else {
                throw ServiceError(.malformed, "Say where to: to=latitude,longitude.")
            }
            return visit.fragment("places/way", await WayView(to: target, in: visit))
        }
    }

    /// From nowhere: nothing is said.
    init() {}

    init(to target: Position, in visit: Visit) async {
        guard let here = Position(written: visit.query("at")) else { return }
        let words = visit.words
        let distance = Distance.reach(Distance.between(here, target), in: words)
        straight = words["way.straight", ["distance": distance]]
        let query = PlaceDistanceQuery(from: here, to: [target], mode: .walking)
        guard let found = try? await visit.ask(PlacesMethods.distances, query, Nothing(), within: 2),
            let way = found.items.first, way.alongStreets, let seconds = way.seconds
        else { return }
        walk =
            words[
                "way.walk",
                ["distance": Distance.reach(way.metres, in: words), "time": Self.time(seconds, in: words)]]
        attribution = found.attribution.joined(separator: " · ").nonEmpty
    }

    /// As exact as one can walk: minutes, and hours where there are many.
    private static func time(_ seconds: Int, in words: Words) -> String {
        let minutes = max(1, (seconds + 30) / 60)
        return minutes < 90 ? words["share.minutes", count: minutes] : words["share.hours", count: (minutes + 30) / 60]
    }
}
