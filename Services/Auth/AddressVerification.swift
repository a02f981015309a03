import FoundationEssentials
import WireProtocol

/// Somebody wants to show that they read the mail of the address that they sign in with, or of one that shall take its place.
struct AddressVerification: Hashable, SentCode {
    let id: UUID
    let person: PersonID
    let email: EmailAddress
    /// Of the address, keyed.
    let digest: [UInt8]
    /// What the account's password becomes under this address.
    let passwordHash: [UInt8]
    /// What it was when the code was asked for.
    let replaces: [UInt8]
    let requestedAt: Date
    let expiresAt: Date
}

/// The port for the addresses that people sign in with.
protocol AddressStore: Sendable {
    /// What there was since then, after waiting for what is being added.
    func tally(of person: PersonID, to digest: [UInt8], since: Date) async throws -> VerificationTally
    func add(_ verification: AddressVerification) async throws
    func verification(_ id: UUID) async throws -> AddressVerification?
    /// Counts one more attempt at the person's latest code, where it is still good.
    /// - Returns: Nil where there is none that may be tried.
    func attempt(by person: PersonID, now: Date, atMost: Int) async throws -> AddressVerification?
    /// - Returns: False where it was used before.
    func spend(_ id: UUID, at date: Date) async throws -> Bool
    /// Lets nobody else change whose the address is until the end of this transaction.
    /// - Returns: Who else has shown that it is theirs.
    func lock(_ digest: [UInt8], for person: PersonID) async throws -> [PersonID]
    /// Theirs no more, as far as anybody knows.
    func lose(_ person: PersonID) async throws
    /// - Throws: `AddressInUse`.
    func keep(_ verification: AddressVerification, at date: Date) async throws
    /// The account's own address, where somebody vouches for it and nobody else has shown it.
    func vouch(for person: PersonID, at date: Date) async throws
    /// Keeps an address that was left for as long as its mail waits.
    func keep(left address: EmailAddress, for mail: UUID) async throws
    func left(for mail: UUID) async throws -> EmailAddress?
    /// Forgets what was asked for and not answered: it was for a password that is no more.
    func removeAll(of person: PersonID) async throws
    func prune(before: Date) async throws
}

/// Another account of the same address has the same password, and both together name an account.
struct AddressInUse: Refusal {
    var serviceError: ServiceError {
        .invalid([
            FieldError(
                "code", "in_use",
                "Another account with this address has the same password. Change your password first.")
        ])
    }
}
