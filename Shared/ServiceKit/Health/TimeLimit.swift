import Synchronization

/// What was to be done took longer than its limit.
package struct TimeLimitExceeded: Error, Hashable, CustomStringConvertible {
    package var limit: Duration
    package var description: String { "No answer within \(limit)." }
}

/// Does `body`, and gives up waiting for it after `limit`.
///
/// A task group would wait for a body that does not heed cancellation, such as a question to a reactor that is stuck, which is the
/// very case that health checks are for. So the body is a task of its own, that is cancelled and left behind.
/// - Throws: What the body throws, `TimeLimitExceeded`, or `CancellationError`.
package func withTimeLimit<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let race = Race<Value>()
    let work = Task {
        do { race.finish(.success(try await body())) } catch { race.finish(.failure(error)) }
    }
    let clock = Task {
        try await Task.sleep(for: limit)
        race.finish(.failure(TimeLimitExceeded(limit: limit)))
    }
    defer {
        work.cancel()
        clock.cancel()
    }
    return try await withTaskCancellationHandler {
        try await race.value()
    } onCancel: {
        race.finish(.failure(CancellationError()))
    }
}

/// The first result wins.
private final class Race<Value: Sendable>: Sendable {
    private enum State {
        case running
        case awaited(CheckedContinuation<Value, any Error>)
        case finished(Result<Value, any Error>)
    }
    private let state = Mutex(State.running)

    func finish(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .running: state = .finished(result)
            case .awaited(let continuation):
                state = .finished(result)
                return continuation
            case .finished: break
            }
            return nil
        }
        waiting?.resume(with: result)
    }

    func value() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state -> Result<Value, any Error>? in
                if case .finished(let result) = state { return result }
                state = .awaited(continuation)
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }
}
