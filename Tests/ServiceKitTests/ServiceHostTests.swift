import Configuration
import Logging
import ServiceKit
import ServiceLifecycle
import Supervisor
import Synchronization
import TestKit
import Testing
import WireProtocol
import ZeroMQ

#if canImport(Glibc)
    import Glibc
#endif

/// A service that notes when it starts and stops.
private struct Noting: Service {
    let name: String
    let notes: Notes

    func run() async throws {
        notes.add("\(name) runs")
        try await gracefulShutdown()
        notes.add("\(name) stops")
    }
}

private final class Notes: Sendable {
    private let stored = Mutex<[String]>([])
    var all: [String] { stored.withLock { $0 } }
    func add(_ note: String) { stored.withLock { $0.append(note) } }
}

@Suite("ServiceHost")
struct ServiceHostTests {
    /// A host with keys of its own, and its settings.
    private func withHost(
        _ environment: [String: String] = [:], _ body: (ServiceHost, SettingsAudit) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        try BusKeys.create(role: "auth", in: directory.path)
        var all = [
            "KAMPONG_BUS_SECRETKEY": directory.file("secret/auth.key"),
            "KAMPONG_BUS_PUBLICKEYS": directory.file("public"),
            "KAMPONG_HEALTH_PORT": "0", "KAMPONG_LOG_LEVEL": "critical",
        ]
        all.merge(environment) { _, new in new }
        let (config, audit) = try await Settings.load(arguments: [], environment: all)
        let telemetry = try Telemetry.start(service: "auth", config: config)
        let host = try ServiceHost(name: "auth", role: .auth, config: config, telemetry: telemetry)
        try await body(host, audit)
        await BackgroundThread.run { host.close() }
    }

    @Test func `stops its services in reverse, health last, when asked to`() async throws {
        let notes = Notes()
        try await withHost { host, audit in
            let (ports, found) = AsyncStream.makeStream(of: Int.self)
            let life = Life(host: host, audit: audit, onPort: { found.yield($0) }) { _ in
                [Noting(name: "first", notes: notes), Noting(name: "second", notes: notes)]
            }
            let group = ServiceGroup(services: [life], logger: .quiet)
            async let running: Void = group.run()
            let port = try #require(await ports.first { _ in true })
            try await eventually("readiness") {
                await HTTPProbe.get("http://127.0.0.1:\(port)/health/ready")?.status == 200
            }
            try await eventually("both to run") { notes.all.count == 2 }
            await group.triggerGracefulShutdown()
            try await running
            #expect(notes.all.suffix(2) == ["second stops", "first stops"])
            #expect(host.readiness.phase == .stopping)
        }
    }

    @Test func `health answers while the wiring still works, and a stop ends that too`() async throws {
        try await withHost { host, audit in
            let (ports, found) = AsyncStream.makeStream(of: Int.self)
            let life = Life(host: host, audit: audit, onPort: { found.yield($0) }) { _ in
                try await Task.sleep(for: .seconds(3600))
                return []
            }
            let group = ServiceGroup(services: [life], logger: .quiet)
            async let running: Void = group.run()
            let port = try #require(await ports.first { _ in true })
            #expect(await HTTPProbe.get("http://127.0.0.1:\(port)/health/live")?.status == 200)
            #expect(await HTTPProbe.get("http://127.0.0.1:\(port)/health/ready")?.status == 503)
            await group.triggerGracefulShutdown()
            try await running
        }
    }

    @Test func `refuses to run with a setting that was passed over`() async throws {
        try await withHost(["KAMPONG_SPOTS_LIFETIME": "soon"]) { host, audit in
            await #expect(throws: ConfigurationProblem.bad("spots.lifetime", "is not a whole number")) {
                try await host.serve(audit: audit) { host in
                    _ = host.config.int(forKey: "spots.lifetime", default: 30)
                    return [Noting(name: "never", notes: Notes())]
                }
            }
        }
    }

    @Test func `an error of a service ends the process's life with it`() async throws {
        struct Broken: Error {}
        struct Breaking: Service { func run() async throws { throw Broken() } }
        try await withHost { host, audit in
            await #expect(throws: Broken.self) {
                try await host.serve(audit: audit) { _ in [Breaking(), Noting(name: "other", notes: Notes())] }
            }
        }
    }

    @Test func `leaves with 78 and one sentence when a setting is missing`() async throws {
        let result = await #expect(processExitsWith: .exitCode(78), observing: [\.standardErrorContent]) {
            unsetenv("KAMPONG_BUS_SECRETKEY")
            await ServiceHost.run("auth", role: .auth) { _ in [] }
        }
        let complaint = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            complaint.contains("auth: The setting KAMPONG_BUS_SECRETKEY (or --kampong-bus-secretkey) is missing.\n"))
    }
}

/// Lets a group run a host, so that a test can ask for a graceful shutdown as a signal would.
private struct Life: Service {
    let host: ServiceHost
    let audit: SettingsAudit
    let onPort: @Sendable (Int) async -> Void
    let wire: @Sendable (ServiceHost) async throws -> [any Service]

    func run() async throws { try await host.serve(audit: audit, onHealthPort: onPort, wire) }
}
