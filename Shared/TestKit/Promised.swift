/// A time in which something is promised to be done. A machine that is busy with something else takes longer: tests wait three times as
/// long, and say what it took beside the promise.
package struct Promised: Hashable, Sendable {
    package let time: Duration
    package var limit: Duration { time * 3 }

    package init(_ time: Duration) { self.time = time }

    /// `4310 ms, 5690 before what is promised`
    package func compared(with taken: Duration) -> String {
        let (taken, time) = (Int((taken / .milliseconds(1)).rounded()), Int((time / .milliseconds(1)).rounded()))
        return "\(taken) ms, \(abs(time - taken)) \(taken > time ? "LATER than" : "before what") is promised"
    }
}
