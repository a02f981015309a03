import Crypto
import FoundationEssentials
package import HTTPTypes
import Hummingbird
package import WireProtocol

/// Keeps other sites from acting with a person's cookies: a token that only our pages know, and a look at where the request
/// came from.
package struct CSRF: Sendable {
    /// The header of scripts; forms send the field `csrf`.
    package static let header = HTTPField.Name("X-CSRF-Token")!
    package static let field = "csrf"

    private let key: SymmetricKey
    private let publicOrigin: String
    /// For what somebody sent whose session had ended.
    let forms: FormSeal

    /// - Parameters:
    ///   - key: secret bytes that every replica of this gateway shares and that outlive a restart.
    ///   - publicURL: the address that browsers see.
    package init(key: [UInt8], publicURL: String) {
        let secret = SymmetricKey(data: key)
        self.key = secret
        forms = FormSeal(secret)
        publicOrigin = publicURL
    }

    /// A key for this purpose alone, from a secret that serves another.
    package static func key(from secret: [UInt8]) -> [UInt8] {
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Array("kampong csrf".utf8), outputByteCount: width)
        return derived.withUnsafeBytes { Array($0) }
    }

    /// A token of a session, good as long as the session lives, so that pages kept open stay good. Each has another random mask,
    /// so that compressed pages do not give it away by their length.
    package func token(for session: SessionID) -> String {
        var generator = SystemRandomNumberGenerator()
        let mask = (0..<Self.width).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return Base64URL.encode(mask + zip(mask, code(session)).map { $0 ^ $1 })
    }

    /// - Throws: `forbidden` where the token is absent or belongs to another session.
    package func check(_ token: String?, session: SessionID) throws(ServiceError) {
        let bytes = token.flatMap { Base64URL.decode($0) } ?? []
        let given = zip(bytes.prefix(Self.width), bytes.dropFirst(Self.width)).map { $0 ^ $1 }
        guard bytes.count == 2 * Self.width,
            HMAC<SHA256>.isValidAuthenticationCode(given, authenticating: Self.message(session), using: key)
        else {
            throw ServiceError(.forbidden, "This page is out of date. Load it again and repeat what you did.")
        }
    }

    private static let width = SHA256.byteCount
    private static func message(_ session: SessionID) -> [UInt8] { Array("csrf \(session)".utf8) }
    private func code(_ session: SessionID) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Self.message(session), using: key))
    }

    /// Whether the browser says that one of our own pages sent this request. Programs that send neither header pass: they
    /// have no cookies that another site could use.
    package func isFromOurPages(_ head: HTTPRequest) -> Bool {
        let headers = head.headerFields
        if let site = headers[HTTPField.Name("Sec-Fetch-Site")!] {
            return site == "same-origin" || site == "none"
        }
        guard let origin = headers[.origin] else { return true }
        if origin == publicOrigin { return true }
        guard let host = head.authority else { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }
}
