internal import Supervisor
internal import Synchronization
internal import WireProtocol

#if canImport(Glibc)
    internal import Glibc
#endif
#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The processes of a stack that a test started. They die with the test process, however that ends.
final class LocalStack: StackControl {
    let baseURL: String
    let database: StackDatabase
    let proxies: [PeerRole: (requests: FaultProxy, events: FaultProxy)]
    private let directory: StackDirectory
    private let settings: StackSettings
    private let patience: Duration
    private let children = Mutex<[PeerRole: ChildProcess]>([:])

    static let services: [PeerRole] = [.auth, .listings, .notification, .gateway]

    static func start(_ options: Stack.Options) async throws -> LocalStack {
        let binaries = try StackBinaries.directory()
        let directory = try StackDirectory()
        let database = try await StackDatabase.create(roles: ["auth", "listings", "notification"])
        do {
            let stack = try LocalStack(options, binaries: binaries, directory: directory, database: database)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for service in services { group.addTask { try await stack.start(service) } }
                try await group.waitForAll()
            }
            return stack
        } catch {
            // What was started ends as the last reference to it goes; the database would stay.
            await database.drop()
            throw error
        }
    }

    private init(
        _ options: Stack.Options, binaries: String, directory: StackDirectory, database: StackDatabase
    ) throws {
        let settings = try StackSettings(
            binaries: binaries, directory: directory.path, database: database, hasProxies: options.hasProxies,
            overrides: options.settings)
        self.settings = settings
        self.directory = directory
        self.database = database
        patience = options.patience
        proxies = settings.proxies
        baseURL = settings.baseURL
    }

    deinit {
        for child in children.withLock({ $0.values }) { child.send(SIGKILL, toGroup: true) }
    }

    // MARK: Control

    func start(_ service: PeerRole) async throws {
        guard running(service) == nil else { throw TestSetupError("\(service.rawValue) runs already.") }
        let child = try await ChildProcess.start(
            settings.executable(of: service), environment: settings.environment(of: service),
            log: directory.log(of: service))
        children.withLock { $0[service] = child }
        try await awaitReady(service, child)
    }

    func kill(_ service: PeerRole) async throws {
        let child = try demand(service)
        child.send(SIGKILL, toGroup: true)
        _ = await child.exit()
    }

    func terminate(_ service: PeerRole) async throws -> Exit {
        await (try demand(service)).stop(grace: .seconds(30))
    }

    func pause(_ service: PeerRole) async throws { try demand(service).send(SIGSTOP, toGroup: true) }

    func resume(_ service: PeerRole) async throws { try demand(service).send(SIGCONT, toGroup: true) }

    func mails() async throws -> [String] {
        let folder = settings.mailFolder
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".eml") }.sorted()
            .compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)") }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    func stop() async {
        let all = children.withLock { $0.values.filter(\.isRunning) }
        await withTaskGroup(of: Void.self) { group in
            for child in all {
                child.send(SIGCONT, toGroup: true)
                group.addTask { await child.stop(grace: .seconds(12)) }
            }
        }
        for pair in proxies.values {
            pair.requests.stop()
            pair.events.stop()
        }
        await database.drop()
        directory.remove()
    }

    // MARK: What it says

    func log(of service: PeerRole) -> String {
        FileManager.default.contents(atPath: directory.log(of: service)).map { String(decoding: $0, as: UTF8.self) }
            ?? ""
    }

    func logs(lastLines: Int) -> String {
        Self.services.map { service in
            let lines = log(of: service).split(separator: "\n").suffix(lastLines)
            return "--- \(service.rawValue)\n" + lines.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    func healthURL(of service: PeerRole) -> String { settings.healthURL(of: service) }

    // MARK: Inside

    private func running(_ service: PeerRole) -> ChildProcess? {
        children.withLock { $0[service] }.flatMap { $0.isRunning ? $0 : nil }
    }

    private func demand(_ service: PeerRole) throws -> ChildProcess {
        guard let child = running(service) else { throw TestSetupError("\(service.rawValue) does not run.") }
        return child
    }

    private func awaitReady(_ service: PeerRole, _ child: ChildProcess) async throws {
        let deadline = ContinuousClock.now + patience
        while await HTTPProbe.get(healthURL(of: service))?.status != 200 {
            guard child.isRunning else {
                let exit = await child.exit()
                throw TestSetupError("\(service.rawValue) \(exit) before it was ready.\n\(logs(lastLines: 20))")
            }
            guard ContinuousClock.now < deadline else {
                throw TestSetupError("\(service.rawValue) is not ready after \(patience).\n\(logs(lastLines: 20))")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
