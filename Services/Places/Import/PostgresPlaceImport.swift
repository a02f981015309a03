import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

/// The tables of one import under way: what the file says is gathered in a table of the session, and then compared with what is there.
struct PostgresPlaceImport: Sendable {
    let transaction: PostgresTransaction
    let source: PlaceSource
    var mayShrink = false
    /// From so many new or changed places on the table of names is made anew.
    var namesAnewFrom = 100_000
    /// So few may always go.
    private static let few = 50

    /// For whoever writes places, until the transaction ends.
    /// - Throws: `busy` where somebody does already.
    static func lock(_ transaction: PostgresTransaction) async throws {
        let rows = try await transaction.query(
            "SELECT pg_try_advisory_xact_lock(hashtextextended('import into ' || current_schema(), 0)) AS free")
        guard try rows[0].get("free", as: Bool.self) else { throw ImportProblem.busy }
    }

    func begin() async throws {
        try await Self.lock(transaction)
        _ = try await transaction.pipeline([
            Self.patience,
            // For the indexes, which are made as a whole where there is nothing yet, and for what is put in order here.
            "SET LOCAL maintenance_work_mem = '256MB'", "SET LOCAL work_mem = '64MB'",
            """
            CREATE TEMP TABLE staged (
                number bigserial, id uuid, source_id text, kind text, name text, others text, spellings text, names jsonb, address text,
                postcode text, locality text, region text, country text, importance real, latitude float8,
                longitude float8, cell int, anchors text
            ) ON COMMIT DROP
            """,
        ])
        try await Self.enter(source, transaction)
    }

    /// The statement's own time, and between two of them the time that reading takes.
    static let patience: SQLQuery =
        "SELECT set_config('statement_timeout', '2h', true), set_config('idle_in_transaction_session_timeout', '10min', true)"

    static func enter(_ source: PlaceSource, _ transaction: PostgresTransaction) async throws {
        try await transaction.query(
            """
            INSERT INTO sources (name, licence, attribution, url, digest, imported_at, places, left_out)
            VALUES (\(source.name), \(source.licence), \(source.attribution), \(source.url), '', now(), 0, 0)
            ON CONFLICT (name) DO UPDATE SET licence = excluded.licence, attribution = excluded.attribution,
                url = excluded.url, imported_at = excluded.imported_at
            """)
    }

    /// All that is from a source, and the source.
    /// - Returns: How many places and regions there were.
    static func remove(_ source: String, _ transaction: PostgresTransaction) async throws -> (places: Int, regions: Int)
    {
        try await lock(transaction)
        _ = try await transaction.query(patience)
        let settlement = PlaceSettlement(transaction: transaction)
        try await settlement.begin()
        try await settlement.note("source = \(source)")
        // Which country towns are in may go with it.
        try await settlement.note("EXISTS (SELECT FROM outlines WHERE outlines.source = \(source))")
        let places = try await transaction.query(forget("source = \(source)"))
        let regions = try await transaction.query(
            """
            SELECT (SELECT count(*) FROM regions WHERE source = \(source)) + (SELECT count(*) FROM areas WHERE source = \(source))
                + (SELECT count(DISTINCT country) FROM outlines WHERE source = \(source)) AS count
            """)
        // Names of regions, regions and streets go with it.
        _ = try await transaction.query("DELETE FROM sources WHERE name = \(source)")
        try await settlement.settle()
        try await settlement.assignAreas("p.area IS NOT NULL AND NOT EXISTS (SELECT FROM areas a WHERE a.id = p.area)")
        return (try places[0].get("count"), try regions[0].get("count"))
    }

    func stage(_ records: [PlaceRecord]) async throws {
        func column<Value>(_ value: (PlaceRecord) -> Value) -> [Value] { records.map(value) }
        let names: [String?] = try records.map { record in
            record.names.isEmpty ? nil : String(decoding: try WireJSON.encode(record.names), as: UTF8.self)
        }
        try await transaction.query(
            """
            INSERT INTO staged (id, source_id, kind, name, others, spellings, names, address, postcode, locality, region, country,
                importance, latitude, longitude, cell, anchors)
            SELECT id, source_id, kind, name, others, spellings, names::jsonb, address, postcode, locality, region, country,
                importance, latitude, longitude, cell, anchors
            FROM unnest(\(column { PlaceRecord.id(of: $0.sourceID, in: source.name).uuid }),
                \(column(\.sourceID))::text[], \(column(\.kind.rawValue))::text[], \(column(\.name))::text[],
                \(column { $0.alternatives.joined(separator: "\n") })::text[],
                \(column { Spelling.all(of: $0).map(\.line).joined(separator: "\n") })::text[], \(names)::text[],
                \(column(\.address))::text[], \(column(\.postcode))::text[], \(column(\.locality))::text[],
                \(column(\.region))::text[], \(column(\.country))::text[], \(column(\.importance)),
                \(column { $0.position.settled.latitude }), \(column { $0.position.settled.longitude }),
                \(column { PlaceCell.number(of: $0.position) }), \(column(\.anchorText))::text[])
                AS r (id, source_id, kind, name, others, spellings, names, address, postcode, locality, region, country,
                    importance, latitude, longitude, cell, anchors)
            """)
    }

    func apply(_ summary: inout ImportSummary, digest: String) async throws {
        try await gather()
        summary.repeated = try await count(
            "SELECT count(*) - count(DISTINCT id) AS count FROM staged WHERE kind <> 'street'")
        let ways = try await count("SELECT count(*) AS count FROM staged WHERE kind = 'street'")
        let streets = try await count("SELECT count(*) AS count FROM incoming WHERE kind = 'street'")
        if ways > 0 { summary.kinds[.street] = streets }
        let known = try await count("SELECT count(*) AS count FROM places WHERE source = \(source.name)")
        let settlement = PlaceSettlement(transaction: transaction)
        try await settlement.begin()
        try await settlement.note(
            """
            source = \(source.name)
                AND NOT EXISTS (SELECT FROM incoming i WHERE i.id = places.id AND i.digest = places.digest)
            """)
        summary.removed = try await count(
            Self.forget("source = \(source.name) AND NOT EXISTS (SELECT FROM incoming i WHERE i.id = places.id)"))
        guard mayShrink || summary.removed <= max(Self.few, known / 2) else {
            throw ImportProblem.shrinks(removed: summary.removed, of: known)
        }
        _ = try await transaction.query(
            "DELETE FROM incoming i USING places p WHERE p.id = i.id AND p.digest = i.digest")
        summary.changed = try await count(
            """
            WITH known AS (SELECT p.id FROM places p JOIN incoming USING (id)),
                n AS (DELETE FROM names USING known WHERE names.place = known.id),
                a AS (DELETE FROM anchors USING known WHERE anchors.place = known.id)
            SELECT count(*) AS count FROM known
            """)
        let incoming = try await count("SELECT count(*) AS count FROM incoming")
        summary.added = incoming - summary.changed
        // What comes into empty tables is put in order once, instead of row by row.
        let isFirst = try await count("SELECT count(*) AS count FROM (SELECT FROM places LIMIT 1) AS one") == 0
        let indexes = isFirst ? try await dropIndexes() : []
        let anew = !isFirst && incoming >= namesAnewFrom ? NamesAnew(transaction: transaction) : nil
        try await anew?.begin()
        try await insert(namesInto: anew == nil ? "names" : NamesAnew.table)
        try await anew?.fill()
        for index in indexes { try await transaction.query("\(unescaped: index)") }
        if isFirst {
            for table in ["places", "names", "anchors"] { try await transaction.query("ANALYZE \(unescaped: table)") }
        }
        try await settlement.note("id IN (SELECT id FROM incoming)")
        try await settlement.settle("id IN (SELECT id FROM incoming)")
        _ = try await transaction.query(
            """
            UPDATE sources SET digest = \(digest), places = (SELECT count(*) FROM places WHERE source = \(source.name)),
                left_out = \(summary.allLeftOut + summary.repeated)
            WHERE name = \(source.name)
            """)
        try await anew?.swap()
    }

    /// One row for each id: the ways of a street become one, of which the longest says what it is called.
    private func gather() async throws {
        try await transaction.query(
            """
            CREATE TEMP TABLE incoming ON COMMIT DROP AS
            SELECT one.*, md5(\("\(PlaceImport.version) ")::text || one::text) AS digest FROM (
                SELECT DISTINCT ON (s.id) s.id, s.source_id, s.kind, s.name, s.others, s.spellings, s.names, s.address, s.postcode,
                    s.locality, s.region, s.country, s.importance, s.latitude, s.longitude, s.cell,
                    coalesce(street.anchors, s.anchors) AS anchors
                FROM staged s LEFT JOIN (
                    SELECT id, string_agg(anchors, ';' ORDER BY anchors) AS anchors FROM staged
                    WHERE kind = 'street' AND anchors <> '' GROUP BY id
                ) AS street USING (id)
                ORDER BY s.id, length(s.anchors) DESC, s.number
            ) AS one
            """)
        try await transaction.pipeline(["CREATE UNIQUE INDEX ON incoming (id)", "ANALYZE incoming"])
    }

    /// Removes places with all that belongs to them.
    static func forget(_ condition: SQLQuery) -> SQLQuery {
        """
        WITH gone AS (DELETE FROM places WHERE \(condition) RETURNING id),
            n AS (DELETE FROM names USING gone WHERE names.place = gone.id),
            a AS (DELETE FROM anchors USING gone WHERE anchors.place = gone.id)
        SELECT count(*) AS count FROM gone
        """
    }

    /// - Returns: What makes them again.
    private func dropIndexes() async throws -> [String] {
        let rows = try await transaction.query(
            """
            SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
            JOIN pg_class t ON t.oid = i.indrelid
            WHERE t.relname IN ('places', 'names', 'anchors') AND t.relnamespace = current_schema()::regnamespace
                AND NOT i.indisunique ORDER BY 1
            """)
        for row in rows { try await transaction.query("DROP INDEX \(unescaped: try row.get("name", as: String.self))") }
        return try rows.map { try $0.get("definition") }
    }

    private func insert(namesInto table: String) async throws {
        try await transaction.query(
            """
            INSERT INTO places (id, source, source_id, kind, name, names, address, postcode, locality, region, country,
                importance, latitude, longitude, globe, digest, derived)
            SELECT id, \(source.name), source_id, kind, name, names, address, postcode, locality, region, country,
                importance, latitude, longitude, ll_to_earth(latitude, longitude), digest,
                (kind <> 'town' AND locality IS NULL)::int + 2 * (region IS NULL)::int + 4 * (country IS NULL)::int
            FROM incoming
            ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, name = excluded.name, names = excluded.names,
                address = excluded.address, postcode = excluded.postcode, locality = excluded.locality,
                region = excluded.region, country = excluded.country, importance = excluded.importance,
                latitude = excluded.latitude, longitude = excluded.longitude, globe = excluded.globe,
                digest = excluded.digest, derived = excluded.derived
            """)
        // The longest word of a beginning is what an index holds of it; nobody types more.
        try await transaction.query(
            """
            INSERT INTO \(unescaped: table) (place, key, kind, form, rank, cell, written)
            WITH own AS MATERIALIZED (
                SELECT id, kind, importance, cell, left(name_key(name), 200) AS key FROM incoming
            ), every AS (
                SELECT *, 0 AS form, NULL::text AS written FROM own
                UNION ALL
                SELECT id, kind, importance, cell, left(name_key(other), 200), 1, other
                FROM incoming, string_to_table(others, E'\\n') AS other WHERE others <> ''
            ), later AS (
                SELECT * FROM every
                UNION ALL
                -- As nobody writes it, but people look for it.
                SELECT id, kind, importance, cell, left(name_key(split_part(line, E'\\t', 1)), 200), 1,
                    nullif(split_part(line, E'\\t', 2), '')
                FROM incoming, string_to_table(spellings, E'\\n') AS line WHERE spellings <> ''
                UNION ALL
                SELECT id, kind, importance, cell, replace(left(name_key(postcode), 200), ' ', ''), 3, NULL
                FROM incoming WHERE postcode IS NOT NULL
                UNION ALL
                -- From a later word on: of its own name, and of the other names of what is no town ("The National Library"), which are few.
                -- A house is looked for from its number on by keys that have the number in front.
                SELECT id, kind, importance, cell, array_to_string(words[first:], ' '), 2, written
                FROM every, string_to_array(key, ' ') AS words, generate_series(2, least(cardinality(words), 6)) AS first
                WHERE key LIKE '% %' AND (form = 0 OR kind <> 'town') AND (kind <> 'address' OR words[first] ~ '^[^0-9].')
            )
            SELECT DISTINCT ON (id, key COLLATE "C") id, key, kind, form,
                greatest(0, importance - (ARRAY[0, 0.05, 0.15, 0.1])[form + 1]), cell, written
            FROM later WHERE length(key) > 1 ORDER BY id, key COLLATE "C", form, written NULLS FIRST
            """)
        try await transaction.query(
            """
            INSERT INTO anchors (place, globe)
            SELECT DISTINCT id, ll_to_earth(split_part(point, ',', 1)::float8, split_part(point, ',', 2)::float8)
            FROM incoming, string_to_table(anchors, ';') AS point WHERE anchors <> ''
            """)
    }

    private func count(_ query: SQLQuery) async throws -> Int {
        try await transaction.query(query)[0].get("count")
    }
}

extension PlaceRecord {
    /// `latitude,longitude;…`; a metre is enough.
    fileprivate var anchorText: String {
        func text(_ degrees: Double) -> String {
            let settled = (degrees * 100_000).rounded() / 100_000
            return settled == 0 ? "0" : "\(settled)"
        }
        return anchors.map { "\(text($0.latitude)),\(text($0.longitude))" }.joined(separator: ";")
    }
}
