// Ways into one's own account: the password, the address, and the proof that it is oneself who changes them.

/// `POST /v1/me/proof`.
public struct ProofOfPerson: Codable, Hashable, Sendable {
    /// The account's own.
    public var password: String
    public init(password: String) { self.password = password }
}

/// `PUT /v1/me/password`.
public struct PasswordChange: Codable, Hashable, Sendable {
    /// The account's own so far. Absent where it has none, or where the session was proven within ten minutes.
    public var current: String?
    public var password: String

    public init(current: String? = nil, password: String) {
        self.current = current
        self.password = password
    }
}

/// `POST /v1/me/email`: a code goes to the address, be it the account's own, or one that shall take its place.
public struct EmailChange: Codable, Hashable, Sendable {
    public var email: String
    /// The account's own, where it has one and the address is another than before.
    public var password: String?

    public init(email: String, password: String? = nil) {
        self.email = email
        self.password = password
    }
}

/// `POST /v1/me/email/confirm`.
public struct EmailConfirmation: Codable, Hashable, Sendable {
    /// The six digits of the mail.
    public var code: String
    public init(code: String) { self.code = code }
}

extension AuthMethods {
    /// For ten minutes, ways in may be added and removed in this session.
    package static let prove = Method<Nothing, ProofOfPerson, Nothing>("auth.prove", .command)
    /// Ends every other session of the account.
    package static let changePassword = Method<Nothing, PasswordChange, Nothing>("auth.changePassword", .command)
    package static let changeEmail = Method<LanguageParameters, EmailChange, Nothing>("auth.changeEmail", .command)
    package static let confirmEmail = Method<Nothing, EmailConfirmation, Person>("auth.confirmEmail", .command)
}

extension ErrorCode {
    /// Only who has shown within ten minutes that it is them may do that: `POST /v1/me/proof`, or a sign-in.
    public static let proofNeeded: ErrorCode = "proof_needed"
}
