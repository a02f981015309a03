import Subprocess
import SystemPackage

/// Runs libvips' tools on files that strangers sent: each run is a process of its own with little memory, time and files, that
/// knows nothing of our environment.
struct VipsTools: Sendable {
    /// Bytes of address space; 40 megapixels take a third of it.
    var memory = 1536 * 1024 * 1024
    /// Seconds of CPU, and half as many again of waiting.
    var seconds = 20

    struct Outcome: Sendable {
        var succeeded: Bool
        var output: String
    }

    /// - Throws: `TimedOut`, `TooMuchSaid`, or what starting a process throws.
    func run(_ tool: String, _ arguments: [String], in directory: String) async throws -> Outcome {
        let limits = ["--as=\(memory)", "--cpu=\(seconds)", "--nofile=64", "--fsize=\(64 * 1024 * 1024)", "--core=0"]
        var options = PlatformOptions()
        options.teardownSequence = [.send(signal: .kill, allowedDurationToNextStep: .zero)]
        let configuration = Configuration(
            executable: .name("prlimit"), arguments: .init(limits + ["--", tool] + arguments),
            environment: .custom([
                "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": directory, "TMPDIR": directory, "LC_ALL": "C.UTF-8",
                "VIPS_BLOCK_UNTRUSTED": "1", "VIPS_CONCURRENCY": "1",
            ]),
            workingDirectory: FilePath(directory), platformOptions: options)
        return try await within(.seconds(seconds * 3 / 2)) {
            // What it complains of is about files of ours, and for nobody.
            do {
                let result = try await Subprocess.run(
                    configuration, output: .string(limit: 64 * 1024), error: .discarded)
                return Outcome(succeeded: result.terminationStatus.isSuccess, output: result.standardOutput)
            } catch let error as SubprocessError where error.code == .outputLimitExceeded {
                throw TooMuchSaid()
            }
        }
    }

    struct TimedOut: Error {}
    /// More than anybody needs to know of a picture that can be taken.
    struct TooMuchSaid: Error {}

    private func within<Value: Sendable>(
        _ time: Duration, _ body: @escaping @Sendable @concurrent () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask(operation: body)
            group.addTask {
                try await Task.sleep(for: time)
                throw TimedOut()
            }
            defer { group.cancelAll() }
            return try await group.next()!
        }
    }
}
