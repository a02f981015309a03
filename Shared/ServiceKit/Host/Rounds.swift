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
            do {
                if try await round() { continue }
            } catch  where !Task.isCancelled {
                logger.warning(message, metadata: ["reason": .string("\(error)")])
            } catch {}
            try? await Task.sleep(for: pause)
        }
    }
}
