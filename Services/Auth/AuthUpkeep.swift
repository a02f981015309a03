import FoundationEssentials
import Logging
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// What has to be done from time to time: signing keys come and go, and what has expired is forgotten.
struct AuthUpkeep: Service {
    let database: any AuthDatabase
    let keys: KeyUseCases
    let reviews: ReviewUseCases
    let limits: AttemptLimits
    let resets: ResetPolicy
    let verifications: VerificationPolicy
    let phones: PhonePolicy
    let identities: IdentityPolicy
    let interval: Duration
    let logger: Logger
    let now: @Sendable () -> Date
    /// Sessions of one transaction.
    var batch = 500

    func run() async throws {
        // Where these fail, the keys at hand go on signing.
        async let tending: Void = repeatRounds(
            every: interval, logger: logger, failing: "signing keys could not be tended"
        ) {
            try await keys.tend()
            return false
        }
        async let publishing: Void = repeatRounds(
            every: interval, logger: logger, failing: "reviews could not be published"
        ) {
            try await reviews.publishDue() > 0
        }
        await repeatRounds(every: interval, logger: logger, failing: "what has expired could not be forgotten") {
            try await prune()
            return false
        }
        _ = await (tending, publishing)
    }

    func prune() async throws {
        let now = now()
        try await database.stores.attempts.prune(before: now.addingTimeInterval(-limits.window), now: now)
        while try await pruneSessions(now) == batch {}
        try await database.stores.resets.prune(
            before: now.addingTimeInterval(-max(resets.window, resets.lifetime)))
        try await database.stores.exports.prune(
            now: now, requestedBefore: now.addingTimeInterval(-DataExportPolicy.patience))
        try await database.stores.erasures.prune(
            completedBefore: now.addingTimeInterval(-ErasurePolicy.keepReceipts), now: now)
        try await database.stores.verifications.prune(
            before: now.addingTimeInterval(-max(verifications.window, verifications.lifetime)))
        try await database.stores.addresses.prune(
            before: now.addingTimeInterval(-max(verifications.window, verifications.lifetime)))
        try await database.stores.phones.prune(before: now.addingTimeInterval(-max(phones.window, phones.lifetime)))
        try await database.stores.passkeys.prune(now: now)
        try await database.stores.identities.prune(before: now.addingTimeInterval(-identities.window))
    }

    /// Whoever keeps something for as long as a session lasts is told that it is over, as when somebody ends it: a telephone that was not
    /// used for a month would ring on, and nothing that its person does would reach it.
    /// - Returns: How many are forgotten.
    private func pruneSessions(_ now: Date) async throws -> Int {
        try await database.transaction { [batch] transaction in
            let pruned = try await transaction.sessions.prune(now: now, atMost: batch)
            for (person, sessions) in pruned.expired {
                transaction.publish(SessionsRevoked(sessions: sessions), "person/\(person)")
            }
            return pruned.count
        }
    }
}
