import ArgumentParser
import FoundationEssentials
import Postgres
import ServiceKit
import WireProtocol

extension PlacesTool {
    struct Sources: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows where the places are from.")

        func run() async throws {
            try await PlacesDatabase.with { pool in
                let rows = try await pool.read(
                    """
                    SELECT name, licence, attribution, places, imported_at, coalesce(streets.bytes, 0) AS streets,
                        (SELECT count(*) FROM regions WHERE regions.source = sources.name)
                            + (SELECT count(*) FROM areas WHERE areas.source = sources.name)
                            + (SELECT count(DISTINCT country) FROM outlines WHERE outlines.source = sources.name) AS regions
                    FROM sources LEFT JOIN streets ON streets.source = name ORDER BY name
                    """)
                for row in rows {
                    let when = WireJSON.text(of: try row.get("imported_at"))
                    let (name, places): (String, Int) = (try row.get("name"), try row.get("places"))
                    let (whose, licence): (String, String) = (try row.get("attribution"), try row.get("licence"))
                    let bytes: Int = try row.get("streets")
                    let regions: Int = try row.get("regions")
                    let more =
                        (regions == 0 ? "" : ", \(regions) regions")
                        + (bytes == 0 ? "" : ", streets (\(max(1, bytes >> 10)) KiB)")
                    StandardOutput.write(
                        Array("\(name): \(places) places\(more), \(whose), \(licence), imported \(when)\n".utf8))
                }
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes all places of a source, and its streets.")

        @Argument(help: "The source, as `sources` calls it.") var source: String

        func run() async throws {
            let folder = try await PlacesDatabase.configuration().streets
            try await PlacesDatabase.with { pool in
                let gone = try await pool.transaction { try await PostgresPlaceImport.remove(source, $0) }
                if let folder { try await StreetImport.sweep(folder, pool) }
                let regions = gone.regions == 0 ? "" : " and \(gone.regions) regions"
                StandardOutput.write(Array("\(gone.places) places\(regions) removed.\n".utf8))
            }
        }
    }
}
