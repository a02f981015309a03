import FoundationEssentials
import WireProtocol

/// What an ID token says, as far as it concerns us (OpenID Connect Core 1.0, 2 and 5.1).
struct IDTokenClaims: Decodable, Hashable, Sendable {
    var iss: String
    var sub: String
    var aud: Audience
    var azp: String?
    /// Unix seconds.
    var exp: Double
    var iat: Double
    var nbf: Double?
    var nonce: String?
    var profile: ProviderProfile

    enum CodingKeys: String, CodingKey { case iss, sub, aud, azp, exp, iat, nbf, nonce }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        iss = try container.decode(String.self, forKey: .iss)
        sub = try container.decode(String.self, forKey: .sub)
        aud = try container.decode(Audience.self, forKey: .aud)
        azp = try container.decodeIfPresent(String.self, forKey: .azp)
        exp = try container.decode(Double.self, forKey: .exp)
        iat = try container.decode(Double.self, forKey: .iat)
        nbf = try container.decodeIfPresent(Double.self, forKey: .nbf)
        nonce = try container.decodeIfPresent(String.self, forKey: .nonce)
        profile = try ProviderProfile(from: decoder)
    }

    /// One text, or a list of them.
    struct Audience: Decodable, Hashable, Sendable {
        var all: [String]

        init(_ all: [String]) { self.all = all }
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let one = try? container.decode(String.self) {
                all = [one]
            } else {
                all = try container.decode([String].self)
            }
        }
    }
}

/// Why an ID token is not believed; for the log.
enum IDTokenProblem: String, Error, Hashable {
    case shape, algorithm, critical, key, signature, issuer, subject, audience, party, expired, notYet, issued, nonce
}

/// When an ID token is believed (OpenID Connect Core 1.0, 3.1.3.7), beside its signature. Pure.
struct IDTokenRules: Hashable, Sendable {
    /// Clocks of two machines differ a little, in seconds.
    static let leeway: Double = 60
    /// It was asked for a moment ago: one that is older was made for something else.
    static let oldest: Double = 600

    let issuer: String
    let client: String
    let nonce: String
    let now: Date

    func check(_ claims: IDTokenClaims) throws(IDTokenProblem) {
        guard claims.iss == issuer else { throw .issuer }
        guard (1...255).contains(claims.sub.utf8.count), claims.sub.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw .subject
        }
        guard claims.aud.all.contains(client) else { throw .audience }
        // Of several who may read it, the one that asked for it has to be us.
        if claims.aud.all.count > 1, claims.azp == nil { throw .party }
        if let party = claims.azp, party != client { throw .party }
        let now = now.timeIntervalSince1970
        guard claims.exp > now - Self.leeway else { throw .expired }
        if let begins = claims.nbf, begins > now + Self.leeway { throw .notYet }
        guard claims.iat < now + Self.leeway, claims.iat > now - Self.oldest - Self.leeway else { throw .issued }
        guard claims.nonce == nonce else { throw .nonce }
    }
}
