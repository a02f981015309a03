import Logging
import ServiceLifecycle

/// Services as a process runs them, with a way to end them gracefully.
struct ServiceGroupRun: Sendable {
    private let group: ServiceGroup

    init(_ services: [any Service]) {
        group = ServiceGroup(services: services, logger: ServiceDatabase.logger)
    }

    func run() async throws { try await group.run() }
    func shutDown() async { await group.triggerGracefulShutdown() }
}
