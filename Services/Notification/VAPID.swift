import Crypto
import FoundationEssentials
import WebClient
import WireProtocol

/// By what browsers' servers know that it is us who write (RFC 8292): subscriptions are made for one key, and only whoever has it may use
/// them.
struct VAPID: Sendable {
    /// How long a token is good; a day is the most that is allowed.
    static let lifetime: TimeInterval = 12 * 3600

    let key: P256.Signing.PrivateKey
    /// Whom the operator of a server may ask about us: `mailto:…` or `https://…`.
    let contact: String

    /// What pages subscribe with.
    var publicKey: String { Base64URL.encode(key.publicKey.x963Representation) }

    private struct Header: Encodable {
        var typ = "JWT"
        var alg = "ES256"
    }

    private struct Claims: Encodable {
        var aud: String
        var exp: Int
        var sub: String
    }

    /// The line that goes with a request.
    func authorization(for address: WebAddress, now: Date) throws -> String {
        let claims = Claims(
            aud: Self.origin(of: address), exp: Int(now.timeIntervalSince1970 + Self.lifetime), sub: contact)
        let token = try SignedToken.es256(header: Header(), claims: claims, key: key)
        return "Authorization: vapid t=\(token), k=\(publicKey)"
    }

    /// As RFC 6454 writes it: without the port that its scheme has anyway.
    static func origin(of address: WebAddress) -> String {
        let usual = address.isPlain ? ":80" : ":443"
        return address.origin.hasSuffix(usual) ? String(address.origin.dropLast(usual.count)) : address.origin
    }
}
