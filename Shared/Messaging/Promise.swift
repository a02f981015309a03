/// A value that comes later, within an actor.
struct Promise<Value: Sendable> {
    enum State {
        case pending([CheckedContinuation<Value, any Error>])
        case fulfilled(Value)
        case failed(any Error)
    }

    private(set) var state = State.pending([])

    mutating func fulfil(_ value: Value) { settle(.fulfilled(value)) { $0.resume(returning: value) } }

    mutating func fail(_ error: any Error) { settle(.failed(error)) { $0.resume(throwing: error) } }

    private mutating func settle(_ new: State, _ resume: (CheckedContinuation<Value, any Error>) -> Void) {
        guard case .pending(let waiting) = state else { return }
        state = new
        for continuation in waiting { resume(continuation) }
    }

    /// Resumes `continuation` now or when the value is there.
    mutating func tell(_ continuation: CheckedContinuation<Value, any Error>) {
        switch state {
        case .pending(let waiting): state = .pending(waiting + [continuation])
        case .fulfilled(let value): continuation.resume(returning: value)
        case .failed(let error): continuation.resume(throwing: error)
        }
    }
}
