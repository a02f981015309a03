/// How long to wait before the next attempt: doubling, up to a limit, with jitter so that many do not come at once.
package struct Backoff: Sendable {
    package var first: Duration
    package var limit: Duration
    package private(set) var failures = 0

    package init(first: Duration = .milliseconds(50), limit: Duration = .seconds(5)) {
        self.first = first
        self.limit = limit
    }

    package mutating func reset() { failures = 0 }

    /// Between half and all of the current step.
    package mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        let step = Self.step(failures, first: first, limit: limit)
        failures += 1
        return step * Double.random(in: 0.5...1, using: &generator)
    }

    /// The same without jitter, for one who waits alone: `first` after no failure, and twice as long after each.
    package static func step(_ failures: Int, first: Duration, limit: Duration) -> Duration {
        min(first * (1 << max(0, min(failures, 16))), limit)
    }

    package mutating func next() -> Duration {
        var generator = SystemRandomNumberGenerator()
        return next(using: &generator)
    }
}
