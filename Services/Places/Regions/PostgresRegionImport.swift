import Postgres
import WireProtocol

/// The regions of one source: all that its file says, and nothing else.
struct PostgresRegionImport: Sendable {
    let transaction: PostgresTransaction
    let source: PlaceSource

    /// Names of states and countries, by their codes.
    func replace(names: [(code: String, name: String)]) async throws {
        try await transaction.query(
            """
            INSERT INTO regions (code, name, key, source)
            SELECT code, name, name_key(name), \(source.name)
            FROM unnest(\(names.map(\.code))::text[], \(names.map(\.name))::text[]) AS r (code, name)
            ON CONFLICT (code) DO UPDATE SET name = excluded.name, key = excluded.key, source = excluded.source
            """)
        try await transaction.query(
            "DELETE FROM regions WHERE source = \(source.name) AND code <> ALL (\(names.map(\.code))::text[])")
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
