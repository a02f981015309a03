package import Supervisor
package import WireProtocol

/// A whole Kampong of real processes that a test can use, and hurt.
///
/// By default it starts all services from the build directory, on free ports of 127.0.0.1, with keys of their own in a
/// temporary directory and a database of their own on the test server. Where `KAMPONG_STACK_URL` is set, it uses the stack that runs
/// there instead (one of containers, say), which the script `KAMPONG_STACK_CONTROL` controls.
package final class Stack: Sendable {
    package struct Options: Sendable {
        /// Settings for every process, beside and over what the stack sets itself: `["KAMPONG_SPOTS_LIFETIME": "1"]`. Not for a
        /// stack that runs already.
        package var settings: [String: String] = [:]
        /// Whether the services reach each other through fault proxies; see `proxies`.
        package var hasProxies = false
        /// How many of a service run side by side; one where nothing is said.
        package var replicas: [PeerRole: Int] = [:]
        /// The server on which the stack makes its database; the tests' own where absent.
        package var server: PostgresCluster?
        /// How long a process may take to get ready.
        package var startTimeout: Duration = .seconds(60)
        package init() {}
    }

    /// Where the door is: `http://127.0.0.1:…`, without a slash at the end.
    package let baseURL: String
    /// The same for each replica of the gateway.
    package var baseURLs: [String] { (control as? LocalStack)?.baseURLs ?? [baseURL] }
    private let control: any StackControl

    /// Starts a stack, or finds the one that runs, and returns when all of it is ready.
    /// - Throws: `TestSetupError`: what is missing, or which process does not get ready, with the end of its log.
    package static func start(_ options: Options = Options()) async throws -> Stack {
        let environment = TestSetup.environment
        guard let url = environment["KAMPONG_STACK_URL"], !url.isEmpty else {
            let control = try await LocalStack.start(options)
            return Stack(baseURL: control.baseURL, control: control)
        }
        let trimmed = url.hasSuffix("/") ? String(url.dropLast()) : url
        let control = RemoteStack(
            baseURL: trimmed, script: environment["KAMPONG_STACK_CONTROL"], startTimeout: options.startTimeout)
        try await control.awaitReady()
        return Stack(baseURL: trimmed, control: control)
    }

    private init(baseURL: String, control: any StackControl) {
        self.baseURL = baseURL
        self.control = control
    }

    /// Whether the processes are this stack's own; tests of what only works there ask first.
    package var isLocal: Bool { control is LocalStack }

    /// Its processes.
    package var members: [StackMember] {
        (control as? LocalStack)?.members ?? PeerRole.services.map { StackMember($0) }
    }

    /// Ends a process at once, by SIGKILL, as a crash would; returns when it is gone.
    package func kill(_ member: StackMember) async throws { try await control.kill(member) }

    /// Starts a process that was killed; returns when it is ready. Its ports, keys and data are what they were.
    package func start(_ member: StackMember) async throws { try await control.start(member) }

    /// Freezes a process (SIGSTOP): its connections stay, and it does not answer.
    package func pause(_ member: StackMember) async throws { try await control.pause(member) }

    /// Lets it go on (SIGCONT).
    package func resume(_ member: StackMember) async throws { try await control.resume(member) }

    /// Ends a process as an operator would, by SIGTERM, and says how it ended. Local stacks only.
    package func terminate(_ member: StackMember) async throws -> Exit { try await local().terminate(member) }

    /// Has `KAMPONG_STACK_CONTROL` do what only containers can suffer: `recreate`, `disconnect`, `reconnect`; or anything to one that is no
    /// service of ours, as `postgres`.
    package func control(_ command: String, _ container: String) async throws {
        guard let remote = control as? RemoteStack else {
            throw TestSetupError("This works with a stack that KAMPONG_STACK_URL names.")
        }
        try await remote.run(command, container)
    }

    /// What `KAMPONG_STACK_CONTROL` says of a container, which it only looks at; see `deploy/compose/look`.
    package func look(_ command: String, _ subject: String, _ more: String...) async throws -> String {
        guard let remote = control as? RemoteStack else {
            throw TestSetupError("This works with a stack that KAMPONG_STACK_URL names.")
        }
        return try await remote.answer(command, subject, more)
    }

    /// Runs `kampong` as the operator of this stack, and answers how it ended and what it said. Local stacks only.
    /// - Parameter service: whose database it may use.
    package func kampong(_ arguments: String..., database service: PeerRole? = nil) async throws -> (
        exit: Exit, output: String
    ) {
        try await local().kampong(arguments, database: service)
    }

    /// Runs a service's own program with a verb, as the owner of the service's tables, and answers how it ended and what it said. Local stacks only.
    package func run(_ service: PeerRole, _ arguments: String...) async throws -> (exit: Exit, output: String) {
        try await local().run(service, arguments)
    }

    /// How the database answers statements of the role that a service runs as: for each the SQLSTATE of its refusal, or nil. What they do is undone.
    package func refusals(of statements: [String], by service: PeerRole) async throws -> [String?] {
        try await control.refusals(of: statements, by: service)
    }

    // The only one of its kind, where nothing else is said.
    package func kill(_ service: PeerRole) async throws { try await kill(StackMember(service)) }
    package func start(_ service: PeerRole) async throws { try await start(StackMember(service)) }
    package func pause(_ service: PeerRole) async throws { try await pause(StackMember(service)) }
    package func resume(_ service: PeerRole) async throws { try await resume(StackMember(service)) }
    package func terminate(_ service: PeerRole) async throws -> Exit { try await terminate(StackMember(service)) }

    /// Every mail and every text that was delivered so far, as it would reach a mailbox or a telephone.
    package func mails() async throws -> [String] { try await control.mails() }

    /// Ends everything that `start` started, and drops its database; only its own.
    package func stop() async { await control.stop() }

    /// The end of what each service has logged, for the message of a test that failed. Empty for a stack that ran already.
    package func logs(lastLines: Int = 40) -> String { (control as? LocalStack)?.logs(lastLines: lastLines) ?? "" }

    /// All that a service has logged. Local stacks only.
    package func log(of service: PeerRole) throws -> String { try local().log(of: StackMember(service)) }

    /// Where a service tells of its health: `http://127.0.0.1:…/health/ready`. Local stacks only.
    package func healthURL(of service: PeerRole) throws -> String { try local().healthURL(of: StackMember(service)) }

    /// The proxies before a service's requests and its events, where the options asked for them.
    package func proxies(of service: PeerRole) throws -> (requests: FaultProxy, events: FaultProxy) {
        guard let pair = try local().proxies[service] else {
            throw TestSetupError("There is no proxy before \(service.rawValue); set options.hasProxies.")
        }
        return pair
    }

    /// The URL of the stack's database, as a user who sees all schemas; the services' schemas are called as they are. Local
    /// stacks only.
    package func databaseURL() throws -> String { try local().database.url }

    private func local() throws -> LocalStack {
        guard let local = control as? LocalStack else {
            throw TestSetupError("This works with a stack that the test started itself, not with KAMPONG_STACK_URL.")
        }
        return local
    }
}

/// One process of a stack: a service, and which of its replicas, from 0.
package struct StackMember: Hashable, Sendable, CustomStringConvertible {
    package var role: PeerRole
    package var number: Int

    package init(_ role: PeerRole, _ number: Int = 0) {
        self.role = role
        self.number = number
    }

    package var description: String { number == 0 ? role.rawValue : "\(role.rawValue)-\(number)" }
}

/// What can be done to a stack.
protocol StackControl: Sendable {
    func kill(_ member: StackMember) async throws
    func start(_ member: StackMember) async throws
    func pause(_ member: StackMember) async throws
    func resume(_ member: StackMember) async throws
    func mails() async throws -> [String]
    func refusals(of statements: [String], by service: PeerRole) async throws -> [String?]
    func stop() async
}
