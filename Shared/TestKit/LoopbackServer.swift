package import Hummingbird
import Logging
import NIOCore

/// An HTTP server of a test's own, on a port of 127.0.0.1 that nobody else listens on.
package enum LoopbackServer {
    /// Answers by these routes for as long as `body` runs, which gets the port.
    package static func run(
        _ router: Router<BasicRequestContext>, _ body: @Sendable @escaping (Int) async throws -> Void
    ) async throws {
        try await run(
            { found in
                Application(
                    router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                    onServerRunning: { found($0.localAddress?.port ?? 0) }, logger: .quiet)
            }, body)
    }

    /// The same with any application.
    /// - Parameter make: Makes it, so that it says its port to what it is given once it listens.
    package static func run(
        _ make: (_ found: @escaping @Sendable (Int) -> Void) throws -> some ApplicationProtocol,
        _ body: @Sendable @escaping (Int) async throws -> Void
    ) async throws {
        let (ports, found) = AsyncStream<Int>.makeStream()
        let application = try make { found.yield($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            group.addTask {
                guard let port = await ports.first(where: { _ in true }) else { return }
                try await body(port)
            }
            try await group.next()
            group.cancelAll()
        }
    }
}
