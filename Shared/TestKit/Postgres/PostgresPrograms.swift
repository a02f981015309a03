import FoundationEssentials
import Supervisor

#if canImport(Glibc)
    import Glibc
#endif

/// PostgreSQL's programs of the newest version that is installed, run as somebody who is not root.
struct PostgresPrograms: Sendable {
    let user: ServiceUser?
    /// Where all of them write.
    let log: String
    /// Put before each command, to run it where its files are.
    var entrance: [String] = []
    private let folder: String

    init(user: ServiceUser?, log: String) throws {
        self.user = user
        self.log = log
        let root = "/usr/lib/postgresql"
        let versions = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).compactMap(Int.init)
        guard let newest = versions.max() else {
            throw TestSetupError("PostgreSQL's server is not installed below \(root); deploy/test installs it.")
        }
        folder = "\(root)/\(newest)/bin"
    }

    func start(_ program: String, _ arguments: [String]) async throws -> ChildProcess {
        let command = entrance + (user?.prefix ?? []) + ["\(folder)/\(program)"] + arguments
        return try await ChildProcess.start(
            "/usr/bin/env", arguments: command,
            environment: ["PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"],
            directory: "/", log: log)
    }

    func run(_ program: String, _ arguments: String...) async throws { try await run(program, arguments) }

    func run(_ program: String, _ arguments: [String]) async throws {
        let exit = await (try await start(program, arguments)).exit()
        guard exit == .status(0) else { throw TestSetupError("\(program) failed (\(exit)); its log is \(log).") }
    }

    func succeeds(_ program: String, _ arguments: String...) async -> Bool {
        guard let child = try? await start(program, arguments) else { return false }
        return await child.exit() == .status(0)
    }
}

/// Who runs what root may not.
struct ServiceUser: Sendable {
    let name: String
    private let ids: (uid_t, gid_t)

    /// Nil where this process is not root, and so may run everything itself.
    static func find() throws -> ServiceUser? {
        guard getuid() == 0 else { return nil }
        for name in ["kampong", "postgres"] {
            guard let entry = getpwnam(name) else { continue }
            return ServiceUser(name: name, ids: (entry.pointee.pw_uid, entry.pointee.pw_gid))
        }
        throw TestSetupError("PostgreSQL does not run as root, and there is no user kampong; deploy/test makes it.")
    }

    /// The death signal is set anew, because the kernel forgets it when a process changes its user.
    var prefix: [String] {
        [
            "setpriv", "--reuid=\(name)", "--regid=\(ids.1)", "--init-groups", "--inh-caps=-all", "--pdeathsig=KILL",
        ]
    }

    func own(_ path: String) { _ = chown(path, ids.0, ids.1) }
}
