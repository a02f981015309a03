import Reactor
import Testing

@Suite struct BackoffTests {
    @Test func pausesDoubleWithJitterUpToALimit() {
        var backoff = Backoff(first: .milliseconds(100), limit: .seconds(1))
        var generator = SystemRandomNumberGenerator()
        let pauses = (0..<8).map { _ in backoff.next(using: &generator) }
        #expect(pauses[0] >= .milliseconds(50) && pauses[0] <= .milliseconds(100))
        #expect(pauses[2] >= .milliseconds(200) && pauses[2] <= .milliseconds(400))
        #expect(pauses.allSatisfy { $0 <= .seconds(1) } && pauses[7] >= .milliseconds(500))
        backoff.reset()
        #expect(backoff.next(using: &generator) <= .milliseconds(100))
    }

    @Test func without_jitter_it_doubles_up_to_the_limit() {
        let steps = (-1..<6).map { Backoff.step($0, first: .milliseconds(500), limit: .seconds(4)) }
        #expect(steps == [0.5, 0.5, 1, 2, 4, 4, 4].map { .seconds($0) })
        #expect(Backoff.step(.max, first: .milliseconds(1), limit: .seconds(10)) == .seconds(10))
    }
}
