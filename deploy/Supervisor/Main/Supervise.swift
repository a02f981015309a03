import ArgumentParser
import Logging
import ServiceKit
import ServiceLifecycle
import Supervisor
import UnixSignals

/// `kampong supervise FILE [--state FILE]`
struct Supervise: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Starts the processes that a file lists, and starts again what ends.",
        discussion: """
            The file is a JSON list: [{"name": "auth", "executable": "bin/auth", "arguments": [], "environment": {}, "directory": ".",
            "logFile": "auth.log", "readiness": "http://…", "liveness": "http://…"}]; name and executable are required. \
            SIGTERM and SIGINT end all of them, and the supervisor.
            """)

    @Argument(help: "The supervision file.")
    var file: String?

    @Option(name: .customLong("file"), help: "The same, as an option.")
    var fileOption: String?

    @Option(help: "Where to keep what each process is doing, as JSON; by default FILE.state.")
    var state: String?

    @Option(help: "Seconds that a process may take to end before it is killed.")
    var grace = 12

    func run() async throws {
        guard let path = file ?? fileOption else { throw ValidationError("Which file lists the processes?") }
        guard grace >= 0 else { throw ValidationError("The grace cannot be negative.") }
        var options = Supervisor.Options()
        options.grace = .seconds(grace)
        let supervisor = Supervisor(
            try ProcessSpecification.read(path), options: options, stateFile: state ?? "\(path).state",
            say: { StandardOutput.write(Array("\($0)\n".utf8)) })
        var logger = Logger(label: "supervisor")
        logger.logLevel = .error
        let resting = Task {
            try await Task.sleep(for: StartMemory.rest)
            StartMemory.giveBack()
        }
        defer { resting.cancel() }
        try await ServiceGroup(
            services: [supervisor], gracefulShutdownSignals: [.sigterm, .sigint, .sighup], logger: logger
        ).run()
    }
}
