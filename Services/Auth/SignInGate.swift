import WireProtocol

/// Lets a number of tasks in, the others wait in a queue of limited length, first come first served.
actor SignInGate {
    static let overloaded = ServiceError(
        .unavailable, "Many people are signing in right now. Try again in a moment.", retryAfter: 2)

    private var free: Int
    private let longest: Int
    private var queue: [CheckedContinuation<Void, Never>] = []

    init(atOnce: Int, waiting: Int) {
        free = atOnce
        longest = waiting
    }

    var waiting: Int { queue.count }

    /// - Throws: `overloaded` when the queue is full. Whoever got in has to leave.
    func enter() async throws(ServiceError) {
        if free > 0 {
            free -= 1
            return
        }
        guard queue.count < longest else { throw Self.overloaded }
        await withCheckedContinuation { queue.append($0) }
    }

    func leave() {
        if queue.isEmpty { free += 1 } else { queue.removeFirst().resume() }
    }
}
