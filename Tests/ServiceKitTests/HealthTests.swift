import CoreMetrics
import Foundation
import Logging
import Reactor
import ServiceKit
import ServiceLifecycle
import Supervisor
import Synchronization
import TestKit
import Testing

private struct Broken: Error {}

@Suite("Health")
struct HealthTests {
    private func withServer(
        readiness: Readiness, metrics: PrometheusRegistry = PrometheusRegistry(),
        liveness: @escaping @Sendable () async throws -> Duration = { .zero },
        _ body: (_ base: String) async throws -> Void
    ) async throws {
        let (ports, found) = AsyncStream.makeStream(of: Int.self)
        let server = HealthServer(
            host: "127.0.0.1", port: 0, readiness: readiness, metrics: metrics, logger: .quiet,
            onRunning: { found.yield($0) }, liveness: liveness)
        let group = ServiceGroup(services: [server], logger: .quiet)
        async let running: Void = group.run()
        let port = try #require(await ports.first { _ in true })
        try await body("http://127.0.0.1:\(port)")
        await group.triggerGracefulShutdown()
        try await running
    }

    @Test func `ready says which checks hold, and follows the phases`() async throws {
        let sink = LineSink()
        let readiness = Readiness(logger: sink.logger(.json))
        let isUp = Mutex(true)
        readiness.require("reactor") {}
        readiness.require("database") { if !isUp.withLock({ $0 }) { throw Broken() } }
        try await withServer(readiness: readiness) { base in
            #expect(await HTTPProbe.get("\(base)/health/ready")?.status == 503, "starting")
            readiness.enter(.running)
            let ready = try #require(await HTTPProbe.get("\(base)/health/ready"))
            #expect(ready.status == 200)
            #expect(try report(ready).checks == ["reactor": "ok", "database": "ok"])
            isUp.withLock { $0 = false }
            let broken = try #require(await HTTPProbe.get("\(base)/health/ready"))
            #expect(broken.status == 503)
            #expect(try report(broken).checks == ["reactor": "ok", "database": "failed"])
            #expect(!broken.body.contains("Broken") && sink.lines.joined().contains("Broken"), "why is in the log only")
            isUp.withLock { $0 = true }
            readiness.enter(.stopping)
            readiness.enter(.running)
            #expect(await HTTPProbe.get("\(base)/health/ready")?.status == 503, "it does not come back from stopping")
        }
    }

    private func report(_ answer: HTTPProbe.Answer) throws -> Readiness.Report {
        try JSONDecoder().decode(Readiness.Report.self, from: Data(answer.body.utf8))
    }

    @Test func `a check that never answers counts as failed`() async throws {
        let readiness = Readiness(logger: .quiet)
        readiness.enter(.running)
        let (never, end) = AsyncStream.makeStream(of: Void.self)
        readiness.require("stuck", within: .milliseconds(50)) {
            // Deaf to cancellation, like a thread that hangs.
            await Task { for await _ in never {} }.value
        }
        #expect(await readiness.report().checks == ["stuck": "failed"])
        end.finish()
    }

    @Test func `live asks the reactor, and tells when it is stuck`() async throws {
        let reactor = Reactor(name: "live")
        defer { reactor.stop() }
        try await withServer(readiness: Readiness(logger: .quiet)) {
            try await withTimeLimit(.seconds(2)) { await reactor.ping() }
        } _: { base in
            #expect(await HTTPProbe.get("\(base)/health/live", within: .seconds(10))?.status == 200)
            let release = DispatchSemaphore(value: 0)
            reactor.submit { release.wait() }
            #expect(await HTTPProbe.get("\(base)/health/live", within: .seconds(10))?.status == 503)
            release.signal()
            #expect(await HTTPProbe.get("\(base)/health/live", within: .seconds(10))?.status == 200)
        }
    }

    @Test func `metrics are the registry's and the process's own`() async throws {
        let metrics = PrometheusRegistry()
        metrics.makeCounter(label: "seen", dimensions: []).increment(by: 3)
        try await withServer(readiness: Readiness(logger: .quiet), metrics: metrics) { base in
            let text = try #require(await HTTPProbe.get("\(base)/metrics")).body
            #expect(text.contains("seen_total 3\n"))
            let resident = try #require(text.firstMatch(of: /process_resident_memory_bytes (\d+)/))
            #expect(try #require(Int(resident.1)) > 1_000_000)
            #expect(text.contains("process_cpu_seconds_total "))
            #expect(text.contains("process_open_fds "))
            #expect(await HTTPProbe.get("\(base)/nothing")?.status == 404)
        }
    }
}
