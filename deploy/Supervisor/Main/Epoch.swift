import ArgumentParser
import DurableMessaging
import FoundationEssentials
import Logging
import Postgres
import Reactor
import ServiceKit
import Supervisor
import WireProtocol

/// `kampong epoch new [SERVICE …]`
struct Epoch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "What has to be done after a backup was restored.", subcommands: [New.self])

    struct New: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lets the streams of services begin anew.",
            discussion: """
                Run it after a backup of the database was restored, before the services start. Without it, those who listen take what \
                happens from now on for what they have seen already. Refuses while a service still runs.
                """)

        @Option(
            help:
                "The supervision file of the stack; it says where the databases are. Without it KAMPONG_DATABASE_URL does."
        )
        var stack: String?

        @Argument(help: "Whose streams; by default those of all services in the supervision file that have a database.")
        var services: [PeerRole] = []

        func run() async throws {
            let urls = try databases()
            let reactor = Reactor(name: "kampong")
            for (service, url) in urls.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                let pool = PostgresPool(
                    reactor: reactor, configuration: try PostgresConfiguration(url: url, schema: service.rawValue),
                    logger: Logger(label: "kampong") { _ in SwiftLogNoOpLogHandler() })
                let result: Result<UUID, any Error>
                do { result = .success(try await Restoration.newEpoch(of: service.rawValue, in: pool)) } catch {
                    result = .failure(error)
                }
                await pool.close()
                StandardOutput.say(
                    "\(service.rawValue) begins anew: epoch \(try result.get().uuidString.lowercased()).")
            }
        }

        /// Where each service's database is.
        private func databases() throws -> [PeerRole: String] {
            guard let stack else {
                guard services.count == 1, let url = ProcessInfo.processInfo.environment["KAMPONG_DATABASE_URL"] else {
                    throw ValidationError(
                        "Name a supervision file by --stack, or one service and its KAMPONG_DATABASE_URL.")
                }
                return [services[0]: url]
            }
            var found: [PeerRole: String] = [:]
            for process in try ProcessSpecification.read(stack) {
                guard let role = PeerRole(rawValue: process.name) else { continue }
                found[role] = process.environment["KAMPONG_DATABASE_URL"]
            }
            if let stranger = services.first(where: { found[$0] == nil }) {
                throw ValidationError("\(stack) names no database of \(stranger.rawValue).")
            }
            return services.isEmpty ? found : found.filter { services.contains($0.key) }
        }
    }
}
