import Crypto
import FoundationEssentials
import PlainText
import WireProtocol

/// A device that is signed in, and the family of its refresh tokens: only the one of the current generation is unspent.
struct LoginSession: Hashable, Sendable {
    let id: SessionID
    let person: PersonID
    let device: String?
    /// Random; goes into every token of the family.
    let seed: [UInt8]
    var generation: Int
    let startedAt: Date
    /// When the current generation came to be.
    var lastUsedAt: Date
    /// When it ends by itself, unless used before.
    var expiresAt: Date
    /// When the last access token that was made for it expires.
    var accessUntil: Date
    var endedAt: Date?
    /// When the person last showed that it is them, after it began.
    var provenAt: Date?

    /// How long it counts that somebody has shown that it is them, by signing in too.
    static let proofLifetime: TimeInterval = 600

    /// What the device called itself, fit to be shown.
    static func device(_ name: String?) -> String? {
        guard let name else { return nil }
        let plain = name.unicodeScalars.lazy.filter { !$0.isControl }.prefix(120)
        return String(String.UnicodeScalarView(plain)).nonEmpty
    }

    func isProven(at now: Date) -> Bool {
        endedAt == nil && max(startedAt, provenAt ?? startedAt) > now.addingTimeInterval(-Self.proofLifetime)
    }

    func token(of generation: Int, _ secrets: AuthSecrets) -> RefreshToken {
        RefreshToken(
            session: id, generation: generation,
            secret: secrets.refreshSecret(session: id, seed: seed, generation: generation))
    }

    func shown(to current: SessionID?) -> Session {
        Session(id: id, device: device, startedAt: startedAt, lastUsedAt: lastUsedAt, current: id == current)
    }
}

// MARK: Refreshing

extension LoginSession {
    enum RefreshVerdict: Hashable {
        /// The token is the current one: spend it.
        case spend
        /// Its child was handed out moments ago, and the answer got lost or two tabs asked at once: hand it out again.
        case repeatChild
        /// It was spent long ago: someone has a copy. The family ends.
        case stolen
        /// Not a token of this session, or the session has ended.
        case refuse
    }

    /// Whether it was once a token of this session.
    func isOne(_ token: RefreshToken, _ secrets: AuthSecrets) -> Bool {
        token.generation <= generation && self.token(of: token.generation, secrets).matches(token)
    }

    /// What to do about a token. The token's secret is compared in constant time.
    func verdict(on token: RefreshToken, now: Date, grace: TimeInterval, _ secrets: AuthSecrets) -> RefreshVerdict {
        guard endedAt == nil, expiresAt > now, isOne(token, secrets) else { return .refuse }
        if token.generation == generation { return .spend }
        let isParent = token.generation == generation - 1
        return isParent && now.timeIntervalSince(lastUsedAt) <= grace ? .repeatChild : .stolen
    }
}

/// A refresh token: `session ‖ generation ‖ secret` in base64url. Only the digest of the current one is stored.
struct RefreshToken: Hashable, Sendable {
    let session: SessionID
    let generation: Int
    let secret: [UInt8]

    init(session: SessionID, generation: Int, secret: [UInt8]) {
        self.session = session
        self.generation = generation
        self.secret = secret
    }

    /// Reads a token's shape; whether it is good is another question.
    init?(_ text: String) {
        guard let bytes = Base64URL.decode(text), bytes.count == 16 + 8 + 32,
            let uuid = Frame.uuid(Array(bytes[..<16])),
            let generation = Frame.integer(Array(bytes[16..<24])), generation >= 0
        else { return nil }
        self.init(session: SessionID(uuid), generation: Int(generation), secret: Array(bytes[24...]))
    }

    private var bytes: [UInt8] { Frame.uuid(session.uuid) + Frame.integer(Int64(generation)) + secret }

    var text: String { Base64URL.encode(bytes) }

    var digest: [UInt8] { Array(SHA256.hash(data: bytes)) }

    func matches(_ other: RefreshToken) -> Bool {
        ConstantTime.equal(bytes, other.bytes)
    }
}
