import CLinux
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// A process that this one started: the leader of a group of its own, killed by the kernel when this one dies.
///
/// A thread of its own starts it and waits for it. That is not thrift but necessity: `PR_SET_PDEATHSIG` speaks of the
/// *thread* that forked, and a thread of a pool may end at any time and take the child with it.
package final class ChildProcess: Sendable {
    package let pid: Int32
    private let state = Mutex(State())

    private struct State {
        var exit: Exit?
        var waiting: [CheckedContinuation<Exit, Never>] = []
    }

    private init(pid: Int32) { self.pid = pid }

    /// Starts a program.
    /// - Parameters:
    ///   - executable: A path; `PATH` is not searched.
    ///   - environment: All of it; nothing is inherited.
    ///   - log: A file that both outputs are appended to; nil to write where this process does.
    /// - Throws: `StartError`.
    package static func start(
        _ executable: String, arguments: [String] = [], environment: [String: String], directory: String? = nil,
        log: String? = nil
    ) async throws -> ChildProcess {
        let child: Result<ChildProcess, any Error> = await withCheckedContinuation { continuation in
            BackgroundThread.start {
                let result = Result {
                    try spawn(executable, arguments, environment, directory: directory, log: log)
                }
                continuation.resume(returning: result)
                if case .success(let child) = result { child.reap() }
            }
        }
        return try child.get()
    }

    /// Waits until the process has ended; may be asked again and by several. Not interrupted by cancellation.
    package func exit() async -> Exit {
        await withCheckedContinuation { continuation in
            let known = state.withLock { state -> Exit? in
                if state.exit == nil { state.waiting.append(continuation) }
                return state.exit
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    package var isRunning: Bool { state.withLock { $0.exit == nil } }

    /// Sends a signal to the process, or to all of its group; does nothing once it has ended.
    package func send(_ signal: Int32, toGroup: Bool = false) {
        // Under the lock, for `reap` frees the pid under it too: a pid that was given away is never signalled.
        state.withLock { state in
            if state.exit == nil { _ = kill(toGroup ? -pid : pid, signal) }
        }
    }

    /// SIGTERM, and SIGKILL to the group after `grace`.
    @discardableResult
    package func stop(grace: Duration) async -> Exit {
        send(SIGTERM)
        let impatience = Task {
            try await Task.sleep(for: grace)
            send(SIGKILL, toGroup: true)
        }
        defer { impatience.cancel() }
        return await exit()
    }

    // MARK: On the thread

    private static func spawn(
        _ executable: String, _ arguments: [String], _ environment: [String: String], directory: String?, log: String?
    ) throws -> ChildProcess {
        let output = try log.map(openLog) ?? -1
        defer { if output >= 0 { close(output) } }
        var pid: pid_t = 0
        let error = withCStrings([executable] + arguments) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                clinux_spawn(executable, arguments, environment, directory, output, &pid)
            }
        }
        guard error == 0 else { throw StartError(what: executable, errno: error) }
        return ChildProcess(pid: pid)
    }

    private static func openLog(_ path: String) throws -> Int32 {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw StartError(what: path, errno: errno) }
        return descriptor
    }

    private func reap() {
        var information = siginfo_t()
        // Leaves it as a zombie for now, so that pid and group stay its own until everything is said and done.
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        let (exit, waiting) = state.withLock { state in
            kill(-pid, SIGKILL)  // what it started and left behind
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            let exit: Exit = status & 0x7F == 0 ? .status(status >> 8 & 0xFF) : .signal(status & 0x7F)
            state.exit = exit
            defer { state.waiting = [] }
            return (exit, state.waiting)
        }
        for continuation in waiting { continuation.resume(returning: exit) }
    }
}

/// A program that could not be started.
package struct StartError: Error, Hashable, CustomStringConvertible {
    package var what: String
    package var errno: Int32

    package init(what: String, errno: Int32) {
        self.what = what
        self.errno = errno
    }

    package var description: String { "\(what): \(String(cString: strerror(errno)))" }
}

/// Calls `body` with a null-terminated array of C strings.
private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { body(UnsafePointer($0.baseAddress!)) }
}
