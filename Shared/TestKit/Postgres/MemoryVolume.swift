import FoundationEssentials
import Supervisor

#if canImport(Glibc)
    import Glibc
#endif

/// A small file system in memory, mounted in a mount namespace that a sleeping process holds; nobody else sees it.
final class MemoryVolume: Sendable {
    private let holder: ChildProcess
    private let path: String

    /// - Throws: `TestSetupError` where this process may not mount anything, which root may.
    static func mount(at path: String, megabytes: Int, for user: ServiceUser?) async throws -> MemoryVolume {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let script = """
            mount -t tmpfs -o size=\(megabytes)m,mode=0700 tmpfs "$1" && chown "$2" "$1" && : >"$1.mounted" && exec sleep infinity
            """
        let holder = try await ChildProcess.start(
            "/usr/bin/unshare", arguments: ["--mount", "sh", "-c", script, "sh", path, user?.name ?? "root"],
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
        while holder.isRunning, !FileManager.default.fileExists(atPath: "\(path).mounted") {
            try await Task.sleep(for: .milliseconds(10))
        }
        guard holder.isRunning else {
            throw TestSetupError("A file system of the test's own cannot be mounted here; that takes root's rights.")
        }
        return MemoryVolume(holder: holder, path: path)
    }

    private init(holder: ChildProcess, path: String) {
        self.holder = holder
        self.path = path
    }

    /// Runs a command where the volume is mounted.
    var entrance: [String] { ["nsenter", "--mount=/proc/\(holder.pid)/ns/mnt", "--"] }

    /// Takes all the room that is left.
    func fill() throws {
        let descriptor = open(ballast, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw TestSetupError("No ballast can be written: errno \(errno).") }
        defer { close(descriptor) }
        // Ever smaller pieces, until not one byte finds room.
        var size = 1 << 20
        let zeros = [UInt8](repeating: 0, count: size)
        while size > 0 {
            if write(descriptor, zeros, size) <= 0 { size /= 2 }
        }
    }

    func clear() { unlink(ballast) }

    /// The namespace goes with its last process, and the volume with the namespace.
    func unmount() async { await holder.stop(grace: .seconds(1)) }

    /// Seen through the holder, since this process is not in its namespace.
    private var ballast: String { "/proc/\(holder.pid)/root\(path)/ballast" }
}
