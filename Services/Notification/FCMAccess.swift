import Crypto
import CryptoExtras
import FoundationEssentials
import WebClient
import WireProtocol

/// What opens Google's servers for an hour: asked for by a token that we sign (RFC 7523), and used by all that is sent meanwhile.
actor FCMAccess {
    private let settings: FCMSettings
    private let web: WebClient
    private var known: (text: String, until: Date)?
    /// Those who need it at the same moment wait for one answer.
    private var asking: Task<Answer, any Error>?

    init(settings: FCMSettings, web: WebClient) { (self.settings, self.web) = (settings, web) }

    private struct Header: Encodable {
        var alg = "RS256"
        var typ = "JWT"
        var kid: String?
    }

    private struct Claims: Encodable {
        var iss: String
        var scope = "https://www.googleapis.com/auth/firebase.messaging"
        var aud: String
        var iat: Int
        var exp: Int
    }

    private struct Answer: Decodable, Sendable {
        var token: String
        var lifetime: Int

        enum CodingKeys: String, CodingKey {
            case token = "access_token"
            case lifetime = "expires_in"
        }
    }

    /// - Throws: `PushFailure`.
    func token(at now: Date) async throws -> String {
        if let known, now < known.until { return known.text }
        let task = asking ?? Task { [settings, web] in try await Self.ask(settings, web, now) }
        asking = task
        defer { if asking == task { asking = nil } }
        let answer = try await task.value
        known = (answer.token, now.addingTimeInterval(TimeInterval(answer.lifetime - 60)))
        return answer.token
    }

    func forget() { known = nil }

    private static func ask(_ settings: FCMSettings, _ web: WebClient, _ now: Date) async throws -> Answer {
        guard let address = WebAddress(settings.tokens) else {
            throw PushFailure(kind: .final, reason: "Google's address of tokens is none.")
        }
        let start = Int(now.timeIntervalSince1970)
        let assertion = try SignedToken.make(
            header: Header(kid: settings.keyID),
            claims: Claims(iss: settings.account, aud: settings.tokens, iat: start, exp: start + 3600)
        ) { try settings.key.signature(for: SHA256.hash(data: $0), padding: .insecurePKCS1v1_5).rawRepresentation }
        var request = WebRequest(address)
        request.certificates = settings.certificates
        request.body = WebAddress.encoded([
            ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"), ("assertion", assertion),
        ])
        let answer = try await web.answer(to: request)
        guard answer.status == 200, let given = try? WireJSON.decode(Answer.self, from: answer.bytes) else {
            // It may be mended by the operator while what waits is still of use.
            throw PushFailure(
                kind: .later(answer.retryAfter), reason: "Google gives no token: it answers \(answer.status).")
        }
        return given
    }
}
