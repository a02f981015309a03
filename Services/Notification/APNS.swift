import Crypto
import PlainText
import Synchronization
import WebClient
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How Apple's servers know the operator of this installation and the app.
struct APNSSettings: Sendable {
    /// Of the file `AuthKey_….p8`.
    var key: P256.Signing.PrivateKey
    var keyID: String
    var team: String
    /// The app's bundle id.
    var topic: String
    var url = "https://api.push.apple.com"
    /// Certificates to trust instead of the system's.
    var certificates: String?
}

/// Apple's servers, by HTTP/2, which libcurl agrees on with whoever speaks it over TLS.
struct APNSTransport: PushTransport {
    let settings: APNSSettings
    let web: WebClient
    private let tokens: APNSTokens

    init(settings: APNSSettings, web: WebClient) {
        (self.settings, self.web) = (settings, web)
        tokens = APNSTokens(settings: settings)
    }

    private struct Body: Encodable {
        struct Alert: Encodable {
            var title: String
            var body: String
        }
        struct Aps: Encodable {
            var alert: Alert
            var badge: Int
            var sound = "default"
            var thread: String

            enum CodingKeys: String, CodingKey {
                case alert, badge, sound
                case thread = "thread-id"
            }
        }
        var aps: Aps
        var id: InboxNoticeID
        var kind: InboxNoticeKind
        var link: String
    }

    private struct Refused: Decodable { var reason: String? }

    func deliver(_ letter: PushLetter, to target: PushTarget) async throws {
        guard case .apns(let token) = target, let address = WebAddress("\(settings.url)/3/device/\(token)") else {
            throw PushFailure(kind: .final, reason: "It is no device of Apple's.")
        }
        let message = letter.message
        var request = WebRequest(address)
        request.certificates = settings.certificates
        request.headers = [
            "authorization: bearer \(try tokens.current(at: letter.now))", "content-type: application/json",
            "apns-topic: \(settings.topic)", "apns-push-type: alert", "apns-collapse-id: \(letter.topic)",
            "apns-priority: \(letter.urgency == "high" ? 10 : 5)",
            "apns-expiration: \(Int(letter.expiresAt.timeIntervalSince1970))",
        ]
        request.bytes = try WireJSON.encode(
            Body(
                aps: .init(
                    alert: .init(title: message.title, body: message.body), badge: message.unread, thread: message.tag),
                id: message.id, kind: message.kind, link: message.link))
        let answer = try await web.answer(to: request)
        let reason = (try? WireJSON.decode(Refused.self, from: answer.bytes))?.reason
        if let failure = Self.failure(answer, reason) {
            if reason == "ExpiredProviderToken" { tokens.forget() }
            throw failure
        }
    }

    /// The reason is a word of a list (`BadDeviceToken`) and repeats nothing of ours; what is none is left out.
    static func failure(_ answer: WebAnswer, _ reason: String?) -> PushFailure? {
        let word = reason.flatMap { $0.isWhole(/[A-Za-z]{1,40}/) ? " (\($0))" : nil } ?? ""
        let sentence = "Apple answers \(answer.status)\(word)."
        return switch (answer.status, reason) {
        case (200, _): nil
        case (410, _), (400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic"):
            PushFailure(kind: .gone, reason: sentence)
        case (413, _): PushFailure(kind: .tooLong, reason: sentence)
        case (403, "ExpiredProviderToken"), (429, _), (408, _), (500..., _):
            PushFailure(kind: .later(answer.retryAfter), reason: sentence)
        default: PushFailure(kind: .final, reason: sentence)
        }
    }
}

/// Who we are at Apple: one token for all that is sent, renewed neither sooner than after 20 minutes nor later than after an hour.
private final class APNSTokens: Sendable {
    private static let lifetime: TimeInterval = 40 * 60

    private let settings: APNSSettings
    private let token = Mutex<(text: String, at: Date)?>(nil)

    init(settings: APNSSettings) { self.settings = settings }

    private struct Header: Encodable {
        var alg = "ES256"
        var kid: String
    }

    private struct Claims: Encodable {
        var iss: String
        var iat: Int
    }

    func current(at now: Date) throws -> String {
        try token.withLock { token in
            if let token, abs(now.timeIntervalSince(token.at)) < Self.lifetime { return token.text }
            let text = try SignedToken.es256(
                header: Header(kid: settings.keyID),
                claims: Claims(iss: settings.team, iat: Int(now.timeIntervalSince1970)), key: settings.key)
            token = (text, now)
            return text
        }
    }

    func forget() { token.withLock { $0 = nil } }
}
