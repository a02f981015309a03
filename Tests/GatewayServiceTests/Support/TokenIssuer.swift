import Crypto
import FoundationEssentials
import GatewayService
import WireProtocol

/// Signs access tokens as auth does, by hand, so that the gateway's reading is held against the standard.
struct TokenIssuer: Sendable {
    let kid: String
    private let key = Curve25519.Signing.PrivateKey()

    init(kid: String = "key-1") { self.kid = kid }

    var published: SigningKeys.Key { .init(kid: kid, x: Base64URL.encode(key.publicKey.rawRepresentation)) }

    func token(
        for person: PersonID, session: SessionID = .new(), lifetime: Int = 300, alg: String = "EdDSA",
        iss: String = AccessTokenClaims.issuer, aud: String = AccessTokenClaims.audience
    ) -> String {
        let now = Int(Date().timeIntervalSince1970)
        let claims = AccessTokenClaims(sub: person, sid: session, iat: now, exp: now + lifetime, iss: iss, aud: aud)
        let header = Base64URL.encode("{\"alg\":\"\(alg)\",\"kid\":\"\(kid)\",\"typ\":\"JWT\"}".utf8)
        let signed = header + "." + Base64URL.encode(try! WireJSON.encode(claims))
        return signed + "." + Base64URL.encode(try! key.signature(for: Array(signed.utf8)))
    }
}
