import WireProtocol

/// Where the list and the map look, as the page's address says it.
enum SpotSearch: Hashable {
    /// Around the person; nearest first.
    case near(Position)
    /// The part of the map that was searched, and where the person is, if that is known.
    case box(BoundingBox, at: Position?)
    /// Around the community's centre; newest first.
    case center(Position)

    static let reach = 5000.0
    static let limit = 100

    init(in visit: Visit) {
        if let place = Position(written: visit.query("near")) {
            self = .near(place)
        } else if let box = BoundingBox(written: visit.query("bbox")) {
            self = .box(box, at: Position(written: visit.query("at")))
        } else {
            self = .center(visit.community.center)
        }
    }

    func query(cursor: String?) -> SpotQuery {
        switch self {
        case .near(let place): SpotQuery(near: place, radius: Int(Self.reach), limit: Self.limit, cursor: cursor)
        case .box, .center: SpotQuery(bbox: box, limit: Self.limit, cursor: cursor)
        }
    }

    /// What the live stream is limited to.
    var box: BoundingBox {
        switch self {
        case .near(let place), .center(let place): Distance.box(around: place, metres: Self.reach)
        case .box(let box, _): box
        }
    }

    /// Where distances are taken from.
    var place: Position? {
        switch self {
        case .near(let place): place
        case .box(_, let place): place
        case .center: nil
        }
    }

    /// How the catalogue calls it: `count.near` …
    var name: String {
        switch self {
        case .near: "near"
        case .box: "here"
        case .center: "center"
        }
    }

    /// The page's address.
    func path(cursor: String? = nil) -> String {
        let more = cursor.map { [("cursor", $0)] } ?? []
        let pairs: [(String, String)] =
            switch self {
            case .near(let place): [("near", place.written)]
            case .box(let box, let place): [("bbox", box.written)] + (place.map { [("at", $0.written)] } ?? [])
            case .center: []
            }
        let query = (pairs + more).map { "\($0)=\(LocalPath.encoded($1))" }.joined(separator: "&")
        return query.isEmpty ? "/parking" : "/parking?\(query)"
    }
}
