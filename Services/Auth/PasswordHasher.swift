internal import Argon2
internal import Reactor
internal import WireProtocol

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Argon2id of a password under its address's salt: 32 bytes, the same whenever it is made.
protocol PasswordHashing: Sendable {
    /// - Parameter deadline: When the answer is of no more use.
    /// - Throws: `unavailable` when there is more to do than can be done in time.
    func hash(_ password: Password, for email: EmailAddress, before deadline: Date) async throws -> [UInt8]
}

/// Hashes on the reactor's own threads, a few at a time; who would wait too long is sent away at once.
struct PasswordHasher: PasswordHashing {
    private let reactor: Reactor
    private let secrets: AuthSecrets
    private let cost: Argon2.Cost
    private let gate: HashGate

    init(reactor: Reactor, secrets: AuthSecrets, cost: Argon2.Cost, atOnce: Int, waiting: Int) {
        self.reactor = reactor
        self.secrets = secrets
        self.cost = cost
        gate = HashGate(atOnce: atOnce, waiting: waiting)
    }

    func hash(_ password: Password, for email: EmailAddress, before deadline: Date) async throws -> [UInt8] {
        try await gate.enter()
        do {
            guard deadline > Date() else { throw HashGate.overloaded }
            let salt = secrets.salt(for: email)
            let hash = try await reactor.blocking { [cost] in
                try Argon2.hash(password: password.bytes, salt: salt, cost: cost)
            }
            await gate.leave()
            return hash
        } catch {
            await gate.leave()
            throw error
        }
    }
}

/// Lets a number of tasks in, the others wait in a queue of limited length, first come first served.
actor HashGate {
    static let overloaded = ServiceError(
        .unavailable, "Many people are signing in right now. Try again in a moment.", retryAfter: 2)

    private var free: Int
    private let longest: Int
    private var queue: [CheckedContinuation<Void, Never>] = []

    init(atOnce: Int, waiting: Int) {
        free = atOnce
        longest = waiting
    }

    var waiting: Int { queue.count }

    /// - Throws: `overloaded` when the queue is full. Whoever got in has to leave.
    func enter() async throws(ServiceError) {
        if free > 0 {
            free -= 1
            return
        }
        guard queue.count < longest else { throw Self.overloaded }
        await withCheckedContinuation { queue.append($0) }
    }

    func leave() {
        if queue.isEmpty { free += 1 } else { queue.removeFirst().resume() }
    }
}
