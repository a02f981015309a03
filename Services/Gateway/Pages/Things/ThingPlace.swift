import PlainText
import WireProtocol

/// Where a thing is, as far as the one who looks may know it (`things/where`): a map, the same in words, and the way where it is the door.
struct ThingPlace {
    var center: String
    /// The field of the grid in which it lies, where that is all that is told: `west,south,east,north`.
    var area: String?
    var basemap: String?
    var world: String?
    var mapLabel: String
    var text: String
    var directions: DirectionsView?

    /// Nil where it has no position.
    init?(of thing: Thing, _ way: WayView, in visit: Visit) {
        guard let position = thing.position else { return nil }
        let words = visit.words
        center = position.written
        basemap = visit.site.map("basemap.json")
        world = visit.site.map("world.json")
        mapLabel = words[thing.isExact ? "places.pinLabel" : "things.areaLabel", ["name": thing.title]]
        let place = [thing.isExact ? thing.address ?? thing.place : thing.place, thing.region]
        let said = place.compactMap { $0?.nonEmpty }.joined(separator: ", ")
        if thing.isExact {
            text = said.isEmpty ? position.shown : said
            directions = DirectionsView(to: position, called: thing.title, way, in: visit)
        } else {
            area = thing.area?.written
            text = said.isEmpty ? words["things.areaOnly"] : words["things.area", ["place": said]]
        }
    }
}

extension Thing {
    /// Half of a field of the grid, in degrees.
    private static let half = 0.0025

    /// The field of the grid in which it lies, where that is all that is told.
    var area: BoundingBox? {
        guard !isExact, let position else { return nil }
        return BoundingBox(
            west: position.longitude - Self.half, south: position.latitude - Self.half,
            east: position.longitude + Self.half, north: position.latitude + Self.half)
    }
}
