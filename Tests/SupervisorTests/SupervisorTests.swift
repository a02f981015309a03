import Foundation
import Logging
import ServiceLifecycle
import Supervisor
import Synchronization
import TestKit
import Testing

/// A supervisor of small shell programs that a test runs.
private final class Run: Sendable {
    let directory: TemporaryDirectory
    let supervisor: Supervisor
    private let lines = Lines()

    /// - Parameter scripts: What `sh` runs, by name. `$DIR` is the test's directory.
    init(_ scripts: [String: String], _ change: (inout ProcessSpecification) -> Void = { _ in }) throws {
        let directory = try TemporaryDirectory()
        self.directory = directory
        let processes = scripts.sorted { $0.key < $1.key }.map { name, script in
            var process = ProcessSpecification(name: name, executable: "/bin/sh")
            process.arguments = ["-c", script]
            process.environment = ["DIR": directory.path]
            process.logFile = directory.file("\(name).log")
            change(&process)
            return process
        }
        var options = Supervisor.Options()
        options.policy.firstDelay = .milliseconds(20)
        options.grace = .seconds(2)
        options.readinessInterval = .milliseconds(20)
        options.livenessInterval = .milliseconds(50)
        supervisor = Supervisor(
            processes, options: options, stateFile: directory.file("state"), say: { [lines] in lines.add($0) })
    }

    private final class Lines: Sendable {
        private let stored = Mutex<[String]>([])
        var all: [String] { stored.withLock { $0 } }
        func add(_ line: String) { stored.withLock { $0.append(line) } }
    }

    /// What was said about one process.
    func lines(of name: String) -> [String] { lines.all.filter { $0.contains(" \(name): ") } }

    func state(of name: String) -> ProcessState? { supervisor.state.all.first { $0.name == name } }

    /// Runs it beside `body`, and then shuts it down gracefully.
    func during(_ body: () async throws -> Void) async throws {
        let group = ServiceGroup(services: [supervisor], logger: .quiet)
        let running = Task { try await group.run() }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        await group.triggerGracefulShutdown()
        try await running.value
        try result.get()
    }
}

@Suite("Supervisor")
struct SupervisorTests {
    @Test func `starts again what crashes, waiting longer each time`() async throws {
        let run = try Run(["a": "echo up >>$DIR/starts; exit 1", "steady": "echo up >>$DIR/steady; exec sleep 1000"])
        try await run.during {
            try await eventually("four starts") { run.directory.read("starts").split(separator: "\n").count >= 4 }
            #expect(run.directory.read("steady") == "up\n", "the others are left alone")
            // The process writes before its start is noted.
            try await eventually("the starts to be noted") { (run.state(of: "a")?.restarts ?? 0) >= 3 }
            #expect(run.state(of: "steady")?.restarts == 0)
        }
        let waits = run.lines(of: "a").compactMap { line in
            line.firstMatch(of: /ended with status 1; starting again in ([0-9.]+) s/).flatMap { Double($0.1) }
        }
        #expect(waits.count >= 3)
        #expect(waits[2] > waits[0])
    }

    @Test func `a killed process comes back with another pid`() async throws {
        let run = try Run(["a": "exec sleep 1000"])
        try await run.during {
            try await eventually("a start") { run.state(of: "a")?.pid != nil }
            let pid = try #require(run.state(of: "a")?.pid)
            kill(pid, SIGKILL)
            try await eventually("another start") {
                let state = run.state(of: "a")
                return state?.phase == .running && state?.pid != nil && state?.pid != pid
            }
            #expect(run.lines(of: "a").contains { $0.contains("ended by SIGKILL; starting again") })
        }
    }

    @Test func `a shutdown ends all, also who ignores SIGTERM`() async throws {
        let run = try Run([
            "deaf": "trap '' TERM; echo up >$DIR/deaf; while :; do sleep 0.05; done",
            "polite": "trap 'echo bye >>$DIR/bye; exit 0' TERM; echo up >$DIR/up; while :; do sleep 0.05; done",
        ])
        let pids = Mutex<[Int32]>([])
        try await run.during {
            try await eventually("both to run") {
                run.supervisor.state.all.allSatisfy { $0.pid != nil } && run.directory.read("deaf") == "up\n"
                    && run.directory.read("up") == "up\n"
            }
            pids.withLock { $0 = run.supervisor.state.all.compactMap(\.pid) }
        }
        let ended = pids.withLock { $0 }
        #expect(ended.count == 2)
        #expect(ended.allSatisfy { !isAlive($0) })
        #expect(run.directory.read("bye") == "bye\n")
        #expect(run.lines(of: "deaf").contains { $0.contains("was killed") })
        #expect(run.supervisor.state.all.allSatisfy { $0.phase == .stopped && $0.pid == nil })
    }

    @Test func `a shutdown does not wait for a process that waits to be started`() async throws {
        let run = try Run(["a": "exit 78"])
        let begin = ContinuousClock.now
        try await run.during {
            try await eventually("the long wait") {
                run.lines(of: "a").contains { $0.contains("a setting is missing") }
            }
        }
        #expect(ContinuousClock.now - begin < .seconds(20), "the wait is thirty seconds")
    }

    @Test func `a program that is not there yet is started when it is`() async throws {
        let directory = try TemporaryDirectory()
        let program = directory.file("program")
        let run = try Run(["a": ""]) { $0.executable = program }
        try await run.during {
            try await eventually("a failure") { run.lines(of: "a").contains { $0.contains("No such file") } }
            try directory.write("draft", "#!/bin/sh\nexec sleep 1000\n")
            #expect(chmod(directory.file("draft"), 0o755) == 0)
            #expect(rename(directory.file("draft"), program) == 0)
            try await eventually("its start") { run.state(of: "a")?.phase == .running }
        }
    }

    @Test func `says when it is ready, and starts again who stops answering`() async throws {
        let port = FreePort.next()
        let run = try Run(["web": "exec python3 -m http.server --bind 127.0.0.1 \(port)"]) {
            $0.readiness = "http://127.0.0.1:\(port)/"
            $0.liveness = "http://127.0.0.1:\(port)/"
            $0.directory = $0.environment["DIR"]
        }
        try await run.during {
            try await eventually("readiness", within: .seconds(30)) { run.state(of: "web")?.phase == .running }
            #expect(run.lines(of: "web").contains { $0.contains("ready after") })
            let pid = try #require(run.state(of: "web")?.pid)
            kill(pid, SIGSTOP)  // hangs: connections are made by the kernel, and nobody answers
            try await eventually("its restart", within: .seconds(60)) {
                let state = run.state(of: "web")
                return state?.restarts == 1 && state?.phase == .running
            }
            #expect(run.lines(of: "web").contains { $0.contains("does not answer any more") })
        }
    }

    @Test func `keeps a state file that can be read at any time`() async throws {
        let run = try Run(["a": "exec sleep 1000"])
        try await run.during {
            try await eventually("a state with a pid") {
                StackState.read(run.directory.file("state"))?.first?.pid != nil
            }
            let state = try #require(StackState.read(run.directory.file("state"))?.first)
            #expect(state.name == "a" && state.restarts == 0 && state.phase == .running)
            #expect(isAlive(try #require(state.pid)))
            #expect(abs(state.since.timeIntervalSinceNow) < 60)
        }
        #expect(StackState.read(run.directory.file("state"))?.first?.phase == .stopped)
    }
}

@Suite("Supervision file")
struct SupervisionFileTests {
    @Test func `reads what is there, and defaults for the rest`() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(
            "stack.json",
            #"[{"name": "a", "executable": "/bin/true"}, {"name": "b", "executable": "b", "arguments": ["x"], "environment": {"K": "v"}, "logFile": "l", "readiness": "http://127.0.0.1:1/r"}]"#
        )
        let list = try ProcessSpecification.read(file)
        #expect(list.count == 2)
        #expect(list[0].arguments.isEmpty && list[0].environment.isEmpty && list[0].logFile == nil)
        #expect(list[1].arguments == ["x"] && list[1].environment == ["K": "v"])
        #expect(list[1].logFile == "l" && list[1].readiness == "http://127.0.0.1:1/r")
    }

    @Test(arguments: [
        ("[]", "names no process"), ("{}", "is not a JSON list"), ("nonsense", "is not a JSON list"),
        (#"[{"name": "a", "executable": "x"}, {"name": "b"}]"#, "process number 2 has no executable"),
        (#"[{"name": "a", "executable": "x"}, {"name": "a", "executable": "x"}]"#, "the name a appears twice"),
        (#"[{"name": "a", "executable": "x", "readiness": "https://x/"}]"#, "which is not an http:// address"),
    ])
    func `says what is wrong`(content: String, complaint: String) throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("stack.json", content)
        let error = #expect(throws: SupervisionFileError.self) { try ProcessSpecification.read(file) }
        #expect(error?.description.contains(complaint) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains(file) == true)
    }
}
