import Configuration
import Logging
import Reactor
package import ServiceLifecycle
package import UnixSignals
package import WireProtocol

#if canImport(Glibc)
    import Glibc
#endif

extension ServiceHost {
    /// The whole life of a service's process: settings, log, metrics, traces, health server, wiring, services, and the way out.
    ///
    /// SIGTERM and SIGINT begin a graceful shutdown: the process is no longer ready, services stop in reverse order and
    /// finish what they have begun, and after `shutdown.seconds` (8) the rest is cancelled. Returns after a graceful shutdown;
    /// otherwise leaves the process with exit status 78 (a setting is missing or bad; one sentence says which) or 1.
    /// - Parameter wire: Makes the services, the first being the last to stop. Called once.
    package static func run(
        _ name: String, role: PeerRole, _ wire: @escaping @Sendable (ServiceHost) async throws -> [any Service]
    ) async {
        do {
            let (config, audit) = try await Settings.load()
            let telemetry = try Telemetry.start(service: name, config: config)
            let host = try ServiceHost(name: name, role: role, config: config, telemetry: telemetry)
            do {
                try await host.serve(signals: [.sigterm, .sigint], audit: audit, wire)
            } catch {
                try fail(host, error)
            }
            host.close()
        } catch {
            StandardOutput.complain("\(name): \(error)")
            exit(error is ConfigurationProblem ? 78 : 1)
        }
    }

    /// Logs a failure, or passes a problem with the settings on.
    private static func fail(_ host: ServiceHost, _ error: any Error) throws {
        if error is ConfigurationProblem { throw error }
        host.logger.critical("stopped by an error", metadata: ["reason": .string("\(error)")])
        exit(1)
    }

    /// Runs the health server, the wiring, and what it made, until a signal, a graceful shutdown of the surrounding group, or an error.
    package func serve(
        signals: [UnixSignal] = [], audit: SettingsAudit,
        onHealthPort: @escaping @Sendable (Int) async -> Void = { _ in },
        _ wire: @escaping @Sendable (ServiceHost) async throws -> [any Service]
    ) async throws {
        let limit = try config.seconds("shutdown.seconds", default: .seconds(8))
        // The first to start is the last to stop: health can be asked until the end.
        let services: [any Service] = [
            try healthServer(onRunning: onHealthPort), Wiring(host: self, audit: audit, wire: wire),
        ]
        var group = ServiceGroupConfiguration(services: services, gracefulShutdownSignals: signals, logger: logger)
        group.maximumGracefulShutdownDuration = limit
        group.maximumCancellationDuration = .seconds(2)
        try await ServiceGroup(configuration: group).run()
        logger.notice("stopped")
    }

    private func healthServer(onRunning: @escaping @Sendable (Int) async -> Void) throws -> HealthServer {
        let limit = try config.seconds("health.limit", default: .seconds(2))
        return HealthServer(
            host: config.string(forKey: "health.host", default: "127.0.0.1"), port: try config.port("health.port"),
            readiness: readiness, metrics: metrics, logger: logger, onRunning: onRunning
        ) { [reactor] in
            try await withTimeLimit(limit) { await reactor.ping() }
        }
    }
}

/// Wires the services and runs them, while health can already be asked.
private struct Wiring: Service, CustomStringConvertible {
    let host: ServiceHost
    let audit: SettingsAudit
    let wire: @Sendable (ServiceHost) async throws -> [any Service]

    var description: String { host.name }

    func run() async throws {
        guard let services = try await wired() else { return }
        host.readiness.enter(.running)
        host.logger.notice("running", metadata: ["services": .stringConvertible(services.count)])
        host.reactor.submit { [reactor = host.reactor] in
            reactor.schedule(after: StartMemory.rest) { StartMemory.giveBack() }
        }
        try await withGracefulShutdownHandler {
            guard !services.isEmpty else { return try await gracefulShutdown() }
            // Their tasks, and those that they begin, stay on the reactor's thread instead of crossing to others and back.
            try await withTaskExecutorPreference(host.reactor) {
                try await ServiceGroup(services: services, logger: host.logger).run()
            }
        } onGracefulShutdown: { [readiness = host.readiness, logger = host.logger] in
            readiness.enter(.stopping)
            logger.notice("stopping")
        }
    }

    /// Nil when the process was asked to stop meanwhile.
    private func wired() async throws -> [any Service]? {
        do {
            let services = try await cancelWhenGracefulShutdown { [wire, host] in try await wire(host) }
            if let problem = audit.bad { throw problem }
            return services
        } catch {
            if Task.isShuttingDownGracefully { return nil }
            throw audit.problem(behind: error)
        }
    }
}
