import Crypto
import FoundationEssentials
import WireProtocol

/// Everything that is derived from the one secret outside the database: with the database alone, passwords can't be guessed,
/// tokens not made, and signing keys not read.
struct AuthSecrets: Sendable {
    static let length = 32

    private let pepper: SymmetricKey
    private let emails: SymmetricKey
    private let attempts: SymmetricKey
    private let tokens: SymmetricKey
    private let sealing: SymmetricKey
    private let resets: SymmetricKey
    private let campusAddresses: SymmetricKey
    private let campusCodes: SymmetricKey
    private let emailCodes: SymmetricKey
    private let phones: SymmetricKey
    private let phoneCodes: SymmetricKey
    private let identities: SymmetricKey
    private let identitySignIns: SymmetricKey
    private let passkeyChallenges: SymmetricKey
    private let passkeyHandles: SymmetricKey
    private let calendars: SymmetricKey
    /// For personal data in the database.
    let fields: FieldSeal
    /// For the digests by which repeated requests are known: those cover passwords, so a fast unkeyed hash won't do.
    let requestDigestKey: [UInt8]
    /// Tells whether a database belongs to this secret, and nothing else about it.
    let fingerprint: [UInt8]

    init(master: [UInt8]) {
        precondition(master.count == Self.length)
        let master = SymmetricKey(data: master)
        func derive(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: master, info: Array("kampong auth 1 \(purpose)".utf8), outputByteCount: 32)
        }
        pepper = derive("pepper")
        emails = derive("emails")
        attempts = derive("attempts")
        tokens = derive("tokens")
        sealing = derive("sealing")
        resets = derive("resets")
        campusAddresses = derive("campus addresses")
        campusCodes = derive("campus codes")
        emailCodes = derive("email codes")
        phones = derive("phones")
        phoneCodes = derive("phone codes")
        identities = derive("identities")
        identitySignIns = derive("identity sign-ins")
        passkeyChallenges = derive("passkey challenges")
        passkeyHandles = derive("passkey handles")
        calendars = derive("calendars")
        fields = FieldSeal(keys: [1: derive("fields 1")])
        requestDigestKey = derive("requests").withUnsafeBytes { Array($0) }
        fingerprint = derive("fingerprint").withUnsafeBytes { Array($0) }
    }

    /// What an account is found by, beside its password.
    func digest(of email: EmailAddress) -> [UInt8] { Self.mac(Array(email.key.utf8), emails) }

    /// The salt of an address's passwords: known without asking whether there is an account.
    func salt(for email: EmailAddress) -> [UInt8] { Array(Self.mac(Array(email.key.utf8), pepper).prefix(16)) }

    /// The name of a counter of attempts; addresses of networks and people are not to be read from it.
    func attemptKey(_ parts: [[UInt8]]) -> [UInt8] {
        // Lengths go in, so that ("a", "bc") and ("ab", "c") differ.
        Self.mac(parts.flatMap { Frame.integer(Int64($0.count)) + $0 }, attempts)
    }

    /// The secret part of a session's refresh token of a generation. Each follows from the one before only for who has both
    /// this key and the session's seed in the database; neither leak alone makes a token.
    func refreshSecret(session: SessionID, seed: [UInt8], generation: Int) -> [UInt8] {
        Self.mac(Frame.uuid(session.uuid) + Frame.integer(Int64(generation)) + seed, tokens)
    }

    /// The secret part of a link that sets a new password: good for this account, this request, and while the password is what it is.
    func resetSecret(reset: UUID, account: PersonID, passwordHash: [UInt8]) -> [UInt8] {
        Self.mac(Frame.uuid(reset) + Frame.uuid(account.uuid) + passwordHash, resets)
    }

    /// By which a campus address is found, one for each mailbox.
    func campusDigest(of email: EmailAddress) -> [UInt8] { Self.mac(Array(email.mailbox.utf8), campusAddresses) }

    /// The code of a verification, which is stored nowhere.
    func campusCode(of verification: UUID) -> String {
        VerificationCode.make(of: Self.mac(Frame.uuid(verification), campusCodes))
    }

    /// The same of an address that somebody signs in with.
    func emailCode(of verification: UUID) -> String {
        VerificationCode.make(of: Self.mac(Frame.uuid(verification), emailCodes))
    }

    /// By which a verified telephone number is found.
    func phoneDigest(of phone: PhoneNumber) -> [UInt8] { Self.mac(Array(phone.text.utf8), phones) }

    /// The code of a verification, which is stored nowhere.
    func phoneCode(of verification: UUID) -> String {
        VerificationCode.make(of: Self.mac(Frame.uuid(verification), phoneCodes))
    }

    /// By which somebody is found whom an identity provider names.
    func identityDigest(issuer: String, subject: String) -> [UInt8] {
        let (issuer, subject) = (Array(issuer.utf8), Array(subject.utf8))
        return Self.mac(Frame.integer(Int64(issuer.count)) + issuer + subject, identities)
    }

    /// The secrets of a sign-in with a provider: made again when they are needed, and stored nowhere.
    func identitySecret(_ purpose: IdentitySecret, of signIn: UUID, bound: [UInt8] = []) -> [UInt8] {
        Self.mac([purpose.rawValue] + Frame.uuid(signIn) + bound, identitySignIns)
    }

    /// The secret part of what a passkey is asked to sign.
    func passkeyChallenge(_ purpose: PasskeyChallenge.Purpose, id: UUID, bound: [UInt8]) -> [UInt8] {
        Self.mac([purpose.rawValue] + Frame.uuid(id) + bound, passkeyChallenges)
    }

    /// The secret in the address of somebody's calendar.
    func calendarSecret(of person: PersonID, seed: [UInt8]) -> [UInt8] {
        Self.mac(Frame.uuid(person.uuid) + seed, calendars)
    }

    /// What authenticators call a person: it says nothing to anybody else (WebAuthn Level 3, 14.6.1).
    func passkeyHandle(of person: PersonID) -> [UInt8] { Self.mac(Frame.uuid(person.uuid), passkeyHandles) }

    /// Encrypts what the database keeps and must not know; `context` has to be the same when it is opened.
    func seal(_ plain: [UInt8], context: String) throws -> [UInt8] {
        let box = try AES.GCM.seal(plain, using: sealing, authenticating: Array(context.utf8))
        return Array(box.combined!)  // there is one whenever the nonce has the usual size
    }

    func open(_ sealed: [UInt8], context: String) throws -> [UInt8] {
        let box = try AES.GCM.SealedBox(combined: sealed)
        return Array(try AES.GCM.open(box, using: sealing, authenticating: Array(context.utf8)))
    }

    private static func mac(_ message: [UInt8], _ key: SymmetricKey) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
    }
}
