import Logging
import ServiceLifecycle

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Ends spots whose time is over, so that they leave the maps of those who watch; takes old claims for completed; and deletes what ended
/// without a claim long ago.
///
/// Queries leave such spots out anyhow, so a late sweep shows nobody a spot that is over. Any number of replicas may sweep: each
/// takes spots that no other is at.
struct SpotSweep: Service, CustomStringConvertible {
    let store: SpotStore
    let limits: SpotLimits
    let logger: Logger
    var batch = 100
    var pause = Duration.seconds(1)
    /// How often it looks for what may be forgotten; soon again where there was a whole batch.
    var forgets = Duration.seconds(600)

    var description: String { "spot sweep" }

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var nextForget = ContinuousClock.now
            while !Task.isCancelled {
                await reconcile()
                let (ended, settled) = (await sweep(), await settle())
                if nextForget <= .now, await forget() < batch { nextForget = .now + forgets }
                if ended < batch, settled < batch { try await Task.sleep(for: pause) }
            }
        }
    }

    /// Ends one batch; a database that is away is tried again after the pause.
    /// - Returns: How many ended.
    func sweep() async -> Int {
        await attempt("spots could not be swept") { spots in
            try await spots.expire(atMost: batch) { $0.expire(at: spots.now) }
        }
    }

    /// Completes one batch of claims.
    /// - Returns: How many were looked at.
    func settle() async -> Int {
        await attempt("claims could not be completed") { spots in
            try await spots.settle(claimedBy: spots.now - limits.claimLifetime, atMost: batch) {
                $0.settle(at: spots.now, within: limits)
            }
        }
    }

    /// Suspensions begin by an event and end by their time: spots come back by it.
    /// - Returns: How many spots were looked at.
    @discardableResult
    func reconcile() async -> Int {
        await attempt("what is suspended could not be looked at") { spots in
            try await spots.reconcile(nil, atMost: batch, within: limits)
        }
    }

    /// Deletes one batch of what ended long ago. Nobody is told: such spots have left every map.
    /// - Returns: How many are gone.
    func forget() async -> Int {
        await attempt("old spots could not be deleted") { spots in
            try await spots.forget(endedBefore: spots.now.addingTimeInterval(-limits.retention), atMost: batch)
        }
    }

    private func attempt(
        _ failure: Logger.Message, _ body: @Sendable @escaping (SpotTransaction) async throws -> Int
    ) async -> Int {
        do { return try await store.transaction(body) } catch {
            if !Task.isCancelled { logger.warning(failure, metadata: ["reason": .string("\(error)")]) }
            return 0
        }
    }
}
