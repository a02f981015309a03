import PlainText
import WebClient
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How the operator's SMS gateway is asked: every provider has a request of its own, so it is a file of the operator's. README.md
/// describes it, with examples.
///
/// Where texts stand in it may be placeholders: `{number}` (+6591234567), `{digits}` (6591234567), `{text}`, `{id}` (the same for each
/// attempt at one text), `{secret}` (what a file beside it holds).
struct SMSGatewaySettings: Hashable, Sendable {
    /// What is wrong with the file.
    struct Problem: Error, Hashable { let sentence: String }

    private struct File: Decodable, Hashable {
        var url: String
        /// Whether `http` may leave this machine.
        var plain: Bool?
        var query: [String: String]?
        var form: [String: String]?
        var json: JSONTemplate?
        var headers: [String: String]?
        /// With the secret as the password (RFC 7617).
        var user: String?
        /// Words that an answer has to contain, where the gateway says 200 to what it refuses.
        var accepted: String?
    }

    private let file: File
    private let secret: String
    private let certificates: String?
    /// For a whole request, in milliseconds; less than a text's lease.
    var timeout = 15_000

    /// - Parameters:
    ///   - certificates: a file of certificates to trust instead of the system's.
    init(_ bytes: [UInt8], secret: String?, certificates: String? = nil) throws(Problem) {
        do { file = try WireJSON.decode(from: bytes) } catch {
            throw Problem(sentence: "is not the JSON that describes an SMS gateway")
        }
        self.secret = secret ?? ""
        self.certificates = certificates
        guard WebAddress(file.url, plain: file.plain ?? false) != nil else {
            throw Problem(sentence: "has a url that is not https (or http with \"plain\": true)")
        }
        guard file.form == nil || file.json == nil else { throw Problem(sentence: "has both form and json") }
        let texts = templates
        let names = Set(texts.flatMap { $0.matches(of: Self.placeholder).map { String($0.1) } })
        let known: Set = ["number", "digits", "text", "id", "secret"]
        if let unknown = names.subtracting(known).min() {
            throw Problem(sentence: "has the placeholder {\(unknown)}, which there is not")
        }
        guard names.contains("text"), !names.isDisjoint(with: ["number", "digits"]) else {
            throw Problem(sentence: "says nowhere where {text} and {number} (or {digits}) stand")
        }
        guard !self.secret.isEmpty || !names.contains("secret") && file.user == nil else {
            throw Problem(sentence: "needs a secret, which KAMPONG_TEXT_SECRETFILE does not give")
        }
        let isASCII = self.secret.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        for (name, value) in file.headers ?? [:] {
            guard isASCII || !value.contains("{secret}"), name.isWhole(/[A-Za-z0-9-]+/),
                value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
                !["number", "digits", "text"].contains(where: { value.contains("{\($0)}") })
            else { throw Problem(sentence: "has the header \(name), which cannot be sent") }
        }
    }

    private static var placeholder: Regex<(Substring, Substring)> { /\{([a-z]+)\}/ }

    /// Every text in which a placeholder may stand.
    private var templates: [String] {
        Array((file.query ?? [:]).values) + Array((file.form ?? [:]).values) + Array((file.headers ?? [:]).values)
            + (file.json?.texts ?? [])
    }

    func request(for message: TextMessage) throws -> WebRequest {
        let values = [
            "number": message.number, "digits": String(message.number.dropFirst()), "text": message.text,
            "id": message.id.uuidString.lowercased(), "secret": secret,
        ]
        // In one pass: what is put in is not looked at again.
        func filled(_ template: String) -> String {
            template.replacing(Self.placeholder) { values[String($0.1)] ?? String($0.0) }
        }
        func encoded(_ pairs: [String: String]) -> String {
            WebAddress.encoded(pairs.sorted { $0.key < $1.key }.map { ($0.key, filled($0.value)) })
        }
        var url = file.url
        if let query = file.query { url += (url.contains("?") ? "&" : "?") + encoded(query) }
        guard let address = WebAddress(url, plain: file.plain ?? false) else {
            throw MailProblem("The text is too long for the SMS gateway's address.")
        }
        var request = WebRequest(address)
        request.timeout = timeout
        request.certificates = certificates
        request.headers = (file.headers ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key): \(filled($0.value))" }
        if let user = file.user {
            request.headers.append("Authorization: Basic \(Data("\(user):\(secret)".utf8).base64EncodedString())")
        }
        if let json = file.json {
            request.body = String(decoding: try WireJSON.encode(json.map(filled)), as: UTF8.self)
            request.headers.append("Content-Type: application/json")
        } else if let form = file.form {
            request.body = encoded(form)
        }
        return request
    }

    /// Nil where the gateway has taken the text. The reason has the status and no word of the answer, which may repeat the number.
    func failure(of answer: WebAnswer) -> MailFailure? {
        let reason = "The SMS gateway answers \(answer.status)."
        switch answer.status {
        case 200..<300:
            guard let accepted = file.accepted, !String(decoding: answer.bytes, as: UTF8.self).contains(accepted) else {
                return nil
            }
            return MailFailure(isFinal: false, reason: "\(reason) It does not say that it took the text.")
        // What may be otherwise a moment later.
        case 408, 425, 429: return MailFailure(isFinal: false, reason: reason, retryAfter: answer.retryAfter)
        case 400..<500: return MailFailure(isFinal: true, reason: reason)
        default: return MailFailure(isFinal: false, reason: reason, retryAfter: answer.retryAfter)
        }
    }
}
