package import Configuration
package import Logging
package import Reactor
package import ServiceLifecycle
package import WireProtocol

#if canImport(Glibc)
    import Glibc
#endif

/// What a service's tables are brought up to date with: its settings, of which `database.url` names the owner of the tables, and a thread.
package struct MigrationHost: Sendable {
    package let config: ConfigReader
    package let reactor: Reactor
    package let logger: Logger

    package init(config: ConfigReader, reactor: Reactor, logger: Logger) {
        self.config = config
        self.reactor = reactor
        self.logger = logger
    }
}

extension ServiceHost {
    /// The life of the process of a service with tables: with the verb `migrate` it brings them up to date as their owner, and ends; else it is
    /// the service, whose role may not.
    package static func run(
        _ name: String, role: PeerRole, migrating: @Sendable (MigrationHost) async throws -> Void,
        _ wire: @escaping @Sendable (ServiceHost) async throws -> [any Service]
    ) async {
        guard CommandLine.arguments.dropFirst().first == "migrate" else { return await run(name, role: role, wire) }
        do {
            let arguments = CommandLine.arguments.prefix(1) + CommandLine.arguments.dropFirst(2)
            let (config, audit) = try await Settings.load(arguments: Array(arguments))
            let telemetry = try Telemetry.start(service: name, config: config)
            let host = MigrationHost(config: config, reactor: Reactor(name: name), logger: telemetry.logger)
            do { try await migrating(host) } catch { throw audit.problem(behind: error) }
            host.reactor.stop()
        } catch {
            StandardOutput.complain("\(name): \(error)")
            exit(error is ConfigurationProblem ? 78 : 1)
        }
    }
}
