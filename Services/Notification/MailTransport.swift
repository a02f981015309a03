import FoundationEssentials
import Reactor

/// Where mails go from here.
protocol MailTransport: Sendable {
    /// Hands a mail over. It is safe with the other side when this returns.
    /// - Throws: `MailFailure`.
    func deliver(_ message: MailMessage) async throws
}

/// The embedded default: each mail becomes a file `<id>.eml` in a folder. Needs no internet.
struct FolderTransport: MailTransport {
    let folder: DropFolder

    init(folder: String, reactor: Reactor) { self.folder = DropFolder(path: folder, reactor: reactor) }

    func deliver(_ message: MailMessage) async throws {
        try await folder.put(try message.bytes(), as: "\(message.id.uuidString.lowercased()).eml")
    }
}
