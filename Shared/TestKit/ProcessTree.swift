import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#endif

/// A process, its threads, and the children that it has: PostgreSQL's are sessions of their own, so that no process group holds them together.
enum ProcessTree {
    /// Stops a process and then all its children, so that none is made meanwhile; answers all of them.
    static func freeze(_ pid: Int32) -> [Int32] {
        _ = kill(pid, SIGSTOP)
        let all = members(below: pid)
        for pid in all { _ = kill(pid, SIGSTOP) }
        return all
    }

    static func members(below pid: Int32) -> [Int32] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return [pid] + entries.compactMap { Int32($0) }.filter { parent(of: $0) == pid }
    }

    /// Waits until none of their threads runs any more: the signal that stops them reaches them one by one, and one that still runs answers.
    static func awaitStop(of all: [Int32]) async throws {
        try await eventually("the processes to stand still") { all.allSatisfy { !isRunning($0) } }
    }

    private static func isRunning(_ pid: Int32) -> Bool {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return threads.contains { thread in
            state(at: "/proc/\(pid)/task/\(thread)/stat").map { !["T", "Z", "X"].contains($0.letter) } ?? false
        }
    }

    /// Waits until none of them is there any more; the children of a dead postmaster are nobody's to wait for.
    static func awaitEnd(of all: [Int32]) async throws {
        try await eventually("the processes of PostgreSQL to end") { all.allSatisfy { !isAlive($0) } }
    }

    private static func isAlive(_ pid: Int32) -> Bool { state(of: pid).map { $0.letter != "Z" } ?? false }

    private static func parent(of pid: Int32) -> Int32? { state(of: pid)?.parent }

    private static func state(of pid: Int32) -> (letter: Substring, parent: Int32)? { state(at: "/proc/\(pid)/stat") }

    /// The third and fourth field of `stat`, after the name, which may contain anything.
    private static func state(at path: String) -> (letter: Substring, parent: Int32)? {
        guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 1, let parent = Int32(fields[1]) else { return nil }
        return (fields[0], parent)
    }
}
