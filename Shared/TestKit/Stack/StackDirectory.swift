import FoundationEssentials
import WireProtocol

#if canImport(Glibc)
    import Glibc
#endif

/// The temporary directory of a stack. Not removed by a failing test run, so that its logs can be read; the next stack does
/// that.
struct StackDirectory: Sendable {
    let path: String
    private static let prefix = "kampong-stack-"

    /// Makes one, and removes those of test runs that are over.
    init() throws {
        let parent = TemporaryDirectory.parent
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] {
            if Owner.isGone(of: name, prefix: Self.prefix) {
                try? FileManager.default.removeItem(atPath: "\(parent)/\(name)")
            }
        }
        path = "\(parent)/\(Self.prefix)\(Owner.mark)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    func log(of member: StackMember) -> String { "\(path)/\(member).log" }
    var operatorLog: String { "\(path)/kampong.log" }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

/// Marks what belongs to this process, so that others can tell what was left behind.
enum Owner {
    /// The process's id and something random, with an underscore between them.
    static var mark: String { "\(getpid())_\(TestSetup.randomName())" }

    /// Whether `name` is `<prefix><pid>_…` of a process that does not run any more.
    static func isGone(of name: String, prefix: String) -> Bool {
        guard name.hasPrefix(prefix), let pid = Int32(name.dropFirst(prefix.count).prefix { $0 != "_" }), pid > 0 else {
            return false
        }
        return kill(pid, 0) != 0 && errno == ESRCH
    }
}
