import Supervisor
import Testing

@Suite("Restart policy")
struct RestartPolicyTests {
    private let policy = RestartPolicy()

    /// The delays of failures in a row, without jitter.
    private func delays(_ exit: Exit, ranFor: Duration, count: Int) -> [Duration] {
        var failures = 0
        return (0..<count).map { _ in
            let next = policy.decide(after: exit, ranFor: ranFor, failures: failures, random: 0.5)
            failures = next.failures
            return next.delay
        }
    }

    @Test func `waits twice as long after each failure, up to a limit`() {
        let seconds = delays(.signal(6), ranFor: .seconds(1), count: 10).map { $0 / .seconds(1) }
        #expect(seconds == [0.25, 0.5, 1, 2, 4, 8, 16, 30, 30, 30])
    }

    @Test func `whoever ran long enough begins again at the first delay`() {
        let next = policy.decide(after: .status(1), ranFor: .seconds(31), failures: 9, random: 0.5)
        #expect(next == .init(delay: .milliseconds(250), failures: 1))
        let short = policy.decide(after: .status(1), ranFor: .seconds(29), failures: 2, random: 0.5)
        #expect(short == .init(delay: .seconds(1), failures: 3))
    }

    @Test func `an end that looks orderly is a failure too, for nobody asked for it`() {
        #expect(delays(.status(0), ranFor: .zero, count: 2) == [.milliseconds(250), .milliseconds(500)])
    }

    @Test func `a bad setting waits for a person`() {
        #expect(delays(.status(78), ranFor: .milliseconds(5), count: 2) == [.seconds(30), .seconds(30)])
    }

    @Test func `jitter stays within a fifth`() {
        for random in [0, 0.25, 0.999] {
            let delay = policy.decide(after: .status(1), ranFor: .zero, failures: 2, random: random).delay
            #expect(delay >= .milliseconds(800) && delay < .milliseconds(1200))
        }
        #expect(policy.decide(after: .status(1), ranFor: .zero, failures: 2, random: 0).delay == .milliseconds(800))
    }

    @Test func `any number of failures has a delay`() {
        #expect(policy.decide(after: .status(1), ranFor: .zero, failures: .max - 1, random: 0.5).delay == .seconds(30))
    }
}
