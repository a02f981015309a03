import Supervisor
import TestKit
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// Starts `sh -c script`, its output going to `log`.
func shell(_ script: String, _ environment: [String: String] = [:], log: String? = nil) async throws -> ChildProcess {
    try await ChildProcess.start(
        "/bin/sh", arguments: ["-c", script],
        environment: environment.merging(["PATH": "/usr/bin:/bin"]) { own, _ in own }, log: log)
}

/// Whether a process exists and is no zombie.
func isAlive(_ pid: Int32) -> Bool { letter(of: pid).map { $0 != "Z" } ?? false }

/// The kernel's letter for what a process is doing: S, R, T (stopped), Z …; nil where there is none.
private func letter(of pid: Int32) -> Character? {
    guard let file = fopen("/proc/\(pid)/stat", "r") else { return nil }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 512)
    let count = fread(&buffer, 1, buffer.count, file)
    return String(decoding: buffer[..<count], as: UTF8.self).split(separator: ")").last?.first { $0 != " " }
}

@Suite("Child processes")
struct ChildProcessTests {
    @Test func `tells how a process ended`() async throws {
        #expect(await (try shell("exit 0")).exit() == .status(0))
        #expect(await (try shell("exit 78")).exit() == .status(78))
        #expect(await (try shell("kill -ABRT $$")).exit() == .signal(SIGABRT))
    }

    @Test func `gives arguments, environment, directory and log, and nothing else`() async throws {
        let directory = try TemporaryDirectory()
        let log = try directory.write("log", "before\n")
        setenv("KAMPONG_OF_THE_PARENT", "1", 1)
        let child = try await ChildProcess.start(
            "/bin/sh",
            arguments: [
                "-c", "echo \"$0 $1\"; pwd; env | grep KAMPONG; echo oops >&2; ls /proc/self/fd | wc -l", "a b", "c",
            ],
            environment: ["PATH": "/usr/bin:/bin", "KAMPONG_X": "y z"], directory: directory.path, log: log)
        #expect(await child.exit() == .status(0))
        let lines = directory.read("log").split(separator: "\n")
        #expect(lines == ["before", "a b c", "\(directory.path)", "KAMPONG_X=y z", "oops", "4"])
    }

    @Test func `says what cannot be started, and leaves nothing behind`() async throws {
        await #expect(throws: StartError(what: "/nowhere/program", errno: ENOENT)) {
            try await ChildProcess.start("/nowhere/program", environment: [:])
        }
        await #expect(throws: StartError(what: "/nowhere/log", errno: ENOENT)) {
            try await ChildProcess.start("/bin/true", environment: [:], log: "/nowhere/log")
        }
        await #expect(throws: StartError(what: "/bin/true", errno: ENOENT)) {
            try await ChildProcess.start("/bin/true", environment: [:], directory: "/nowhere")
        }
    }

    @Test func `stops one that heeds SIGTERM by that alone`() async throws {
        let directory = try TemporaryDirectory()
        let child = try await shell(
            "trap 'echo bye; exit 3' TERM; echo up; while :; do sleep 0.05; done", log: directory.file("log"))
        try await eventually("the trap") { directory.read("log") == "up\n" }
        #expect(await child.stop(grace: .seconds(30)) == .status(3))
        #expect(directory.read("log") == "up\nbye\n")
    }

    @Test func `kills one that ignores SIGTERM, and what it started`() async throws {
        let directory = try TemporaryDirectory()
        let child = try await shell(
            "trap '' TERM; sleep 1000 & echo $!; while :; do sleep 0.05; done", log: directory.file("log"))
        try await eventually("the grandchild") { directory.read("log").hasSuffix("\n") }
        let grandchild = try #require(Int32(directory.read("log").dropLast()))
        let begin = ContinuousClock.now
        #expect(await child.stop(grace: .milliseconds(200)) == .signal(SIGKILL))
        #expect(ContinuousClock.now - begin >= .milliseconds(200))
        try await eventually("the grandchild's end") { !isAlive(grandchild) }
    }

    @Test func `kills one that was frozen`() async throws {
        let child = try await shell("sleep 1000")
        child.send(SIGSTOP)
        try await eventually("the freeze") { letter(of: child.pid) == "T" }
        #expect(await child.stop(grace: .milliseconds(100)) == .signal(SIGKILL))
        child.send(SIGTERM)  // nobody is there any more; the pid may be another's by now
        #expect(!child.isRunning)
    }

    @Test func `many at once, each with its own end`() async throws {
        let ends = try await withThrowingTaskGroup(of: (Int32, Exit).self) { group in
            for status in Int32(0)..<20 {
                group.addTask { (status, await (try shell("exit \(status)")).exit()) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ends.count == 20)
        for (status, exit) in ends { #expect(exit == .status(status)) }
    }

    /// The parent is a process of its own, which starts a child and then dies without a word.
    @Test func `a child does not outlive its parent, whatever the parent dies of`() async throws {
        let directory = try TemporaryDirectory()
        setenv("KAMPONG_TEST_PID_FILE", directory.file("pid"), 1)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let file = String(cString: getenv("KAMPONG_TEST_PID_FILE"))
            let child = try await ChildProcess.start("/bin/sleep", arguments: ["1000"], environment: [:])
            // Other threads of the pool come and go first: the child must hang on the process, not on one of them.
            await withTaskGroup { group in
                for _ in 0..<50 { group.addTask { try? await Task.sleep(for: .milliseconds(1)) } }
            }
            precondition(child.isRunning)
            let output = fopen(file, "w")
            fputs("\(child.pid)\n", output)
            fclose(output)
            kill(getpid(), SIGKILL)
        }
        let pid = try #require(Int32(directory.read("pid").dropLast()))
        try await eventually("the child's end") { !isAlive(pid) }
    }
}
