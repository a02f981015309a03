/// When a process that ended is started again. Pure: what happened goes in, what to do comes out.
package struct RestartPolicy: Hashable, Sendable {
    /// How long to wait after the first failure.
    package var firstDelay: Duration = .milliseconds(250)
    /// The longest wait; also the wait after exit status 78, which time alone does not mend.
    package var longestDelay: Duration = .seconds(30)
    /// How much a wait may be longer or shorter at random (0.2: a fifth), so that processes which fell together do not rise
    /// together.
    package var jitter = 0.2
    /// Whoever ran this long is well again, and its next failure counts as the first.
    package var wellAfter: Duration = .seconds(30)

    package init() {}

    /// What to do now that a process ended.
    /// - Parameters:
    ///   - ranFor: How long it ran.
    ///   - failures: How many times in a row it had failed before; 0 at first.
    ///   - random: A number in 0..<1.
    /// - Returns: How long to wait before starting it again, and the number of failures to pass next time.
    package func decide(after exit: Exit, ranFor: Duration, failures: Int, random: Double) -> Restart {
        let failures = ranFor >= wellAfter ? 1 : failures + 1
        let base = exit == .status(78) ? longestDelay : delay(afterFailures: failures)
        return Restart(delay: base * (1 + jitter * (2 * random - 1)), failures: failures)
    }

    package struct Restart: Hashable, Sendable {
        package var delay: Duration
        package var failures: Int

        package init(delay: Duration, failures: Int) {
            self.delay = delay
            self.failures = failures
        }
    }

    /// 1, 2, 4, 8 … times the first, up to the longest.
    private func delay(afterFailures failures: Int) -> Duration {
        let doublings = min(max(failures, 1) - 1, 30)
        return min(firstDelay * (1 << doublings), longestDelay)
    }
}
