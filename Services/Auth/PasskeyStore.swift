import FoundationEssentials
import WireProtocol

// The port for passkeys.

protocol PasskeyStore: Sendable {
    /// The oldest first.
    func passkeys(of person: PersonID) async throws -> [KeptPasskey]
    /// - Parameter locked: For a change: others wait until the end of this transaction.
    func passkey(credential: [UInt8], locked: Bool) async throws -> KeptPasskey?
    /// For a change. Nil also where it is somebody else's.
    func locked(_ id: PasskeyID, of person: PersonID) async throws -> KeptPasskey?
    /// - Returns: False where the credential is somebody's already.
    func add(_ passkey: KeptPasskey) async throws -> Bool
    func save(_ passkey: KeptPasskey) async throws
    func remove(_ id: PasskeyID) async throws
    /// - Returns: How many there were.
    func removeAll(of person: PersonID) async throws -> Int
    /// Notes that a challenge was answered: one caller wins.
    func use(_ challenge: PasskeyChallenge) async throws -> Bool
    /// Those that were kept before their hosts were are taken to be of this one.
    func adopt(host: String) async throws
    /// Forgets challenges that nobody could answer any more.
    func prune(now: Date) async throws
}
