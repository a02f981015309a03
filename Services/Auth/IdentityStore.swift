import FoundationEssentials
import WireProtocol

// The port for what outside identity providers say.

protocol IdentityStore: Sendable {
    /// - Returns: False where too many were begun from this network since then.
    func begin(_ signIn: IdentitySignIn, from network: [UInt8], atMost count: Int, since: Date) async throws -> Bool
    func signIn(_ id: UUID) async throws -> IdentitySignIn?
    /// Takes it on one to exchange the code: one caller wins.
    func claim(_ id: UUID, now: Date) async throws -> Bool
    /// What the provider said, sealed.
    func keep(_ identity: ProvidedIdentity, of id: UUID, until: Date) async throws
    /// Ends it: one caller wins.
    func use(_ id: UUID, now: Date) async throws -> Bool
    func prune(before: Date) async throws

    /// - Parameter locked: For a change: others wait until the end of this transaction.
    func identity(_ digest: [UInt8], locked: Bool) async throws -> Identity?
    /// The oldest first.
    func identities(of person: PersonID) async throws -> [Identity]
    /// - Returns: False where this identity is linked already, or the person has another one of this issuer.
    func add(_ identity: Identity) async throws -> Bool
    func save(_ identity: Identity) async throws
    func remove(_ identity: Identity) async throws
    /// Whether the person has chosen a password.
    func hasPassword(_ person: PersonID) async throws -> Bool
    /// Whether somebody has shown that the address is theirs.
    func hasAccount(at emailDigest: [UInt8]) async throws -> Bool
}
