import CryptoExtras
import PlainText
import WebClient
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A service account of the operator's project at Firebase, as the file that Google gives has it.
struct FCMSettings: Sendable {
    private struct Account: Decodable {
        var project: String
        var keyID: String?
        var key: String
        var email: String
        var tokens: String

        enum CodingKeys: String, CodingKey {
            case project = "project_id"
            case keyID = "private_key_id"
            case key = "private_key"
            case email = "client_email"
            case tokens = "token_uri"
        }
    }

    let project: String
    let keyID: String?
    let key: _RSA.Signing.PrivateKey
    let account: String
    /// Where tokens are given out.
    let tokens: String
    var url = "https://fcm.googleapis.com"
    var certificates: String?

    /// - Throws: where the file is not what it should be.
    init(_ file: [UInt8]) throws {
        let account = try WireJSON.decode(Account.self, from: file)
        guard account.project.isWhole(/[a-z0-9:.-]{1,100}/), WebAddress(account.tokens) != nil else {
            throw WebFailure("the project or the address of tokens is none")
        }
        (project, keyID, self.account, tokens) = (account.project, account.keyID, account.email, account.tokens)
        key = try _RSA.Signing.PrivateKey(pemRepresentation: account.key)
    }
}

/// Google's servers for Android: HTTP v1.
struct FCMTransport: PushTransport {
    let settings: FCMSettings
    let web: WebClient
    private let access: FCMAccess

    init(settings: FCMSettings, web: WebClient) {
        (self.settings, self.web) = (settings, web)
        access = FCMAccess(settings: settings, web: web)
    }

    private struct Body: Encodable {
        struct Notification: Encodable {
            var title: String
            var body: String
        }
        struct Android: Encodable {
            struct Shown: Encodable { var tag: String }
            var priority: String
            var ttl: String
            var collapse: String
            var notification: Shown

            enum CodingKeys: String, CodingKey {
                case priority, ttl, notification
                case collapse = "collapse_key"
            }
        }
        struct Message: Encodable {
            var token: String
            var notification: Notification
            var data: [String: String]
            var android: Android
        }
        var message: Message
    }

    private struct Refused: Decodable {
        struct Detail: Decodable { var errorCode: String? }
        struct Reason: Decodable {
            var status: String?
            var details: [Detail]?
        }
        var error: Reason?
    }

    func deliver(_ letter: PushLetter, to target: PushTarget) async throws {
        guard case .fcm(let token) = target,
            let address = WebAddress("\(settings.url)/v1/projects/\(settings.project)/messages:send")
        else { throw PushFailure(kind: .final, reason: "It is no device of Google's.") }
        let message = letter.message
        var request = WebRequest(address)
        request.certificates = settings.certificates
        request.headers = [
            "Authorization: Bearer \(try await access.token(at: letter.now))", "Content-Type: application/json",
        ]
        request.bytes = try WireJSON.encode(
            Body(
                message: .init(
                    token: token, notification: .init(title: message.title, body: message.body),
                    data: [
                        "id": message.id.description, "kind": message.kind.rawValue, "link": message.link,
                        "tag": message.tag, "unread": String(message.unread),
                    ],
                    android: .init(
                        priority: letter.urgency == "high" ? "HIGH" : "NORMAL", ttl: "\(letter.lifetime)s",
                        collapse: letter.topic, notification: .init(tag: message.tag)))))
        let answer = try await web.answer(to: request)
        let refused = (try? WireJSON.decode(Refused.self, from: answer.bytes))?.error
        let code = refused?.details?.lazy.compactMap(\.errorCode).first ?? refused?.status
        if let failure = Self.failure(answer, code) {
            if answer.status == 401 { await access.forget() }
            throw failure
        }
    }

    /// The code is a word of a list (`UNREGISTERED`); what is none is left out.
    static func failure(_ answer: WebAnswer, _ code: String?) -> PushFailure? {
        let word = code.flatMap { $0.isWhole(/[A-Z_]{1,40}/) ? " (\($0))" : nil } ?? ""
        let sentence = "Google answers \(answer.status)\(word)."
        return switch (answer.status, code) {
        case (200, _): nil
        case (_, "UNREGISTERED"): PushFailure(kind: .gone, reason: sentence)
        case (413, _): PushFailure(kind: .tooLong, reason: sentence)
        case (401, _), (408, _), (429, _), (500..., _):
            PushFailure(kind: .later(answer.retryAfter), reason: sentence)
        default: PushFailure(kind: .final, reason: sentence)
        }
    }
}
