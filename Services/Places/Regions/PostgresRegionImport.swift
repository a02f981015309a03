import Postgres
import WireProtocol

/// The regions of one source: all that its file says, and nothing else.
struct PostgresRegionImport: Sendable {
    let transaction: PostgresTransaction
    let source: PlaceSource

    /// Names of states and countries, by their codes.
    func replace(names: [RegionName]) async throws {
        try await transaction.query(
            """
            INSERT INTO regions (code, name, key, source)
            SELECT code, name, name_key(name), \(source.name)
            FROM unnest(\(names.map(\.code))::text[], \(names.map(\.name))::text[]) AS r (code, name)
            ON CONFLICT (code) DO UPDATE SET name = excluded.name, key = excluded.key, source = excluded.source
            """)
        try await transaction.query(
            "DELETE FROM regions WHERE source = \(source.name) AND code <> ALL (\(names.map(\.code))::text[])")
        try await transaction.query("DELETE FROM region_names WHERE code = ANY (\(names.map(\.code))::text[])")
        let others = names.flatMap { region in region.others.map { (region.code, $0) } }
        // "The Netherlands" is looked for without its article as well.
        try await transaction.query(
            """
            INSERT INTO region_names (code, key)
            SELECT DISTINCT code, key FROM (
                SELECT code, name_key(name) AS key
                FROM unnest(\(others.map(\.0))::text[], \(others.map(\.1))::text[]) AS r (code, name)
                UNION ALL SELECT code, substr(key, 5) FROM regions WHERE source = \(source.name) AND key LIKE 'the %'
            ) AS every WHERE key <> ''
            """)
    }

    /// Which country a point is in: with it towns know theirs, and places their towns.
    func replace(countries: [Region]) async throws {
        try await transaction.query("DELETE FROM outlines WHERE source = \(source.name)")
        // Parts of the world, because two features may be of one country.
        var part = 0
        for country in countries {
            for shape in country.shapes {
                part += 1
                let rings = [shape.outer] + shape.holes
                try await transaction.query(
                    """
                    INSERT INTO outlines (source, country, part, is_hole, ring, west, south, east, north, extent, blur)
                    SELECT \(source.name), \(country.country ?? ""), \(part), number > 1, ring::polygon, west, south, east, north,
                        \(country.extent), \(country.blur)
                    FROM unnest(\(rings.map(\.text))::text[], \(rings.map(\.west)), \(rings.map(\.south)),
                        \(rings.map(\.east)), \(rings.map(\.north))) WITH ORDINALITY
                        AS r (ring, west, south, east, north, number)
                    """)
            }
        }
        let settlement = PlaceSettlement(transaction: transaction)
        try await settlement.begin()
        try await settlement.note("true")
        try await settlement.settle()
    }

    func replace(_ regions: [Region]) async throws {
        try await transaction.query("DELETE FROM areas WHERE source = \(source.name)")
        for region in regions {
            let id = PlaceRecord.id(of: region.sourceID, in: source.name).uuid
            try await transaction.query(
                """
                INSERT INTO areas (id, source, name, key, extent)
                VALUES (\(id), \(source.name), \(region.name), name_key(\(region.name)), \(region.extent))
                """)
            for (part, shape) in region.shapes.enumerated() {
                let rings = [shape.outer] + shape.holes
                try await transaction.query(
                    """
                    INSERT INTO area_shapes (area, part, is_hole, ring, west, south, east, north)
                    SELECT \(id), \(part), number > 1, ring::polygon, west, south, east, north
                    FROM unnest(\(rings.map(\.text))::text[], \(rings.map(\.west)), \(rings.map(\.south)),
                        \(rings.map(\.east)), \(rings.map(\.north))) WITH ORDINALITY
                        AS r (ring, west, south, east, north, number)
                    """)
            }
            try await transaction.query(
                """
                INSERT INTO area_towns (area, town, country, region)
                SELECT \(id), name_key(town), country, region
                FROM unnest(\(region.towns.map(\.name))::text[], \(region.towns.map(\.country))::text[],
                    \(region.towns.map(\.region))::text[]) AS t (town, country, region)
                """)
        }
        try await PlaceSettlement(transaction: transaction).assignAreas()
    }
}

extension Ring {
    /// As PostgreSQL writes a polygon.
    fileprivate var text: String {
        "(" + corners.map { "(\($0.longitude),\($0.latitude))" }.joined(separator: ",") + ")"
    }
    fileprivate var west: Double { corners.map(\.longitude).min()! }
    fileprivate var south: Double { corners.map(\.latitude).min()! }
    fileprivate var east: Double { corners.map(\.longitude).max()! }
    fileprivate var north: Double { corners.map(\.latitude).max()! }
}
