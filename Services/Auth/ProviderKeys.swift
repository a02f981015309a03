import FoundationEssentials
import JWTKit
import WireProtocol

/// A provider's public keys (RFC 7517), as it publishes them. Those of other kinds are passed over.
struct ProviderKeys: Decodable, Hashable, Sendable {
    struct Key: Decodable, Hashable, Sendable {
        var kty: String
        var kid: String?
        var use: String?
        var alg: String?
        var n: String?
        var e: String?
        var crv: String?
        var x: String?
        var y: String?
    }

    var keys: [Key]

    private enum CodingKeys: String, CodingKey { case keys }

    init(keys: [Key]) { self.keys = keys }

    init(from decoder: any Decoder) throws {
        /// One that cannot be read does not take the others with it.
        struct Lenient: Decodable {
            var key: Key?
            init(from decoder: any Decoder) { key = try? Key(from: decoder) }
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        keys = try container.decode([Lenient].self, forKey: .keys).prefix(100).compactMap(\.key)
    }

    /// The one key that a token may be checked with: of its id, and made for its algorithm.
    func key(for header: IDTokenHeader) -> Key? {
        let fitting = keys.filter { $0.fits(header.algorithm) }
        guard let id = header.kid else { return fitting.count == 1 ? fitting[0] : nil }
        let named = fitting.filter { $0.kid == id }
        return named.count == 1 ? named[0] : nil
    }
}

/// The algorithms that are believed in; `none` and those with a shared secret are not among them.
enum IDTokenAlgorithm: String, CaseIterable, Sendable {
    case rs256 = "RS256"
    case es256 = "ES256"
    case eddsa = "EdDSA"
}

/// The first part of an ID token, which nothing vouches for: it chooses among what we hold.
struct IDTokenHeader: Hashable, Sendable {
    let algorithm: IDTokenAlgorithm
    let kid: String?

    init(of token: String) throws(IDTokenProblem) {
        struct Header: Decodable {
            var alg: String
            var kid: String?
            var crit: [String]?
        }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, token.utf8.count <= 64 * 1024, let bytes = Base64URL.decode(String(parts[0])),
            let header = try? JSONDecoder().decode(Header.self, from: Data(bytes))
        else { throw .shape }
        guard header.crit == nil else { throw .critical }
        guard let algorithm = IDTokenAlgorithm(rawValue: header.alg) else { throw .algorithm }
        self.algorithm = algorithm
        kid = header.kid
    }
}

extension ProviderKeys.Key {
    func fits(_ algorithm: IDTokenAlgorithm) -> Bool {
        guard use == nil || use == "sig", alg == nil || alg == algorithm.rawValue else { return false }
        return switch algorithm {
        // 2048 bits at least (RFC 7518, 3.3).
        case .rs256:
            kty == "RSA" && e != nil && (n.flatMap { Base64URL.decode($0) }?.drop { $0 == 0 }.count ?? 0) >= 256
        case .es256: kty == "EC" && crv == "P-256" && x != nil && y != nil
        case .eddsa: kty == "OKP" && crv == "Ed25519" && x != nil
        }
    }

    /// Checks the signature of a token with this key and no other, as the one algorithm that its header names and the key is for.
    func verify(_ token: String, _ header: IDTokenHeader) async throws(IDTokenProblem) -> IDTokenClaims {
        let id = JWKIdentifier(string: "the key")
        let key: JWK =
            switch header.algorithm {
            case .rs256: .rsa(.rs256, identifier: id, modulus: n, exponent: e)
            case .es256: .ecdsa(.es256, identifier: id, x: x, y: y, curve: .p256)
            case .eddsa: .octetKeyPair(.eddsa, identifier: id, x: x, y: nil, curve: .ed25519)
            }
        let keys = JWTKeyCollection()
        do { try await keys.add(jwk: key) } catch { throw .key }
        do {
            return try await keys.verify(token, as: Payload.self).claims
        } catch let error as JWTError where error.errorType == .malformedToken {
            throw .shape
        } catch {
            throw .signature
        }
    }

    private struct Payload: JWTPayload {
        let claims: IDTokenClaims
        init(from decoder: any Decoder) throws { claims = try IDTokenClaims(from: decoder) }
        func encode(to encoder: any Encoder) throws { throw IDTokenProblem.shape }
        /// The rules are checked apart from it: `IDTokenRules`.
        func verify(using algorithm: some JWTAlgorithm) {}
    }
}
