import DurableMessaging
import Postgres
import WireProtocol

// The statements that answer a search. README.md has the formula of their order, and their plans.

extension PlaceSearch {
    /// Names that begin so, best first: so many of all the earth, and those around the one who types.
    private static let worldwide = 120
    private static let around = 300
    /// Where what follows a comma leaves most of them out.
    private static let beforeContext = 600
    /// So many names are looked at one by one: of all the earth, where there may be a million of one name, and in squares, where a city may be.
    private static let few = 2_000
    private static let dense = 20_000
    /// How alike a name is that differs in one letter.
    private static let oneSlip = (beginning: 0.8, whole: 0.9)
    private static let ofEachSlip = 40
    private static let leastAlike = 0.4
    private static let compared = 1_000

    /// What PostgreSQL's planner may not do for this service: gathering all names that begin with two letters, to sort them and take a hundred,
    /// looks cheap to it where it does not know the letters. All that is asked here is in the order of some index.
    static let unsuitable = ["enable_bitmapscan"]

    var beginningStatement: SQLQuery {
        let most = contexts.isEmpty ? Self.worldwide : Self.beforeContext
        // Whole names for themselves: a village of two letters is not among the best hundred of all that begin so.
        var found: SQLQuery = "\(best(most, of: "key = \(key)")) UNION ALL \(beginning(most))"
        if let near { found += " UNION ALL \(inCells(PlaceCell.around(near), most: Self.around))" }
        if !contextCells.isEmpty { found += " UNION ALL \(inCells(contextCells, most: Self.beforeContext))" }
        return select(from: "SELECT place, key, form, rank, 1.0::float8 AS likeness FROM (\(found)) AS found")
    }

    /// Those that are called so, of some keys: of all the earth, and in the squares that are looked through. Of one key there are as many as there are streets
    /// of a name.
    func calledStatement(_ keys: [String]) -> SQLQuery {
        let cells = (near.map(PlaceCell.around) ?? []) + contextCells
        return select(
            from: """
                SELECT one.*, 1.0::float8 AS likeness FROM unnest(\(keys)::text[]) AS wanted CROSS JOIN LATERAL (
                    (SELECT place, key, form, rank FROM names WHERE key = wanted COLLATE "C" \(ofKind)
                        ORDER BY rank DESC LIMIT \(unescaped: "\(Self.ofEachSlip)"))
                    UNION ALL
                    (SELECT place, key, form, rank FROM names
                        WHERE cell = ANY(\(cells)) AND key = wanted COLLATE "C" \(ofKind) LIMIT \(unescaped: "\(Self.around)"))
                ) AS one
                """)
    }

    /// Those that are as a pattern says, which is made of keys: letters, digits and spaces.
    func statement(for pattern: Pattern) -> SQLQuery {
        select(
            from: """
                SELECT place, key, form, rank, 1.0::float8 AS likeness FROM (
                    SELECT place, key, form, rank FROM names
                    WHERE key >= \(pattern.first) AND key < \(pattern.first + "\u{10FFFF}") \(ofKind)
                    LIMIT \(unescaped: "\(Self.dense)")
                ) AS begun WHERE key ~ \(pattern.expression) ORDER BY rank DESC LIMIT \(unescaped: "\(Self.worldwide)")
                """)
    }

    var slippedStatement: SQLQuery {
        select(
            from: """
                SELECT one.*, CASE WHEN one.key = slip COLLATE "C" THEN \(unescaped: "\(Self.oneSlip.whole)")
                    ELSE \(unescaped: "\(Self.oneSlip.beginning)") END AS likeness
                FROM unnest(\(slips)::text[]) AS slip
                CROSS JOIN LATERAL (
                    SELECT place, key, form, rank FROM names
                    WHERE key >= slip COLLATE "C" AND key < (slip || \("\u{10FFFF}")) COLLATE "C" \(ofKind)
                    ORDER BY key, rank DESC LIMIT \(unescaped: "\(Self.ofEachSlip)")
                ) AS one
                """)
    }

    /// Among the best that begin with the same three letters: an index of trigrams takes seconds for a name with a word in it that half of all
    /// streets have.
    var alikeStatement: SQLQuery {
        let first = String(String.UnicodeScalarView(key.unicodeScalars.prefix(3)))
        return select(
            from: """
                SELECT place, key, form, rank, similarity(key, \(key))::float8 AS likeness FROM (
                    SELECT place, key, form, rank FROM names WHERE left(key, 3) = \(first) \(ofKind)
                    ORDER BY rank DESC LIMIT \(unescaped: "\(Self.compared)")
                ) AS begun WHERE form < 2 AND similarity(key, \(key)) >= \(unescaped: "\(Self.leastAlike)")
                """)
    }

    private func best(_ most: Int, of condition: SQLQuery) -> SQLQuery {
        """
        (SELECT place, key, form, rank FROM (
            SELECT place, key, form, rank, kind FROM names WHERE \(condition)
            ORDER BY rank DESC LIMIT \(unescaped: "\(Self.few)")
        ) AS whole WHERE true \(ofKind) ORDER BY rank DESC LIMIT \(unescaped: "\(most)"))
        """
    }

    /// The best of those that begin so. In the order of an index of as many letters; with another number of letters all of them where they are
    /// few, and where they are many in the order of the index of fewer letters, of which they are no small part then.
    private func beginning(_ most: Int) -> SQLQuery {
        let count = key.unicodeScalars.count
        let indexed = [6, 4, 3, 2].first { $0 <= count } ?? 2
        let first = String(String.UnicodeScalarView(key.unicodeScalars.prefix(indexed)))
        let inOrder: SQLQuery =
            "SELECT place, key, form, rank, kind FROM names WHERE left(key, \(unescaped: "\(indexed)")) = \(first)"
        let ordered: SQLQuery = "ORDER BY rank DESC LIMIT \(unescaped: "\(most)")"
        if indexed == count, kind == nil || kind == .town {
            return "(SELECT place, key, form, rank FROM (\(inOrder)) AS begun WHERE true \(ofKind) \(ordered))"
        }
        // A limit within, or PostgreSQL takes the further letters for rare, and sorts all that it finds by the first ones.
        return """
            (WITH begun AS MATERIALIZED (
                SELECT place, key, form, rank, kind FROM names WHERE \(range) \(kind == .town ? "" : ofKind)
                LIMIT \(unescaped: "\(Self.few + 1)")
            ), many AS MATERIALIZED (SELECT count(*) > \(unescaped: "\(Self.few)") AS so FROM begun)
            (SELECT place, key, form, rank FROM begun WHERE NOT (SELECT so FROM many) \(ofKind) \(ordered))
            UNION ALL (SELECT place, key, form, rank FROM (
                \(inOrder) AND (SELECT so FROM many) ORDER BY rank DESC LIMIT \(unescaped: "\(Self.dense)")
            ) AS first WHERE starts_with(key, \(key)) \(ofKind) \(ordered)))
            """
    }

    /// Those in squares, so that a street around the corner is not crowded out by the world's capitals.
    private func inCells(_ cells: [Int], most: Int) -> SQLQuery {
        """
        (SELECT place, key, form, rank FROM (
            SELECT place, key, form, rank FROM names WHERE cell = ANY(\(cells)) AND \(range) \(ofKind)
            LIMIT \(unescaped: "\(Self.dense)")
        ) AS around ORDER BY rank DESC LIMIT \(unescaped: "\(most)"))
        """
    }

    /// The score: importance by the form of the name, more for the whole of it, less for what is only alike or the beginning of another name
    /// than the place's own, and what is near.
    private func select(from found: SQLQuery) -> SQLQuery {
        let nearness: SQLQuery = near.map { "+ 0.8 / (1 + \($0.metres(to: "p.globe")) / 10000)" } ?? ""
        let kindIs: SQLQuery = kind.map { "AND p.kind = \($0.rawValue)" } ?? ""
        return """
            WITH best AS (
                SELECT DISTINCT ON (place) place, key, form, likeness,
                    rank + likeness - 1
                        + CASE WHEN form <> 2 AND key = \(key) THEN 0.3 WHEN form = 1 THEN -0.05 ELSE 0 END AS weight
                FROM (\(found)) AS every
                ORDER BY place, weight DESC
            )\(settled)
            SELECT \(Place.columns(in: language)), best.key AS found_by, best.form, best.likeness < 1 AS is_similar,
                (SELECT n.written FROM names n WHERE n.place = p.id AND n.key = best.key LIMIT 1) AS written,
                best.weight \(nearness) AS score \(distance)
            FROM \(unescaped: isSettled ? "shown" : "best") AS best JOIN places p ON p.id = best.place \(Place.joins)
            WHERE true \(kindIs) \(inContext)
            ORDER BY score DESC, p.id LIMIT \(unescaped: "\(limit)")
            """
    }

    /// Where neither what is near nor what follows a comma counts, the names alone say which are shown, and no other place is looked at.
    private var isSettled: Bool { near == nil && contexts.isEmpty }

    private var settled: SQLQuery {
        isSettled
            ? ", shown AS (SELECT * FROM best ORDER BY weight DESC, place LIMIT \(unescaped: "\(limit)"))" : ""
    }

    private var distance: SQLQuery {
        near.map { ", \($0.metres(to: "p.globe")) AS metres" } ?? ", NULL::float8 AS metres"
    }

    /// From the beginning to before what follows all that begin so.
    private var range: SQLQuery { "key >= \(key) AND key < \(key + "\u{10FFFF}")" }

    private var ofKind: SQLQuery {
        let ofForm: SQLQuery = form.map { "AND form = \(unescaped: "\($0)")" } ?? ""
        switch kind {
        case nil: return ofForm
        case .town: return "AND kind = 'town' \(ofForm)"
        case .some(let kind): return "AND kind = \(kind.rawValue) AND kind <> 'town' \(ofForm)"
        }
    }

    private var inContext: SQLQuery {
        func begins(_ key: SQLQuery, _ context: String) -> SQLQuery {
            "starts_with(\(key), \(context)) OR starts_with(\(context), \(key) || ' ')"
        }
        // Hundreds of places are asked for the keys of their towns, which takes longer than all the rest. A plain letter stays what it is in a key, so
        // that the first one tells of most towns that it is another one.
        func mayBegin(_ name: SQLQuery, _ context: String) -> SQLQuery {
            "(lower(left(\(name), 1)) = left(\(context), 1) OR \(name) !~ '^[A-Za-z0-9]')"
        }
        return contexts.reduce("") { all, context in
            let key = context.key
            let postcode: SQLQuery =
                context.postcode.map { "OR starts_with(translate(lower(p.postcode), ' -', ''), \($0))" } ?? ""
            return all + """
                AND (\(begins("r.key", key)) OR \(begins("c.key", key)) OR \(begins("lower(p.country)", key))
                    OR lower(split_part(p.region, '.', 2)) = \(key) OR \(begins("a.key", key))
                    OR p.country = ANY(\(context.codes)::text[]) OR p.region = ANY(\(context.codes)::text[])
                    OR \(mayBegin("p.locality", key)) AND (\(begins("name_key(p.locality)", key)))
                    \(postcode) \(amongTowns(context)))
                """
        }
    }

    /// In a town that is called so by another name, or around the middle of one or of a part of one.
    private func amongTowns(_ context: PlaceContext) -> SQLQuery {
        guard !context.towns.isEmpty else { return "" }
        let height = PlaceContext.Middle.reach / 111_195
        let (latitudes, longitudes) = (context.middles.map(\.latitude), context.middles.map(\.longitude))
        return """
            OR name_key(p.locality) = ANY(\(context.towns)::text[])
            OR EXISTS (SELECT FROM unnest(\(latitudes), \(longitudes)) AS middle (y, x)
                WHERE abs(p.latitude - y) < \(height) AND abs(p.longitude - x) * cosd(y) < \(height))
            """
    }
}

extension Place {
    /// - Parameter language: in which the name is wanted; where the source does not say it, it is the local one.
    static func columns(in language: String? = nil) -> SQLQuery {
        guard let language else { return columns(name: "p.name") }
        let primary = String(language.prefix { $0 != "-" })
        return columns(
            name: "coalesce(p.names ->> \(language)::text, p.names ->> \(primary.lowercased())::text, p.name) AS name")
    }

    private static func columns(name: SQLQuery) -> SQLQuery {
        """
        p.id, p.kind, \(name), p.address, p.postcode, p.locality, coalesce(a.name, r.name) AS region, p.country, p.latitude, p.longitude,
        s.attribution, s.licence
        """
    }
    static let joins: SQLQuery = """
        JOIN sources s ON s.name = p.source LEFT JOIN regions r ON r.code = p.region
        LEFT JOIN regions c ON c.code = p.country LEFT JOIN areas a ON a.id = p.area
        """

    init(_ row: PostgresRow, metres: Double? = nil) throws {
        let kind: String = try row.get("kind")
        let (attribution, licence): (String, String) = (try row.get("attribution"), try row.get("licence"))
        guard let known = PlaceKind(rawValue: kind) else {
            throw PostgresError(.unexpectedValue, debugDetail: "\(kind) is no kind of place")
        }
        self.init(
            id: PlaceID(try row.get("id")), kind: known, name: try row.get("name"), address: try row.get("address"),
            postcode: try row.get("postcode"), locality: try row.get("locality"), region: try row.get("region"),
            country: try row.get("country"),
            position: Position(latitude: try row.get("latitude"), longitude: try row.get("longitude")),
            distance: metres.map { Int($0.rounded()) }, attribution: "\(attribution), \(licence)")
    }
}
