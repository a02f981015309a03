import FoundationEssentials
import Reactor

#if canImport(Glibc)
    import Glibc
#endif

/// A folder in which mails or texts become files, readable for the operator alone.
struct DropFolder: Sendable {
    let path: String
    let reactor: Reactor

    /// - Parameter name: of the file; the same again is the same file.
    /// - Throws: `MailFailure`.
    func put(_ bytes: [UInt8], as name: String) async throws {
        try await reactor.blocking { [path] in try Self.write(bytes, to: "\(path)/\(name)") }
    }

    /// - Returns: The first so many bytes of a file; nil where there is none.
    func take(_ name: String, atMost count: Int) async throws -> [UInt8]? {
        try await reactor.blocking { [path] in
            let file = open("\(path)/\(name)", O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
            guard file >= 0 else { return nil }
            defer { close(file) }
            var (bytes, filled) = ([UInt8](repeating: 0, count: count), 0)
            while filled < count {
                let got = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress! + filled, count - filled) }
                guard got > 0 else { break }
                filled += got
            }
            return Array(bytes.prefix(filled))
        }
    }

    /// Under another name first: a file that is there is whole, and the same mail twice is one file.
    private static func write(_ bytes: [UInt8], to path: String) throws {
        let draft = path + ".part"
        let file = open(draft, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure() }
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard written > 0 else {
                defer { close(file) }
                throw failure()
            }
            rest = rest.dropFirst(written)
        }
        let isSafe = fsync(file) == 0
        close(file)
        guard isSafe, rename(draft, path) == 0 else { throw failure() }
    }

    private static func failure() -> MailFailure {
        MailFailure(isFinal: false, reason: "The folder cannot be written: \(String(cString: strerror(errno))).")
    }
}
