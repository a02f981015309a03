import FoundationEssentials
import WireProtocol

/// How often and for how long.
struct ResetPolicy: Hashable, Sendable {
    /// How long a link is good.
    var lifetime: TimeInterval = 3600
    /// Mails to one address within `window`. Whoever uses them up for somebody else has put as many good links into that one's mailbox.
    var perAddress = 3
    /// Requests from one network address within `window`.
    var perNetwork = 30
    var window: TimeInterval = 3600
}

/// Somebody asked for new passwords at an address. Whether it has an account is looked at when the mail is made, not when it is asked for.
struct PasswordResetCase: Hashable, Sendable {
    /// The id of its mail as well.
    let id: UUID
    let emailDigest: [UInt8]
    let requestedAt: Date
    let expiresAt: Date
}

/// What a link carries: `case ‖ account ‖ secret` in base64url. The secret is made again from the secrets file and the account's
/// password hash, so it is stored nowhere, and whatever changes the password makes it worthless.
struct ResetToken: Hashable, Sendable {
    let reset: UUID
    let account: PersonID
    let secret: [UInt8]

    init(reset: UUID, account: PersonID, passwordHash: [UInt8], _ secrets: AuthSecrets) {
        self.reset = reset
        self.account = account
        secret = secrets.resetSecret(reset: reset, account: account, passwordHash: passwordHash)
    }

    /// Reads a token's shape; whether it is good is another question.
    init?(_ text: String) {
        guard let bytes = Base64URL.decode(text), bytes.count == 64, let reset = Frame.uuid(Array(bytes[..<16])),
            let account = Frame.uuid(Array(bytes[16..<32]))
        else { return nil }
        self.reset = reset
        self.account = PersonID(account)
        secret = Array(bytes[32...])
    }

    var text: String { Base64URL.encode(Frame.uuid(reset) + Frame.uuid(account.uuid) + secret) }

    func matches(_ other: ResetToken) -> Bool {
        reset == other.reset && account == other.account && ConstantTime.equal(secret, other.secret)
    }
}

/// An account with what its password became.
struct CredentialedAccount: Hashable, Sendable {
    let account: Account
    let passwordHash: [UInt8]
}

/// A mail or a text that notification shall send: kind and ids only. What it says is made when it is handed over.
struct OutgoingMail: Hashable, Sendable {
    enum Kind: String, Sendable {
        case passwordReset, campusCode, emailCode, erasure, notice
        /// To an address that was somebody's until now.
        case leftAddress
        /// A text.
        case phoneCode
    }

    /// The request id under which notification is asked, however often; and the id of what it is about.
    let id: UUID
    let kind: Kind
    let language: String
    var attempts = 0
    let expiresAt: Date
}
