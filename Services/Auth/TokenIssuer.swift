import Crypto
import FoundationEssentials
import JWTKit
import Synchronization
import WireProtocol

/// Makes the tokens of a session: the same ones whenever it is asked for the same session and time.
struct TokenIssuer: Sendable {
    let secrets: AuthSecrets
    let policy: SessionPolicy
    let ring: KeyRing

    func tokens(for issued: IssuedSession) async throws -> SessionTokens {
        let lifetime = Int(policy.access)
        let claims = AccessTokenClaims(
            sub: issued.person.id, sid: issued.session, iat: issued.issuedAt, exp: issued.issuedAt + lifetime,
            campus: issued.person.campus, roles: issued.roles.isEmpty ? nil : Set(issued.roles),
            suspended: issued.suspended)
        let secret = secrets.refreshSecret(
            session: issued.session, seed: Base64URL.decode(issued.seed) ?? [], generation: issued.generation)
        let refresh = RefreshToken(session: issued.session, generation: issued.generation, secret: secret)
        return SessionTokens(
            accessToken: try await ring.sign(claims), refreshToken: refresh.text, expiresIn: lifetime,
            suspended: issued.suspended)
    }
}

/// The signing keys that this process knows, ready for use. Safe to use from any thread.
final class KeyRing: Sendable {
    private struct Held {
        var keys: [SigningKey] = []
        var signers = JWTKeyCollection()
    }
    private let secrets: AuthSecrets
    private let held = Mutex(Held())

    init(secrets: AuthSecrets) { self.secrets = secrets }

    func hold(_ keys: [SigningKey]) async throws {
        guard keys != held.withLock(\.keys) else { return }
        let signers = JWTKeyCollection()
        // Sorted, so that the same claims have the same bytes in every process.
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let serializer = DefaultJWTSerializer(jsonEncoder: encoder)
        for key in keys {
            let bytes = try secrets.open(key.sealed, context: key.kid)
            let privateKey = try Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
            await signers.add(
                eddsa: EdDSA.PrivateKey(backing: privateKey), kid: JWKIdentifier(string: key.kid),
                serializer: serializer)
        }
        held.withLock { $0 = Held(keys: keys, signers: signers) }
    }

    /// A new key, its private part sealed.
    func makeKey(signsFrom: Date, now: Date) throws -> SigningKey {
        let privateKey = Curve25519.Signing.PrivateKey()
        let id = UUID.version7(at: now)
        return SigningKey(
            id: id, publicKey: Array(privateKey.publicKey.rawRepresentation),
            sealed: try secrets.seal(
                Array(privateKey.rawRepresentation), context: id.uuidString.lowercased()),
            signsFrom: signsFrom)
    }

    func sign(_ claims: AccessTokenClaims) async throws -> String {
        let (keys, signers) = held.withLock { ($0.keys, $0.signers) }
        let moment = Date(timeIntervalSince1970: Double(claims.iat))
        guard let key = KeyRotation.signer(among: keys, at: moment) else {
            throw ServiceError(.unavailable, "The signing keys are not loaded yet.", retryAfter: 1)
        }
        return try await signers.sign(Payload(claims: claims), kid: JWKIdentifier(string: key.kid))
    }

    private struct Payload: JWTPayload {
        let claims: AccessTokenClaims

        init(claims: AccessTokenClaims) { self.claims = claims }
        init(from decoder: any Decoder) throws { claims = try AccessTokenClaims(from: decoder) }
        func encode(to encoder: any Encoder) throws { try claims.encode(to: encoder) }
        /// Auth never reads its own tokens.
        func verify(using algorithm: some JWTAlgorithm) {}
    }
}

extension SigningKeys {
    init(_ keys: [SigningKey]) {
        self.init(keys: keys.map { Key(kid: $0.kid, x: Base64URL.encode($0.publicKey)) })
    }
}
