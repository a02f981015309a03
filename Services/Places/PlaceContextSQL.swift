import DurableMessaging
import Postgres
import WireProtocol

// The statements that say what may be meant behind a comma: a few look-ups in indexes of names.

extension PlaceStore {
    private static let mostCodes = 300
    private static let looked = 2_000
    private static let shortest = 3

    func understood(_ key: String, written text: String) async throws -> PlaceContext {
        var context = PlaceContext(text: text, key: key)
        for row in try await database.read(Self.regions(called: key)) {
            if let code: String = try row.get("code") { context.codes.append(code) }
            if try row.get("is_whole", as: Bool.self) { context.isWhole = true }
        }
        for row in try await database.read(Self.towns(called: key)) {
            let middle = PlaceContext.Middle(latitude: try row.get("latitude"), longitude: try row.get("longitude"))
            context.towns.append(try row.get("own"))
            context.middles.append(middle)
            if try row.get("is_whole", as: Bool.self) { context.isWhole = true }
        }
        let around = context.middles.flatMap {
            PlaceCell.around(Position(latitude: $0.latitude, longitude: $0.longitude))
        }
        context.cells = Set(around).sorted()
        return context
    }

    /// Regions and countries whose names begin so or are the beginning of it (`illinois us`), by `regions_by_key`, `region_names_by_key`,
    /// `regions_by_short_code`, `areas_by_key` and the key of `regions`.
    private static func regions(called key: String) -> SQLQuery {
        let words = key.split(separator: " ")
        let beginnings = words.indices.dropFirst().map { words[..<$0].joined(separator: " ") }
        let range: SQLQuery = "key >= \(key) AND key < \(key + "\u{10FFFF}")"
        return """
            SELECT code, bool_or(whole) AS is_whole FROM (
                (SELECT code, key = \(key) AS whole FROM regions WHERE \(range) LIMIT \(unescaped: "\(mostCodes)"))
                UNION ALL (SELECT code, key = \(key) FROM region_names WHERE \(range) LIMIT \(unescaped: "\(mostCodes)"))
                UNION ALL SELECT code, true FROM regions WHERE key = ANY(\(beginnings)::text[])
                UNION ALL SELECT code, true FROM region_names WHERE key = ANY(\(beginnings)::text[])
                UNION ALL SELECT code, true FROM regions WHERE code = upper(\(key)::text)
                UNION ALL (SELECT NULL, true FROM regions WHERE lower(split_part(code, '.', 2)) = \(key) LIMIT 1)
                UNION ALL (SELECT NULL, true FROM areas WHERE key = \(key) LIMIT 1)
            ) AS found GROUP BY code LIMIT \(unescaped: "\(mostCodes)")
            """
    }

    /// The most important towns and parts of towns that are called so, by `names_by_key`; from three letters on those that begin so as well, by the index
    /// of as many letters.
    private static func towns(called key: String) -> SQLQuery {
        let count = key.unicodeScalars.count
        var found: SQLQuery = """
            (SELECT place, key FROM (
                SELECT place, key, kind, rank FROM names WHERE key = \(key) ORDER BY rank DESC LIMIT \(unescaped: "\(looked)")
            ) AS whole WHERE kind IN ('town', 'district') ORDER BY rank DESC LIMIT 16)
            """
        if count >= shortest {
            let indexed = [6, 4, 3].first { $0 <= count } ?? shortest
            let first = String(String.UnicodeScalarView(key.unicodeScalars.prefix(indexed)))
            found += """
                 UNION ALL (SELECT place, key FROM (
                    SELECT place, key, kind, rank FROM names WHERE left(key, \(unescaped: "\(indexed)")) = \(first)
                    ORDER BY rank DESC LIMIT \(unescaped: "\(looked)")
                ) AS begun WHERE starts_with(key, \(key)) AND kind IN ('town', 'district') ORDER BY rank DESC LIMIT 12)
                """
        }
        return """
            SELECT p.latitude, p.longitude, name_key(p.name) AS own, bool_or(found.key = \(key)) AS is_whole
            FROM (\(found)) AS found JOIN places p ON p.id = found.place GROUP BY p.id
            """
    }
}
