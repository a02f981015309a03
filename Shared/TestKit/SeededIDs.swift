package import FoundationEssentials
import Synchronization
import WireProtocol

/// Random numbers that are the same in each run (SplitMix64). For tests; predictable by design.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Ids that are the same in each run, and sort in the order in which they were made. Safe from any thread.
package final class SeededIDs: Sendable {
    private let state: Mutex<(generator: SeededGenerator, made: Int)>
    private let start: Date

    package init(seed: UInt64 = 1, start: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        state = Mutex((SeededGenerator(seed: seed), 0))
        self.start = start
    }

    /// A UUID of version 7, each a millisecond after the last.
    package func next() -> UUID {
        state.withLock { state in
            state.made += 1
            // Half a millisecond more: rounding must not put two into one.
            return UUID.version7(at: start + (Double(state.made) + 0.5) / 1000, using: &state.generator)
        }
    }
}
