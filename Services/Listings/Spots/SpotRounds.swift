import FoundationEssentials
import Logging
import ServiceKit
import ServiceLifecycle

/// Ends spots whose time is over, so that they leave the maps of those who watch; takes old claims for completed; brings back what was withheld of
/// people whose suspension is over; and deletes what ended without a claim long ago.
///
/// Queries leave such spots out anyhow, so a late round shows nobody a spot that is over. Any number of replicas may run: each takes spots that no
/// other is at.
struct SpotRounds: Service, CustomStringConvertible {
    let store: SpotStore
    let limits: SpotLimits
    let logger: Logger
    var batch = 100
    var pause = Duration.seconds(1)
    /// How often it looks for what may be forgotten; soon again where there was a whole batch.
    var forgets = Duration.seconds(600)

    var description: String { "spot rounds" }

    func run() async throws {
        async let forgetting: Void = repeatRounds(
            every: forgets, logger: logger, failing: "old spots could not be deleted"
        ) {
            try await forget() >= batch
        }
        await repeatRounds(every: pause, logger: logger, failing: "what is due of spots waits for the database") {
            try await round()
        }
        await forgetting
    }

    /// - Returns: whether there is more to do.
    func round() async throws -> Bool {
        let (ended, settled, reconciled) = (try await expire(), try await settle(), try await reconcile())
        return max(ended, settled, reconciled) >= batch
    }

    /// Ends one batch.
    /// - Returns: How many ended.
    func expire() async throws -> Int {
        try await store.transaction { spots in
            try await spots.expire(atMost: batch) { $0.expire(at: spots.now) }
        }
    }

    /// Completes one batch of claims.
    /// - Returns: How many were looked at.
    func settle() async throws -> Int {
        try await store.transaction { spots in
            try await spots.settle(claimedBy: spots.now - limits.claimLifetime, atMost: batch) {
                $0.settle(at: spots.now, within: limits)
            }
        }
    }

    /// Suspensions begin by an event and end by their time: spots come back by it.
    /// - Returns: How many spots were looked at.
    func reconcile() async throws -> Int {
        try await store.transaction { try await $0.reconcile(atMost: batch, within: limits) }
    }

    /// Deletes one batch of what ended long ago. Nobody is told: such spots have left every map.
    /// - Returns: How many are gone.
    func forget() async throws -> Int {
        try await store.transaction { spots in
            try await spots.forget(endedBefore: spots.now - limits.retention, atMost: batch)
        }
    }
}
