import Supervisor
import WireProtocol

/// A stack that runs already, such as one of containers, controlled by a script.
struct RemoteStack: StackControl {
    let baseURL: String
    /// Called as `SCRIPT kill|start|pause|resume|recreate|disconnect|reconnect|mails SERVICE`, or `sql SERVICE STATEMENT…`; must return when it is done.
    let script: String?
    let startTimeout: Duration

    func awaitReady() async throws {
        try await eventually("the stack at \(baseURL)", within: startTimeout) {
            await HTTPProbe.get("\(baseURL)/v1/about")?.status == 200
        }
    }

    func kill(_ member: StackMember) async throws { try await run("kill", member.role.rawValue) }

    func start(_ member: StackMember) async throws {
        try await run("start", member.role.rawValue)
        try await awaitReady()
    }

    func pause(_ member: StackMember) async throws { try await run("pause", member.role.rawValue) }

    func resume(_ member: StackMember) async throws { try await run("resume", member.role.rawValue) }

    /// Whoever started it ends it.
    func stop() async {}

    /// The script prints them one after another, each with a zero byte behind it.
    func mails() async throws -> [String] {
        try await answer("mails", PeerRole.notification.rawValue).split(separator: "\0").map(String.init)
    }

    /// The script prints a line for each statement.
    func refusals(of statements: [String], by service: PeerRole) async throws -> [String?] {
        try await answer("sql", service.rawValue, statements).split(separator: "\n").map {
            $0 == "done" ? nil : String($0)
        }
    }

    /// What the script prints.
    func answer(_ command: String, _ container: String, _ more: [String] = []) async throws -> String {
        let directory = try TemporaryDirectory("answer")
        try await run(command, container, more, output: directory.file("output"))
        return directory.read("output")
    }

    func run(_ command: String, _ container: String, _ more: [String] = [], output: String? = nil) async throws {
        guard let script, !script.isEmpty else {
            throw TestSetupError(
                "KAMPONG_STACK_CONTROL must name a script that is called as: kill|start|pause|resume|mails SERVICE.")
        }
        let child = try await ChildProcess.start(
            script, arguments: [command, container] + more, environment: TestSetup.environment,
            log: output)
        let exit = await child.exit()
        guard exit == .status(0) else { throw TestSetupError("\(script) \(command) \(container): \(exit).") }
    }
}
