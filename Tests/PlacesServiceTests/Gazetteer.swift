import DurableMessaging
import Logging
import Postgres
import Synchronization
import TestKit
import WireProtocol

@testable import PlacesService

/// The service without a bus, on a schema of its own in a real PostgreSQL.
struct Gazetteer: Sendable {
    let pool: PostgresPool
    let database: Database
    let places: PlaceUseCases

    static func with(
        isolation: isolated (any Actor)? = #isolation, _ body: (Gazetteer) async throws -> Void
    ) async throws {
        try await TestDatabase.with { test in
            let database = Database(
                pool: test.pool, service: "places", digestKey: Array("a secret of this test".utf8), logger: .quiet)
            try await database.migrate(PlacesSchema.migrations)
            try await body(
                Gazetteer(
                    pool: test.pool, database: database,
                    places: PlaceUseCases(
                        store: PlaceStore(database: database), regions: RegionMemory(patience: .zero))))
        }
    }

    @discardableResult
    func bring(
        _ text: String, as format: ImportFormat = .csv, from source: String = "test", kind: PlaceKind? = nil,
        inPiecesOf size: Int = 7, namesAnewFrom: Int = 100_000
    ) async throws -> ImportSummary {
        try await bring(
            Array(text.utf8), as: format, from: source, kind: kind, inPiecesOf: size, namesAnewFrom: namesAnewFrom)
    }

    /// In small pieces, so that what is one thing comes in several.
    @discardableResult
    func bring(
        _ bytes: [UInt8], as format: ImportFormat, from source: String = "test", kind: PlaceKind? = nil,
        inPiecesOf size: Int = 7, namesAnewFrom: Int = 100_000
    ) async throws -> ImportSummary {
        let job = PlaceImport(
            pool: pool, source: PlaceSource(name: source, licence: "CC0", attribution: "Us", url: nil), format: format,
            kind: kind, batch: 3, namesAnewFrom: namesAnewFrom)
        let pieces = Pieces(bytes, of: size)
        return try await job.run { pieces.next() }
    }

    @discardableResult
    func remove(_ source: String) async throws -> (places: Int, regions: Int) {
        try await pool.transaction { try await PostgresPlaceImport.remove(source, $0) }
    }

    func names(_ text: String, near: Position? = nil, kind: PlaceKind? = nil, limit: Int? = nil) async throws
        -> [String]
    {
        try await places.search(PlaceQuery(q: text, near: near, kind: kind, limit: limit)).items.map(\.name)
    }

    /// Of names, without the schema, and how the table is vacuumed.
    func indexes() async throws -> [String] {
        try await pool.read(
            """
            SELECT replace(indexdef, schemaname || '.', '') || (SELECT reloptions::text FROM pg_class WHERE oid = 'names'::regclass) AS row
            FROM pg_indexes WHERE schemaname = current_schema() AND tablename = 'names' ORDER BY 1
            """
        ).map { try $0.get("row") }
    }

    /// Everything that is kept, as text; equal where nothing has changed.
    func everything() async throws -> [String] {
        try await pool.read(
            """
            SELECT p::text AS row FROM places p UNION ALL SELECT n::text FROM names n UNION ALL SELECT a::text FROM anchors a
            ORDER BY 1
            """
        ).map { try $0.get("row") }
    }
}

/// Bytes a few at a time.
final class Pieces: Sendable {
    private let rest: Mutex<ArraySlice<UInt8>>
    private let size: Int

    init(_ bytes: [UInt8], of size: Int) {
        rest = Mutex(bytes[...])
        self.size = size
    }

    func next() -> [UInt8] {
        rest.withLock { rest in
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
    }
}

let helsinki = Position(latitude: 60.1695, longitude: 24.9354)

/// Made up, but for where they are.
let towns = """
    id,name,latitude,longitude,kind,population,country,region,alternatives
    1,Helsinki,60.1695,24.9354,town,658864,FI,FI.01,Helsingfors|Хельсинки|هلسنكي|赫尔辛基|ヘルシンキ
    2,Helsinge,56.0228,12.1972,town,8000,DK,,
    3,Springfield,39.8017,-89.6437,town,114394,US,US.IL,
    4,Springfield,37.2153,-93.2982,town,170188,US,US.MO,
    5,Saint-Étienne,45.4339,4.39,town,176280,FR,,
    6,New York City,40.7143,-74.006,town,8804190,US,US.NY,NYC
    7,York,53.9576,-1.0827,town,153717,GB,,
    8,Espoo,60.2052,24.6522,town,256760,FI,FI.01,Esbo
    9,Suva,-18.1416,178.4415,town,77366,FJ,,
    """
