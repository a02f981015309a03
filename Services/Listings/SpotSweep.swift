import Logging
import ServiceLifecycle

/// Ends spots whose time is over, so that they leave the maps of those who watch.
///
/// Queries leave such spots out anyhow, so a late sweep shows nobody a spot that is over. Any number of replicas may sweep: each
/// takes spots that no other is at.
struct SpotSweep<Store: SpotStore>: Service, CustomStringConvertible {
    let store: Store
    let logger: Logger
    var batch = 100
    var pause = Duration.seconds(1)

    var description: String { "spot sweep" }

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let ended = await sweep()
                if ended < batch { try await Task.sleep(for: pause) }
            }
        }
    }

    /// Ends one batch; a database that is away is tried again after the pause.
    /// - Returns: How many ended.
    func sweep() async -> Int {
        do {
            return try await store.transaction { spots in
                try await spots.expire(atMost: batch) { $0.expire(at: spots.now) }
            }
        } catch {
            if !Task.isCancelled {
                logger.warning("spots could not be swept", metadata: ["reason": .string("\(error)")])
            }
            return 0
        }
    }
}
