import Synchronization

/// A value that a test's fakes share.
final class Mutable<Value: Sendable>: Sendable {
    private let stored: Mutex<Value>
    init(_ value: Value) { stored = Mutex(value) }
    var value: Value { stored.withLock { $0 } }
    func mutate<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { stored.withLock { body(&$0) } }
}
