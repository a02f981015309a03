import ArgumentParser
import Crypto
import ServiceKit
import StreetNetwork

extension PlacesTool {
    struct Streets: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes the street network of a source, for distances.",
            discussion: """
                Of the text that `osmium tags-filter EXTRACT w/highway -f opl,add_metadata=false` writes. It takes the place of the one before when it is whole.
                """)

        @Argument(help: "The text; - is the standard input.") var file: String
        @Option(help: "The source, as `import` called it.") var source: String
        @Flag(help: "Does nothing where the text is the one of which it was made last; not from a pipe.")
        var ifChanged = false

        func run() async throws {
            guard let folder = try await PlacesDatabase.configuration().streets else {
                throw ValidationError("KAMPONG_STREETS_DIRECTORY does not say where street networks are kept.")
            }
            let input = try InputFile(file)
            try await PlacesDatabase.with { pool in
                let job = StreetImport(pool: pool, folder: folder, source: source)
                if ifChanged, try await job.isBuilt(StreetImport.digest(try input.digest().finalize())) {
                    StandardOutput.complain("\(source): its streets have not changed since the last import.")
                    return
                }
                let summary = try await job.run { try input.next() }
                StandardOutput.write(Array("\(Self.line(of: summary))\n".utf8))
            }
        }

        private static func line(of summary: StreetNetworkBuilder.Summary) -> String {
            guard summary.walkable + summary.drivable > 0 else { return "There are no streets in it." }
            var line = "Streets: \(summary.walkable) ways to walk, \(summary.drivable) to drive"
            if summary.missingNodes > 0 {
                line += "; \(summary.missingNodes) points are missing, as at an extract's edge"
            }
            if summary.overlongSteps > 0 { line += "; \(summary.overlongSteps) steps are too long to be streets" }
            return line + "."
        }
    }
}
