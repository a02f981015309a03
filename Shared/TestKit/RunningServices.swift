import Logging
package import ServiceLifecycle

/// Runs services while `body` runs, and then shuts them down gracefully.
/// - Throws: what `body` throws, and then the services are cancelled; or what they throw.
package func running(
    _ services: [any Service], isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async throws {
    let group = ServiceGroup(services: services, logger: .quiet)
    let run = Task { try await group.run() }
    do {
        try await body()
    } catch {
        run.cancel()
        _ = await run.result
        throw error
    }
    await group.triggerGracefulShutdown()
    try await run.value
}
