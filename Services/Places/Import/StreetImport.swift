import Postgres
import StreetNetwork
import WireProtocol

/// Makes a source's street network of the text that osmium writes of its extract (OPL), and lists it.
struct StreetImport: Sendable {
    let pool: PostgresPool
    let folder: StreetFolder
    var source: String

    /// Of the text, and of how networks are written: with a new format, all are made again.
    static func digest(_ text: some Sequence<UInt8>) -> String {
        "\(StreetNetwork.formatVersion) " + HexText.text(of: text)
    }

    /// Whether the network of such a text is there already.
    func isBuilt(_ digest: String) async throws -> Bool {
        let rows = try await pool.read("SELECT digest, file FROM streets WHERE source = \(source)")
        guard let row = rows.first else { return false }
        let (known, file): (String, String) = (try row.get("digest"), try row.get("file"))
        return known == digest && folder.has(file)
    }

    /// Where the text has no streets, the source has none afterwards.
    /// - Parameter next: The next bytes of the text; empty at its end.
    func run(_ next: () throws -> [UInt8]) async throws -> StreetNetworkBuilder.Summary {
        // Before the work: it takes minutes for a large city.
        guard try await !pool.read("SELECT FROM sources WHERE name = \(source)").isEmpty else {
            throw ImportProblem.noSource(source)
        }
        var builder = StreetNetworkBuilder()
        while case let bytes = try next(), !bytes.isEmpty { try builder.read(bytes) }
        let (network, summary) = try builder.finish()
        try await pool.transaction { transaction in
            try await PostgresPlaceImport.lock(transaction)
            guard summary.walkable + summary.drivable > 0 else {
                try await transaction.query("DELETE FROM streets WHERE source = \(source)")
                return
            }
            let file = try folder.put(network)
            let kept = try await transaction.query(
                """
                INSERT INTO streets (source, file, digest, bytes, built_at)
                SELECT name, \(file), \(Self.digest(network.source)), \(network.size), now() FROM sources
                WHERE name = \(source)
                ON CONFLICT (source) DO UPDATE SET file = excluded.file, digest = excluded.digest, bytes = excluded.bytes,
                    built_at = excluded.built_at
                """)
            guard kept.affected == 1 else { throw ImportProblem.noSource(source) }
        }
        try await Self.sweep(folder, pool)
        return summary
    }

    /// Removes the files that no source uses. Under the lock of imports: one that is about to be listed is not taken for one of them.
    static func sweep(_ folder: StreetFolder, _ pool: PostgresPool) async throws {
        try await pool.transaction { transaction in
            try await PostgresPlaceImport.lock(transaction)
            let rows = try await transaction.query("SELECT file FROM streets")
            try folder.sweep(keeping: Set(rows.map { try $0.get("file", as: String.self) }))
        }
    }
}
