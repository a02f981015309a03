import FoundationEssentials
import WireProtocol

// The ports for what has to do with mails.

protocol CredentialStore: Sendable {
    /// Whose an address was shown to be. Others may have typed it as well.
    func account(at emailDigest: [UInt8]) async throws -> CredentialedAccount?
    /// - Parameter locked: For a change: others wait until the end of this transaction.
    func account(_ id: PersonID, locked: Bool) async throws -> CredentialedAccount?
    /// - Throws: `PasswordInUse`.
    func setPassword(_ hash: [UInt8], of id: PersonID) async throws
}

/// Another account of the same address has this password, and address and password together name an account.
struct PasswordInUse: Refusal {
    var serviceError: ServiceError { .invalid([FieldError("password", "in_use", "Choose another password.")]) }
}

protocol PasswordResetStore: Sendable {
    /// How many there were since then, by address and by network, after waiting for those that are being added.
    func tally(of emailDigest: [UInt8], from network: [UInt8], since: Date) async throws -> (email: Int, network: Int)
    func add(_ reset: PasswordResetCase, from network: [UInt8]) async throws
    func reset(_ id: UUID) async throws -> PasswordResetCase?
    /// - Returns: False where it was used for this account before.
    func use(_ id: UUID, for account: PersonID) async throws -> Bool
    func prune(before: Date) async throws
}

protocol OutgoingMailStore: Sendable {
    func add(_ mail: OutgoingMail, dueAt: Date) async throws
    /// Takes mails that are due, so that nobody else takes them before `lease`; each counts as an attempt.
    func claim(atMost count: Int, now: Date, lease: Date) async throws -> [OutgoingMail]
    /// It is notification's now, or of no more use.
    func remove(_ id: UUID) async throws
    func postpone(_ mail: OutgoingMail, to date: Date) async throws
}
