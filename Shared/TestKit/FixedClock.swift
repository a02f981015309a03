package import FoundationEssentials
import Synchronization

/// A clock that stands still until it is moved. Safe from any thread.
package final class FixedClock: Sendable {
    private let time: Mutex<Date>

    /// - Parameter time: By default 2026-01-01 00:00:00 UTC.
    package init(_ time: Date = Date(timeIntervalSince1970: 1_767_225_600)) { self.time = Mutex(time) }

    package var now: Date { time.withLock { $0 } }

    /// For whoever takes its time from a closure.
    package var read: @Sendable () -> Date {
        { [self] in now }
    }

    /// Moves the clock, backwards too.
    package func advance(by duration: Duration) {
        time.withLock { $0 += duration / .seconds(1) }
    }
}
