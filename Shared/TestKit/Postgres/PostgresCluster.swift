import FoundationEssentials
import Supervisor
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// A PostgreSQL server of a test's own, which may be killed, frozen and robbed of its disk; commits reach the disk (fsync), unless a test says that
/// they need not.
///
/// Root makes it run as another user, because PostgreSQL refuses root: `kampong`, as deploy/up does.
package final class PostgresCluster: Sendable {
    package struct Options: Sendable {
        /// Keeps the data on a file system of this size in memory, in a mount namespace of its own, so that it can be filled.
        package var megabytes: Int?
        /// Whether commits wait for the disk. What is killed loses nothing either way; the machine would.
        package var waitsForDisk: Bool
        package init(megabytes: Int? = nil, waitsForDisk: Bool = true) {
            (self.megabytes, self.waitsForDisk) = (megabytes, waitsForDisk)
        }
    }

    /// As the superuser, to the database `postgres`.
    package let url: String
    let port: Int
    private let programs: PostgresPrograms
    private let directory: String
    private let volume: MemoryVolume?
    private let waitsForDisk: Bool
    private let postmaster = Mutex<ChildProcess?>(nil)

    private static let prefix = "kampong-postgres-"

    /// Makes a cluster and starts it; removes those of test runs that are over.
    /// - Throws: `TestSetupError`: what the machine lacks.
    package static func start(_ options: Options = Options()) async throws -> PostgresCluster {
        let cluster = try await PostgresCluster(options)
        do {
            try await cluster.initialise()
            try await cluster.start()
        } catch {
            await cluster.remove()
            throw error
        }
        return cluster
    }

    private init(_ options: Options) async throws {
        let parent = TemporaryDirectory.parent
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        where Owner.isGone(of: name, prefix: Self.prefix) {
            try? FileManager.default.removeItem(atPath: "\(parent)/\(name)")
        }
        directory = "\(parent)/\(Self.prefix)\(Owner.mark)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let user = try ServiceUser.find()
        user?.own(directory)
        var programs = try PostgresPrograms(user: user, log: "\(directory)/postgres.log")
        if let megabytes = options.megabytes {
            let volume = try await MemoryVolume.mount(at: "\(directory)/volume", megabytes: megabytes, for: user)
            programs.entrance = volume.entrance
            self.volume = volume
        } else {
            volume = nil
        }
        self.programs = programs
        waitsForDisk = options.waitsForDisk
        port = FreePort.next()
        // Listens on 127.0.0.1 for as long as the test runs, and holds nothing but the test's own data.
        url = "postgres://postgres:\(directory.suffix(8))@127.0.0.1:\(port)/postgres"
    }

    private var data: String { volume == nil ? "\(directory)/data" : "\(directory)/volume/data" }

    private func initialise() async throws {
        let password = "\(directory)/password"
        try Data("\(directory.suffix(8))\n".utf8).write(to: URL(filePath: password))
        try await programs.run(
            "initdb", "-D", data, "--username=postgres", "--pwfile=\(password)", "--auth=scram-sha-256",
            "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync", "--wal-segsize=\(volume == nil ? 16 : 1)")
    }

    /// Whether this process may mount a volume: root must be able to, and nobody else is asked.
    package static var mayHaveVolume: Bool { getuid() == 0 }

    // MARK: Control

    package var isRunning: Bool { postmaster.withLock { $0?.isRunning ?? false } }

    /// Starts the server again after it ended; returns when it accepts connections, which may be after it has recovered.
    package func start() async throws {
        guard !isRunning else { throw TestSetupError("This PostgreSQL runs already.") }
        let settings = [
            "listen_addresses": "127.0.0.1", "port": "\(port)", "unix_socket_directories": "", "max_connections": "100",
            "shared_buffers": "32MB", "timezone": "UTC", "log_timezone": "UTC", "fsync": waitsForDisk ? "on" : "off",
            // A small volume would be full of the log alone.
            "min_wal_size": volume == nil ? "80MB" : "2MB", "max_wal_size": volume == nil ? "1GB" : "16MB",
        ]
        let child = try await programs.start(
            "postgres", ["-D", data] + settings.flatMap { ["-c", "\($0.key)=\($0.value)"] })
        postmaster.withLock { $0 = child }
        try await awaitReady()
    }

    /// Waits until it accepts connections.
    package func awaitReady() async throws {
        try await eventually("PostgreSQL to accept connections; its log is \(programs.log)", within: .seconds(60)) {
            guard isRunning else { throw TestSetupError("PostgreSQL ended; its log is \(programs.log).") }
            return await programs.succeeds("pg_isready", "-q", "-h", "127.0.0.1", "-p", "\(port)", "-t", "1")
        }
    }

    /// Ends every process of the server at the same moment, as when the power fails (but for what the kernel has still to write).
    package func kill() async throws {
        let child = try demand()
        let all = ProcessTree.freeze(child.pid)
        for pid in all { _ = Glibc.kill(pid, SIGKILL) }
        _ = await child.exit()
        try await ProcessTree.awaitEnd(of: all)
    }

    /// Ends it as `pg_ctl stop -m immediate` does: without a checkpoint, so that it has to recover.
    package func stopImmediately() async throws {
        let child = try demand()
        let all = ProcessTree.members(below: child.pid)
        child.send(SIGQUIT)
        _ = await child.exit()
        try await ProcessTree.awaitEnd(of: all)
    }

    /// Ends it and starts it as an operator would for an upgrade; connections are closed, commits are finished.
    package func restart() async throws {
        let child = try demand()
        child.send(SIGINT)
        _ = await child.exit()
        try await start()
    }

    /// Freezes every process of it: connections stay, and nobody answers.
    package func pause() async throws { try await ProcessTree.awaitStop(of: ProcessTree.freeze(try demand().pid)) }

    package func resume() throws {
        for pid in ProcessTree.members(below: try demand().pid) { _ = Glibc.kill(pid, SIGCONT) }
    }

    /// Leaves no room on the volume, or gives it back.
    package func fillDisk() throws { try demandVolume().fill() }
    package func clearDisk() throws { try demandVolume().clear() }

    /// Keeps one schema of a database as it is now, until the cluster is removed.
    /// - Parameter url: of the database, as the superuser.
    package func dump(schema: String, of url: String) async throws {
        try await programs.run(
            "pg_dump", "--format=custom", "--schema=\(schema)", "--file=\(directory)/\(schema).dump", "--dbname=\(url)")
    }

    /// Puts a schema back to where `dump` found it; what happened in it since is gone.
    package func restore(schema: String, of url: String) async throws {
        try await programs.run(
            "pg_restore", "--clean", "--if-exists", "--exit-on-error", "--dbname=\(url)", "\(directory)/\(schema).dump")
    }

    /// The end of its log, for the message of a test that failed.
    package func log(lastLines: Int = 40) -> String {
        let text = FileManager.default.contents(atPath: programs.log).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return "--- postgres\n" + text.split(separator: "\n").suffix(lastLines).joined(separator: "\n")
    }

    /// Ends it and removes its data.
    package func remove() async {
        if isRunning { try? await kill() }
        await volume?.unmount()
        try? FileManager.default.removeItem(atPath: directory)
    }

    deinit { postmaster.withLock { $0?.send(SIGKILL) } }

    private func demand() throws -> ChildProcess {
        guard let child = postmaster.withLock({ $0 }), child.isRunning else {
            throw TestSetupError("This PostgreSQL does not run.")
        }
        return child
    }

    private func demandVolume() throws -> MemoryVolume {
        guard let volume else { throw TestSetupError("This PostgreSQL has no volume of its own; set megabytes.") }
        return volume
    }
}
