import FoundationEssentials
import Reactor
import WebClient
import WireProtocol

/// Where texts go from here.
protocol TextTransport: Sendable {
    /// Hands a text over. The other side has it when this returns.
    /// - Throws: `MailFailure`.
    func deliver(_ message: TextMessage) async throws
}

/// For trying out: each text becomes a file `<id>.txt` in a folder, and no telephone rings.
struct TextFolder: TextTransport {
    let folder: DropFolder

    func deliver(_ message: TextMessage) async throws {
        let lines = ["To: \(message.number)", "Date: \(MailMessage.written(message.date))", "", message.text, ""]
        try await folder.put(
            Array(lines.joined(separator: "\r\n").utf8), as: "\(message.id.uuidString.lowercased()).txt")
    }
}

/// The operator's SMS gateway, by HTTP: one request for each text.
struct SMSGateway: TextTransport {
    let settings: SMSGatewaySettings
    let web: WebClient

    func deliver(_ message: TextMessage) async throws {
        let answer: WebAnswer
        do {
            answer = try await web.send(try settings.request(for: message))
        } catch let failure as WebFailure {
            throw MailFailure(isFinal: false, reason: "The SMS gateway does not answer: \(failure).")
        }
        if let failure = settings.failure(of: answer) { throw failure }
    }
}
