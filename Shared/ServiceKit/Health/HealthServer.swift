import FoundationEssentials
import HTTPTypes
import Hummingbird
package import Logging
import NIOCore
import ServiceLifecycle

/// Answers, on a port of its own, whether the process lives (`/health/live`), whether it can work (`/health/ready`), and what
/// it counted (`/metrics`).
///
/// It runs on NIO's threads, beside the reactor's, so that it can tell when that is stuck.
package struct HealthServer: Service, CustomStringConvertible {
    package var description: String { "health" }

    private let host: String
    private let port: Int
    private let liveness: @Sendable () async throws -> Duration
    private let readiness: Readiness
    private let metrics: PrometheusRegistry
    private let logger: Logger
    private let onRunning: @Sendable (Int) async -> Void
    private let process = ProcessMetrics(startedAt: Date())

    /// - Parameters:
    ///   - port: 0 for any.
    ///   - liveness: Asks the reactor, within a limit; throws where it does not answer.
    ///   - onRunning: Called with the port when connections are accepted.
    package init(
        host: String, port: Int, readiness: Readiness, metrics: PrometheusRegistry, logger: Logger,
        onRunning: @escaping @Sendable (Int) async -> Void = { _ in },
        liveness: @escaping @Sendable () async throws -> Duration
    ) {
        self.host = host
        self.port = port
        self.readiness = readiness
        self.metrics = metrics
        self.logger = logger
        self.onRunning = onRunning
        self.liveness = liveness
    }

    package func run() async throws {
        let application = Application(
            router: routes(),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { [onRunning] channel in await onRunning(channel.localAddress?.port ?? 0) },
            logger: quiet())
        try await application.run()
    }

    private func routes() -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self)
        router.get("health/live") { _, _ in await live() }
        router.get("health/ready") { _, _ in
            let report = await readiness.report()
            return json(report.ready ? .ok : .serviceUnavailable, report)
        }
        router.get("metrics") { _, _ in
            text(metrics.text() + process.text(), type: PrometheusText.contentType)
        }
        return router
    }

    private func live() async -> Response {
        do {
            let turn = try await liveness()
            let microseconds = Int(turn / .microseconds(1))
            return json(.ok, Liveness(live: true, reactorTurnMicroseconds: microseconds))
        } catch {
            logger.error("the reactor does not answer", metadata: ["reason": .string("\(error)")])
            return json(.serviceUnavailable, Liveness(live: false))
        }
    }

    /// Hummingbird says at `info` that it listens; every process here would say so twice.
    private func quiet() -> Logger {
        var logger = logger
        if logger.logLevel < .notice { logger.logLevel = max(logger.logLevel, .notice) }
        return logger
    }

    private func json(_ status: HTTPResponse.Status, _ body: some Encodable) -> Response {
        let bytes = (try? JSONEncoder().encode(body)) ?? Data()
        return response(status, type: "application/json", ByteBuffer(bytes: bytes))
    }

    private func text(_ content: String, type: String) -> Response {
        response(.ok, type: type, ByteBuffer(string: content))
    }

    private func response(_ status: HTTPResponse.Status, type: String, _ body: ByteBuffer) -> Response {
        Response(
            status: status, headers: [.contentType: type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: body))
    }
}

/// What `/health/live` says.
private struct Liveness: Encodable {
    var live: Bool
    var reactorTurnMicroseconds: Int?
}
