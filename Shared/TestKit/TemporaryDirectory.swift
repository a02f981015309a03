import FoundationEssentials

/// A directory for one test, removed with all its content when the last reference goes.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init(_ name: String = "test") throws {
        path = Self.parent + "/kampong-\(name)-\(UUID().uuidString.prefix(8).lowercased())"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in it.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file in it, and returns its path.
    @discardableResult
    package func write(_ name: String, _ content: String) throws -> String {
        try Data(content.utf8).write(to: URL(filePath: file(name)))
        return file(name)
    }

    /// The text of a file in it; empty where there is none.
    package func read(_ name: String) -> String {
        FileManager.default.contents(atPath: file(name)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// `TMPDIR`, or `/tmp`.
    static var parent: String {
        let path = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        return path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
