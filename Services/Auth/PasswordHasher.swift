import Argon2
import FoundationEssentials
import Reactor
import Synchronization
import WireProtocol

/// Argon2id of a password under its address's salt: 32 bytes, the same whenever it is made.
protocol PasswordHashing: Sendable {
    /// - Parameter deadline: When the answer is of no more use.
    /// - Throws: `unavailable` when there is more to do than can be done in time.
    func hash(_ password: Password, for email: EmailAddress, before deadline: Date) async throws -> [UInt8]
}

/// Hashes on threads of its own, a few at a time: whoever has finished one begins the next at once. Who would wait too long is sent away.
final class PasswordHasher: PasswordHashing {
    private let pool: BlockingPool
    private let secrets: AuthSecrets
    private let cost: Argon2.Cost
    /// How many are being made or wait, and how many may.
    private let inside = Atomic(0)
    private let room: Int

    init(secrets: AuthSecrets, cost: Argon2.Cost, atOnce: Int, waiting: Int) {
        pool = BlockingPool(name: "hashes", limit: atOnce)
        self.secrets = secrets
        self.cost = cost
        room = atOnce + waiting
    }

    func hash(_ password: Password, for email: EmailAddress, before deadline: Date) async throws -> [UInt8] {
        defer { inside.subtract(1, ordering: .relaxed) }
        guard inside.add(1, ordering: .relaxed).newValue <= room else { throw SignInGate.overloaded }
        let salt = secrets.salt(for: email)
        return try await pool.run { [cost] in
            guard deadline > Date() else { throw SignInGate.overloaded }
            return try Argon2.hash(password: password.bytes, salt: salt, cost: cost)
        }
    }

    /// Finishes what is queued and ends the threads; not from one of them.
    func stop() { pool.stop() }
}
