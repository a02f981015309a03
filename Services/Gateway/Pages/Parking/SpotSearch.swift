import WireProtocol

/// Where the list and the map look, as the page's address says it.
enum SpotSearch: Hashable {
    /// Around the person, or a place that was chosen, as far as so many metres; nearest first.
    case near(Position, ChosenPlace?, within: Int)
    /// The part of the map that was searched, and where the person is, if that is known.
    case box(BoundingBox, at: Position?)
    /// Around the community's centre; newest first.
    case center(Position)

    static let reach = 5000.0
    static let limit = 100
    /// How far is looked where nothing is said, in whole metres, and how far may be looked.
    private static let usual = Int(reach)
    private static let reaches = 100...50_000

    /// A place by which spots are looked for.
    struct ChosenPlace: Hashable {
        var id: PlaceID
        /// Nil where it is not known any more, or cannot be asked for.
        var name: String?
    }

    /// - Throws: `malformed` where the address says where to look and it cannot be read: who asked for one part of the earth is not shown another.
    init(in visit: Visit) async throws {
        if let written = visit.query("near") {
            guard let place = Position(written: written) else {
                throw ServiceError(.malformed, "Say around what: near=latitude,longitude.")
            }
            let id = visit.query("place").flatMap { PlaceID($0) }
            let name = await visit.place(id)?.name
            let reach = visit.query("radius").flatMap { Int($0) }.flatMap { Self.reaches.contains($0) ? $0 : nil }
            self = .near(place, id.map { ChosenPlace(id: $0, name: name) }, within: reach ?? Self.usual)
        } else if let written = visit.query("bbox") {
            guard let box = BoundingBox(written: written) else {
                throw ServiceError(.malformed, "Say which part of the map: bbox=west,south,east,north in degrees.")
            }
            self = .box(box, at: Position(written: visit.query("at")))
        } else {
            self = .center(visit.community.center)
        }
    }

    func query(cursor: String?) -> SpotQuery {
        switch self {
        case .near(let place, _, let reach): SpotQuery(near: place, radius: reach, limit: Self.limit, cursor: cursor)
        case .box, .center: SpotQuery(bbox: box, limit: Self.limit, cursor: cursor)
        }
    }

    /// What the live stream is limited to.
    var box: BoundingBox {
        switch self {
        case .near(let place, _, let reach): BoundingBox(around: place, metres: Double(reach))
        case .center(let place): BoundingBox(around: place, metres: Self.reach)
        case .box(let box, _): box
        }
    }

    /// Where distances are taken from.
    var place: Position? {
        switch self {
        case .near(let place, _, _): place
        case .box(_, let place): place
        case .center: nil
        }
    }

    /// How the catalogue calls it: `count.near` …
    var name: String {
        switch self {
        case .near(_, nil, let reach): reach == Self.usual ? "near" : "here"
        case .near(_, let chosen?, _): chosen.name == nil ? "here" : "place"
        case .box: "here"
        case .center: "center"
        }
    }

    /// The name of the place that was chosen.
    var placeName: String? {
        if case .near(_, let chosen, _) = self { chosen?.name } else { nil }
    }

    /// Where the person is, as far as the address says it: a place that was chosen is somewhere else, and so may be what a distance was said for.
    var here: Position? {
        switch self {
        case .near(let place, nil, let reach): reach == Self.usual ? place : nil
        case .box(_, let place): place
        case .near, .center: nil
        }
    }

    /// The page's address.
    func path(cursor: String? = nil) -> String {
        let more = cursor.map { [("cursor", $0)] } ?? []
        let pairs: [(String, String)] =
            switch self {
            case .near(let place, let chosen, let reach):
                [
                    ("near", place.written), ("place", chosen?.id.description ?? ""),
                    ("radius", reach == Self.usual ? "" : String(reach)),
                ].filter { !$0.1.isEmpty }
            case .box(let box, let place): [("bbox", box.written)] + (place.map { [("at", $0.written)] } ?? [])
            case .center: []
            }
        let query = (pairs + more).map { "\($0)=\(LocalPath.encoded($1))" }.joined(separator: "&")
        return query.isEmpty ? "/parking" : "/parking?\(query)"
    }
}
