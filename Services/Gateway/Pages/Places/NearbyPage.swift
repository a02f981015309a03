import Hummingbird
import WireProtocol

/// `/places`: what of a kind is near, nearest first, with its map. `near=lat,lng` says around what, `place=` how that is called,
/// nothing the community's centre; `q=` searches for another place. Anybody may look.
struct NearbyPage {
    struct Kind {
        var text: String
        var href: String
        var chosen: Bool
    }

    var search: PlaceSearchForm
    var center: String
    var fit: String
    var basemap: String?
    var world: String?
    /// Where the one is who looks, if that is where is looked.
    var from: String?
    var heading: String
    var reach: String
    var kinds: [Kind]
    var places: [PlaceView]
    var any: Bool
    var emptyText: String
    var more: String?
    var farther: String?
    /// Whether there is somewhere else to go back to.
    var everywhere: Bool
    var attribution: String?

    static func register(on routes: PageRoutes) {
        routes.get("/places") { visit in
            try visit.context.requireSoundSession()
            if let matches = try await PlaceMatchesPage.answer(.places, in: visit) { return matches }
            let area = try await PlaceArea(in: visit)
            let query = area.query(visit.query("cursor"), in: visit.words.code)
            let found = try await visit.ask(PlacesMethods.nearby, query, Nothing())
            let page = NearbyPage(found, area, in: visit)
            switch visit.isFragment ? visit.fragmentTarget : nil {
            case "results": return visit.fragment("places/results", page)
            case "more": return visit.fragment("places/rows", page)
            default:
                let frame = PageFrame(
                    title: visit.words["places.title"], tab: .map, width: "", usesMap: true,
                    scripts: ["combobox", "nearby"])
                return try await visit.page("places/nearby", page, frame)
            }
        }
    }

    private init(_ found: Page<Place>, _ area: PlaceArea, in visit: Visit) {
        let words = visit.words
        search = PlaceSearchForm(.places, near: area.point, in: visit)
        center = area.point.written
        fit = BoundingBox(around: area.point, metres: 500).written
        basemap = visit.site.map("basemap.json")
        world = visit.site.map("world.json")
        from = area.isCenter || area.place != nil ? nil : area.point.written
        heading = area.heading(in: words)
        let far = Distance.reach(area.reach, in: words)
        reach = words["places.within", ["reach": far]]
        emptyText = words["places.emptyText", ["reach": far]]
        kinds = PlaceArea.kinds.map { kind in
            Kind(
                text: words["places.kinds.\(kind.rawValue)"], href: area.with(kind).path(), chosen: kind == area.kind)
        }
        places = found.items.map { PlaceView($0, from: area.point, in: visit) }
        any = !places.isEmpty
        more = found.next.map { area.path(cursor: $0) }
        farther = found.next == nil && area.reach < PlaceArea.farthest ? area.farther.path() : nil
        everywhere = !area.isCenter
        attribution = found.items.attribution
    }
}

/// Around what is looked, for which kind, and how far, as the page's address says it.
struct PlaceArea {
    /// What people look for, the most usual first. Streets and house numbers are found by name.
    static let kinds: [PlaceKind] = [
        .restaurant, .building, .parking, .town, .station, .shop, .school, .park, .hotel, .venue,
    ]
    static let usual = 2_000
    static let farthest = 50_000

    var point: Position
    var isCenter: Bool
    var kind: PlaceKind
    var reach: Int
    /// The place around which is looked, where one was chosen.
    var place: PlaceID?
    var name: String?

    /// - Throws: `malformed` where the address says around what, and it cannot be read.
    init(in visit: Visit) async throws {
        kind = visit.query("kind").flatMap { PlaceKind(rawValue: $0) } ?? Self.kinds[0]
        let far = visit.query("far") == "yes" || kind == .town
        reach = far ? Self.farthest : Self.usual
        place = visit.query("place").flatMap { PlaceID($0) }
        let known = await visit.place(place)
        name = known?.name
        let near = try visit.query("near").map { written in
            guard let point = Position(written: written) else {
                throw ServiceError(.malformed, "Say around what: near=latitude,longitude.")
            }
            return point
        }
        let given = near ?? known?.position
        isCenter = given == nil
        point = given ?? visit.community.center
    }

    func query(_ cursor: String?, in language: String) -> NearbyPlaceQuery {
        NearbyPlaceQuery(at: point, kind: kind, radius: reach, limit: 20, cursor: cursor, language: language)
    }

    func with(_ kind: PlaceKind) -> PlaceArea {
        var other = self
        (other.kind, other.reach) = (kind, kind == .town ? Self.farthest : Self.usual)
        return other
    }

    var farther: PlaceArea {
        var other = self
        other.reach = Self.farthest
        return other
    }

    func heading(in words: Words) -> String {
        let kinds = words["places.kinds.\(kind.rawValue)"]
        if let name { return words["places.around.place", ["kinds": kinds, "place": name]] }
        return words[isCenter ? "places.around.center" : "places.around.near", ["kinds": kinds]]
    }

    func path(cursor: String? = nil) -> String {
        var pairs = isCenter ? [] : [("near", point.written)]
        if let place, name != nil { pairs.append(("place", place.description)) }
        pairs.append(("kind", kind.rawValue))
        if reach == Self.farthest, kind != .town { pairs.append(("far", "yes")) }
        if let cursor { pairs.append(("cursor", cursor)) }
        return "/places?" + pairs.map { "\($0)=\(LocalPath.encoded($1))" }.joined(separator: "&")
    }
}

extension Visit {
    /// A place that an address names, for its name; nil where it is not there or cannot be asked for.
    func place(_ id: PlaceID?) async -> Place? {
        guard let id else { return nil }
        return try? await ask(PlacesMethods.place, PlaceReference(id: id, language: words.code), Nothing(), within: 1)
    }
}
