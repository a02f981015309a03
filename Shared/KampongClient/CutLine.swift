import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How a request is given up whose caller is cancelled: soon, and never at once.
///
/// A cancelled task runs its handlers while it is locked, and `URLSessionTask.cancel()` waits on Linux for the session's queue. Where that queue is just
/// resuming the very task, with an answer or a piece of a stream, both wait for each other for ever.
final class CutLine: Sendable {
    private enum State {
        case closed
        case open(@Sendable () -> Void)
        case cut
    }

    private let state = Mutex(State.closed)

    /// - Parameter end: ends the request; done soon where it was given up before it began.
    func open(_ end: @escaping @Sendable () -> Void) {
        let isCut = state.withLock { state in
            if case .cut = state { return true }
            state = .open(end)
            return false
        }
        if isCut { Self.soon(end) }
    }

    func cut() {
        let before = state.withLock { state in
            let before = state
            state = .cut
            return before
        }
        if case .open(let end) = before { Self.soon(end) }
    }

    static func soon(_ end: @escaping @Sendable () -> Void) { DispatchQueue.global().async(execute: end) }
}

extension URLSession {
    /// As `data(for:)`, which waits where it is cancelled; see ``CutLine``.
    func answer(to request: URLRequest) async throws -> (Data, URLResponse) {
        let line = CutLine()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let task = dataTask(with: request) { data, response, error in
                    if let data, let response, error == nil {
                        continuation.resume(returning: (data, response))
                    } else {
                        continuation.resume(throwing: error ?? URLError(.unknown))
                    }
                }
                task.resume()
                line.open { task.cancel() }
            }
        } onCancel: {
            line.cut()
        }
    }
}
