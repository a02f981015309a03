import Crypto
import FoundationEssentials
import WebClient
import WireProtocol

/// How often and for how long.
struct IdentityPolicy: Hashable, Sendable {
    /// From the button to the way back.
    var lifetime: TimeInterval = 600
    /// From the way back to the end of a form.
    var ticket: TimeInterval = 1800
    /// Sign-ins that are begun from one network address within `window`.
    var perNetwork = 300
    var window: TimeInterval = 900
    /// How long the one who exchanges a code may take; whoever comes with the same one waits as long.
    var exchange: TimeInterval = 20
}

/// What the secrets of a sign-in are for; each is of no use for another.
enum IdentitySecret: UInt8, Sendable {
    case state = 1
    case nonce, verifier, ticket
}

/// A browser that was sent to a provider, and what came of it. The secrets of it (state, nonce, verifier) follow from its id and a key
/// outside the database.
struct IdentitySignIn: Hashable, Sendable {
    let id: UUID
    let provider: String
    /// Who wants to link the provider; nil for a sign-in.
    let person: PersonID?
    /// The page to come back to.
    let next: String?
    let startedAt: Date
    var expiresAt: Date
    /// When somebody began to exchange the code.
    var claimedAt: Date?
    /// Whom the provider vouched for.
    var identity: ProvidedIdentity?
    /// When it was signed in, joined or linked with, or the provider refused: once.
    var usedAt: Date?

    init(
        id: UUID, provider: String, person: PersonID?, next: String?, startedAt: Date, expiresAt: Date,
        claimedAt: Date? = nil, identity: ProvidedIdentity? = nil, usedAt: Date? = nil
    ) {
        self.id = id
        self.provider = provider
        self.person = person
        self.next = next
        self.startedAt = startedAt
        self.expiresAt = expiresAt
        self.claimedAt = claimedAt
        self.identity = identity
        self.usedAt = usedAt
    }

    func nonce(_ secrets: AuthSecrets) -> String { Base64URL.encode(secrets.identitySecret(.nonce, of: id)) }

    /// 43 characters of RFC 7636, 4.1.
    func verifier(_ secrets: AuthSecrets) -> String { Base64URL.encode(secrets.identitySecret(.verifier, of: id)) }

    /// S256 (RFC 7636, 4.2).
    static func challenge(of verifier: String) -> String {
        Base64URL.encode(SHA256.hash(data: Array(verifier.utf8)))
    }

    /// Where the browser is sent (OpenID Connect Core 1.0, 3.1.2.1).
    func address(
        at endpoint: String, client: String, redirect: String, browser: String, _ secrets: AuthSecrets
    ) -> String {
        let query = WebAddress.encoded([
            ("response_type", "code"), ("client_id", client), ("redirect_uri", redirect),
            ("scope", "openid profile email"),
            ("state", IdentityToken(.state, of: id, bound: Array(browser.utf8), secrets).text),
            ("nonce", nonce(secrets)), ("code_challenge", Self.challenge(of: verifier(secrets))),
            ("code_challenge_method", "S256"),
        ])
        return endpoint + (endpoint.contains("?") ? "&" : "?") + query
    }
}

/// `sign-in ‖ secret` in base64url: the state, which is bound to a browser as well, and the ticket.
struct IdentityToken: Hashable, Sendable {
    let signIn: UUID
    let secret: [UInt8]

    init(_ purpose: IdentitySecret, of signIn: UUID, bound: [UInt8] = [], _ secrets: AuthSecrets) {
        self.signIn = signIn
        secret = secrets.identitySecret(purpose, of: signIn, bound: bound)
    }

    /// Reads a token's shape; whether it is good is another question.
    init?(_ text: String) {
        guard let bytes = Base64URL.decode(text), bytes.count == 48, let id = Frame.uuid(Array(bytes[..<16])) else {
            return nil
        }
        signIn = id
        secret = Array(bytes[16...])
    }

    var text: String { Base64URL.encode(Frame.uuid(signIn) + secret) }

    func isGood(_ purpose: IdentitySecret, bound: [UInt8] = [], _ secrets: AuthSecrets) -> Bool {
        ConstantTime.equal(secret, secrets.identitySecret(purpose, of: signIn, bound: bound))
    }
}

/// Somebody of a provider, linked with an account.
struct Identity: Hashable, Sendable {
    let id: UUID
    let person: PersonID
    let provider: String
    let issuer: String
    /// Keyed digest of issuer and subject.
    let digest: [UInt8]
    /// What the provider calls the account there.
    var label: String?
    /// Whether the person's name comes from there.
    var givesName: Bool
    let since: Date
    var lastUsedAt: Date
}
