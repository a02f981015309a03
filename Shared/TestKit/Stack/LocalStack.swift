import FoundationEssentials
import Supervisor
import Synchronization
import WireProtocol

#if canImport(Glibc)
    import Glibc
#endif

/// The processes of a stack that a test started. They die with the test process, however that ends.
final class LocalStack: StackControl {
    let baseURLs: [String]
    var baseURL: String { baseURLs[0] }
    let members: [StackMember]
    let database: StackDatabase
    let proxies: [PeerRole: (requests: FaultProxy, events: FaultProxy)]
    private let directory: StackDirectory
    private let settings: StackSettings
    private let startTimeout: Duration
    private let children = Mutex<[StackMember: ChildProcess]>([:])

    static func start(_ options: Stack.Options) async throws -> LocalStack {
        let binaries = try StackBinaries.directory()
        let directory = try StackDirectory()
        let database = try await StackDatabase.create(roles: PeerRole.stateful.map(\.rawValue), on: options.server?.url)
        do {
            let stack = try LocalStack(options, binaries: binaries, directory: directory, database: database)
            try await stack.migrate()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for member in stack.members { group.addTask { try await stack.start(member) } }
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
            binaries: binaries, directory: directory.path, database: database, options: options)
        self.settings = settings
        self.directory = directory
        self.database = database
        startTimeout = options.startTimeout
        proxies = settings.proxies
        baseURLs = settings.baseURLs
        members = settings.members
    }

    deinit {
        for child in children.withLock({ $0.values }) { child.send(SIGKILL, toGroup: true) }
    }

    // MARK: Control

    /// All tables, before anything runs that needs them.
    private func migrate() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for role in PeerRole.stateful {
                group.addTask {
                    let member = StackMember(role)
                    let child = try await ChildProcess.start(
                        self.settings.executable(of: member), arguments: ["migrate"],
                        environment: self.settings.migrationEnvironment(of: role), log: self.directory.log(of: member))
                    let exit = await child.exit()
                    guard exit == .status(0) else {
                        throw TestSetupError("\(role.rawValue) migrate \(exit).\n\(self.logs(lastLines: 20))")
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    func start(_ member: StackMember) async throws {
        guard running(member) == nil else { throw TestSetupError("\(member) runs already.") }
        let child = try await ChildProcess.start(
            settings.executable(of: member), environment: settings.environment(of: member),
            log: directory.log(of: member))
        children.withLock { $0[member] = child }
        try await awaitReady(member, child)
    }

    func kill(_ member: StackMember) async throws {
        let child = try demand(member)
        child.send(SIGKILL, toGroup: true)
        _ = await child.exit()
    }

    func terminate(_ member: StackMember) async throws -> Exit {
        await (try demand(member)).stop(grace: .seconds(30))
    }

    func pause(_ member: StackMember) async throws {
        let child = try demand(member)
        child.send(SIGSTOP, toGroup: true)
        try await ProcessTree.awaitStop(of: [child.pid])
    }

    func resume(_ member: StackMember) async throws { try demand(member).send(SIGCONT, toGroup: true) }

    func kampong(_ arguments: [String], database service: PeerRole?) async throws -> (Exit, String) {
        try await run(settings.operatorTool, arguments, settings.operatorEnvironment(database: service))
    }

    func run(_ service: PeerRole, _ arguments: [String]) async throws -> (Exit, String) {
        try await run(
            settings.executable(of: StackMember(service)), arguments, settings.verbEnvironment(of: service))
    }

    private func run(_ program: String, _ arguments: [String], _ environment: [String: String]) async throws -> (
        Exit, String
    ) {
        try? FileManager.default.removeItem(atPath: directory.operatorLog)
        let child = try await ChildProcess.start(
            program, arguments: arguments,
            environment: environment, log: directory.operatorLog)
        let exit = await child.exit()
        let output = FileManager.default.contents(atPath: directory.operatorLog) ?? Data()
        return (exit, String(decoding: output, as: UTF8.self))
    }

    func refusals(of statements: [String], by service: PeerRole) async throws -> [String?] {
        try await database.refusals(of: statements, by: service.rawValue)
    }

    func mails() async throws -> [String] {
        let folder = settings.mailFolder
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .filter { $0.hasSuffix(".eml") || $0.hasSuffix(".txt") }.compactMap {
                FileManager.default.contents(atPath: "\(folder)/\($0)")
            }
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

    func log(of member: StackMember) -> String {
        FileManager.default.contents(atPath: directory.log(of: member)).map { String(decoding: $0, as: UTF8.self) }
            ?? ""
    }

    func logs(lastLines: Int) -> String {
        members.map { member in
            let lines = log(of: member).split(separator: "\n").suffix(lastLines)
            return "--- \(member)\n" + lines.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    func healthURL(of member: StackMember) -> String { settings.healthURL(of: member) }

    // MARK: Inside

    private func running(_ member: StackMember) -> ChildProcess? {
        children.withLock { $0[member] }.flatMap { $0.isRunning ? $0 : nil }
    }

    private func demand(_ member: StackMember) throws -> ChildProcess {
        guard let child = running(member) else { throw TestSetupError("\(member) does not run.") }
        return child
    }

    private func awaitReady(_ member: StackMember, _ child: ChildProcess) async throws {
        let deadline = ContinuousClock.now + startTimeout
        while await HTTPProbe.get(healthURL(of: member))?.status != 200 {
            guard child.isRunning else {
                let exit = await child.exit()
                throw TestSetupError("\(member) \(exit) before it was ready.\n\(logs(lastLines: 20))")
            }
            guard ContinuousClock.now < deadline else {
                throw TestSetupError("\(member) is not ready after \(startTimeout).\n\(logs(lastLines: 20))")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
