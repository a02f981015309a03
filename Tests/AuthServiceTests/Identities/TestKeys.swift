import Crypto
import CryptoExtras
import Foundation
import WireProtocol

@testable import AuthService

/// Keys of a provider, and tokens that are put together by hand: not by the library that reads them.
struct TestKeys: Sendable {
    let rsa: _RSA.Signing.PrivateKey
    let ec = P256.Signing.PrivateKey()
    let ed = Curve25519.Signing.PrivateKey()
    let name: String

    init(_ name: String) throws {
        self.name = name
        rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
    }

    /// As `jwks_uri` gives them.
    func published() throws -> [ProviderKeys.Key] {
        let primitives = try rsa.publicKey.getKeyPrimitives()
        let point = ec.publicKey.x963Representation.dropFirst()
        return [
            .init(
                kty: "RSA", kid: "\(name)-RS256", use: "sig", alg: "RS256", n: Base64URL.encode(primitives.modulus),
                e: Base64URL.encode(primitives.publicExponent)),
            .init(
                kty: "EC", kid: "\(name)-ES256", crv: "P-256", x: Base64URL.encode(point.prefix(32)),
                y: Base64URL.encode(point.suffix(32))),
            .init(
                kty: "OKP", kid: "\(name)-EdDSA", crv: "Ed25519", x: Base64URL.encode(ed.publicKey.rawRepresentation)),
        ]
    }

    /// - Parameter header: takes the place of what would stand there.
    func token(
        _ claims: [String: Any], _ algorithm: String = "RS256", header: [String: Any] = [:]
    ) throws -> String {
        var fields: [String: Any] = ["alg": algorithm, "typ": "JWT", "kid": "\(name)-\(algorithm)"]
        fields.merge(header) { _, given in given }
        fields = fields.filter { !($0.value is NSNull) }
        let input = try [fields, claims].map {
            Base64URL.encode(try JSONSerialization.data(withJSONObject: $0, options: [.sortedKeys]))
        }.joined(separator: ".")
        return "\(input).\(Base64URL.encode(try signature(Array(input.utf8), algorithm)))"
    }

    private func signature(_ input: [UInt8], _ algorithm: String) throws -> [UInt8] {
        switch algorithm {
        case "RS256":
            Array(try rsa.signature(for: SHA256.hash(data: input), padding: .insecurePKCS1v1_5).rawRepresentation)
        case "PS256": Array(try rsa.signature(for: SHA256.hash(data: input), padding: .PSS).rawRepresentation)
        case "ES256": Array(try ec.signature(for: input).rawRepresentation)
        case "EdDSA": Array(try ed.signature(for: input))
        // The oldest trick: the public key as the shared secret.
        case "HS256":
            Array(
                HMAC<SHA256>.authenticationCode(
                    for: input, using: SymmetricKey(data: Data(rsa.publicKey.pemRepresentation.utf8))))
        default: []
        }
    }
}
