import Reactor

#if canImport(Glibc)
    import Glibc
#endif
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where mails go from here.
protocol MailTransport: Sendable {
    /// Hands a mail over. It is safe with the other side when this returns.
    /// - Throws: `MailFailure`.
    func deliver(_ message: MailMessage) async throws
}

/// The embedded default: each mail becomes a file `<id>.eml` in a folder, readable for the operator alone. Needs no internet.
struct FolderTransport: MailTransport {
    let folder: String
    let reactor: Reactor

    func deliver(_ message: MailMessage) async throws {
        let (bytes, name) = (try message.bytes(), message.id.uuidString.lowercased())
        try await reactor.blocking { [folder] in try Self.write(bytes, to: "\(folder)/\(name).eml") }
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
        MailFailure(isFinal: false, reason: "The mail folder cannot be written: \(String(cString: strerror(errno))).")
    }
}
