import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

/// Places in the tables `places`, `names` and `anchors`.
struct PlaceStore: Sendable {
    let database: Database

    /// As names are compared.
    func keys(of texts: [String]) async throws -> [String] {
        try await database.read(
            "SELECT name_key(text) AS key FROM unnest(\(texts)::text[]) WITH ORDINALITY AS t (text, number) ORDER BY number"
        ).map { try $0.get("key") }
    }

    /// Those whose names begin as the search says, the best first.
    func beginning(_ search: PlaceSearch) async throws -> [FoundPlace] {
        try await database.read(search.beginningStatement).map(FoundPlace.init)
    }

    /// Those whose names begin as they do but for one letter.
    func slipped(_ search: PlaceSearch) async throws -> [FoundPlace] {
        try await database.read(search.slippedStatement).map(FoundPlace.init)
    }

    /// Those whose whole name is one of some keys.
    func called(_ keys: [String], _ search: PlaceSearch) async throws -> [FoundPlace] {
        try await database.read(search.calledStatement(keys)).map(FoundPlace.init)
    }

    func matching(_ pattern: PlaceSearch.Pattern, _ search: PlaceSearch) async throws -> [FoundPlace] {
        try await database.read(search.statement(for: pattern)).map(FoundPlace.init)
    }

    /// Those whose names are much like it.
    func alike(_ search: PlaceSearch) async throws -> [FoundPlace] {
        try await database.read(search.alikeStatement).map(FoundPlace.init)
    }

    func place(_ id: PlaceID, in language: String?) async throws -> Place? {
        let rows = try await database.read(
            "SELECT \(Place.columns(in: language)), p.names FROM places p \(Place.joins) WHERE p.id = \(id.uuid)")
        guard let row = rows.first else { return nil }
        var place = try Place(row)
        place.names = try row.get("names", as: JSON<[String: String]>?.self)?.value.sorted { $0.key < $1.key }
            .map { PlaceName(language: $0.key, name: $0.value) }
        return place
    }

    /// Up to here all kinds are looked for at once, in one box; what may be farther away, and is rare, kind by kind.
    private static let close = 150.0

    /// The nearest of each kind, within the metres given; the nearest town of the same country, within fifty kilometres.
    func nearest(to point: Position, of kinds: [PlaceKind: Double], in language: String?) async throws -> [Place] {
        let others = kinds.filter { $0.key != .street && $0.key != .town }.sorted { $0.key.rawValue < $1.key.rawValue }
        var statements: [SQLQuery] = []
        let close = others.filter { $0.value <= Self.close }
        if !close.isEmpty { statements.append(nearest(to: point, amongClose: close)) }
        for (kind, metres) in others where metres > Self.close {
            statements.append(
                """
                (SELECT id, \(point.metres(to: "globe")) AS metres FROM places
                    WHERE kind = \(kind.rawValue) AND globe <@ earth_box(\(point.onEarth), \(metres))
                    ORDER BY \(point.chord) LIMIT 1)
                """)
        }
        if kinds[.town] != nil {
            statements.append(
                """
                (SELECT id, sec_to_gc(chord) AS metres
                    FROM towns_about(\(point.settled.latitude), \(point.settled.longitude)) ORDER BY chord, id LIMIT 1)
                """)
        }
        if let metres = kinds[.street] {
            statements.append(
                """
                (SELECT place AS id, \(point.metres(to: "globe")) AS metres FROM anchors
                    WHERE globe <@ earth_box(\(point.onEarth), \(metres))
                    ORDER BY \(point.chord) LIMIT 1)
                """)
        }
        guard let first = statements.first else { return [] }
        let found = statements.dropFirst().reduce(first) { $0 + " UNION ALL " + $1 }
        return try await database.read(
            """
            SELECT \(Place.columns(in: language)), found.metres
            FROM (\(found)) AS found JOIN places p ON p.id = found.id \(Place.joins)
            """
        ).map { try Place($0, metres: $0.get("metres")) }
    }

    /// The nearest of each kind within its metres, from the index alone.
    private func nearest(to point: Position, amongClose kinds: [(key: PlaceKind, value: Double)]) -> SQLQuery {
        let boxes = BoundingBox(around: point, metres: kinds.map(\.value).max() ?? 0).parts
        let around = boxes.map { box -> SQLQuery in
            """
            SELECT id, kind, latitude, longitude FROM places
            WHERE kind NOT IN ('town', 'street') AND point(longitude, latitude)
                <@ box(point(\(box.west), \(box.south)), point(\(box.east), \(box.north)))
            """
        }
        return """
            (SELECT DISTINCT ON (kind) id, metres FROM (
                SELECT id, kind, 2 * earth() * asin(sqrt(least(1, sind((latitude - \(point.latitude)) / 2) ^ 2
                    + cosd(latitude) * cosd(\(point.latitude)) * sind((longitude - \(point.longitude)) / 2) ^ 2))) AS metres
                FROM (\(around.dropFirst().reduce(around[0]) { $0 + " UNION ALL " + $1 })) AS box
            ) AS around JOIN unnest(\(kinds.map(\.key.rawValue))::text[], \(kinds.map(\.value)))
                AS wanted (kind, most) USING (kind)
            WHERE metres <= most ORDER BY kind, metres, id)
            """
    }

    /// The community's region that a point is in, else the state or province of the town there; and from which files that is (`imports`).
    func region(at point: Position) async throws -> (region: PlaceRegion?, imports: String) {
        let rows = try await database.read(
            """
            WITH town AS MATERIALIZED (
                SELECT * FROM town_around(\(point.settled.latitude), \(point.settled.longitude))
            ), found AS (
                SELECT 1 AS turn, a.name, a.source
                FROM (SELECT (SELECT name FROM town) AS name, (SELECT region FROM town) AS region,
                    (SELECT country FROM town) AS country) AS around
                CROSS JOIN LATERAL area_at(\(point.latitude), \(point.longitude), around.name, around.region, around.country) AS here
                JOIN areas a ON a.id = here.area
                UNION ALL SELECT 2, r.name, r.source FROM town JOIN regions r ON r.code = town.region
            )
            SELECT imports, region.* FROM (\(Self.imports)) AS files LEFT JOIN (
                SELECT found.name, turn = 1 AS community, s.attribution || ', ' || s.licence AS attribution
                FROM found JOIN sources s ON s.name = found.source ORDER BY turn LIMIT 1
            ) AS region ON true
            """)
        let name: String? = try rows[0].get("name")
        let region = try name.map { name in
            PlaceRegion(
                name: name, community: try rows[0].get("community"), attribution: try rows[0].get("attribution"))
        }
        return (region, try rows[0].get("imports"))
    }

    /// Which files there are: another text after each import.
    func imports() async throws -> String {
        try await database.read(Self.imports)[0].get("imports")
    }

    private static let imports: SQLQuery =
        "SELECT coalesce(string_agg(name || ' ' || digest, ' ' ORDER BY name), '') AS imports FROM sources"

    /// The index gives them by distance alone, hence WITH TIES, and the order by id around it.
    func nearby(_ page: NearbyPage) async throws -> [NearbyPlace] {
        let point = page.point
        return try await database.read(
            """
            SELECT \(Place.columns(in: page.language)), chord, sec_to_gc(chord) AS metres FROM (
                SELECT id, \(point.chord) AS chord FROM places
                WHERE kind = \(page.kind.rawValue) AND \(point.isNear(within: page.radius)) \(point.beyond(page.after))
                ORDER BY \(point.chord)
                FETCH FIRST \(unescaped: "\(page.limit + 1)") ROWS WITH TIES
            ) AS nearest JOIN places p USING (id) \(Place.joins)
            ORDER BY chord, p.id LIMIT \(unescaped: "\(page.limit + 1)")
            """
        ).map { NearbyPlace(place: try Place($0, metres: $0.get("metres")), chord: try $0.get("chord")) }
    }
}

extension FoundPlace {
    init(_ row: PostgresRow) throws {
        place = try Place(row, metres: row.get("metres"))
        score = try row.get("score")
        key = try row.get("found_by")
        form = try row.get("form")
        isSimilar = try row.get("is_similar")
        let written: String? = try row.get("written")
        // Shown in that language, it says nothing new.
        if let written, written != place.name { place.foundBy = written }
    }
}
