package import Logging
import ServiceLifecycle

/// Does something again and again until the service stops: at once where there is more, else after a pause; a failure is logged, and is
/// tried again after the pause.
/// - Parameter round: answers whether there is more to do.
package func repeatRounds(
    every pause: Duration, logger: Logger, failing message: Logger.Message,
    _ round: @Sendable @escaping () async throws -> Bool
) async {
    await cancelWhenGracefulShutdown {
        while !Task.isCancelled {
            if await attempt(round, logger, message) { continue }
            try? await Task.sleep(for: pause)
        }
    }
}

/// The same, and besides soon after each ring of a bell.
/// - Parameter gathering: how long a round waits for what comes right after the ring.
package func repeatRounds(
    every pause: Duration, ringing bell: RoundBell, gathering: Duration, logger: Logger,
    failing message: Logger.Message, _ round: @Sendable @escaping () async throws -> Bool
) async {
    await cancelWhenGracefulShutdown {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    bell.ring()
                    try? await Task.sleep(for: pause)
                }
            }
            for await _ in bell.rings {
                try? await Task.sleep(for: gathering)
                while !Task.isCancelled, await attempt(round, logger, message) {}
            }
            group.cancelAll()
        }
    }
}

/// Rung where this process knows that there is something to do.
package struct RoundBell: Sendable {
    fileprivate let rings: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    // One ring is as good as many: a round does all there is.
    package init() {
        (rings, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    package func ring() { continuation.yield() }
}

private func attempt(
    _ round: @Sendable () async throws -> Bool, _ logger: Logger, _ message: Logger.Message
) async -> Bool {
    do {
        return try await round()
    } catch  where !Task.isCancelled {
        logger.warning(message, metadata: ["reason": .string("\(error)")])
    } catch {}
    return false
}
