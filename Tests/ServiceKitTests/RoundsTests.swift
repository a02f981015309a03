import Logging
import ServiceKit
import Synchronization
import TestKit
import Testing

@Suite struct RoundsTests {
    private struct Broken: Error {}

    private final class Rounds: Sendable {
        private let begun = Mutex(0)

        var count: Int { begun.withLock { $0 } }

        /// - Returns: Which round it is.
        func begin() -> Int {
            begun.withLock { begun in
                begun += 1
                return begun
            }
        }
    }

    @Test func where_there_is_more_the_next_round_comes_at_once() async throws {
        let rounds = Rounds()
        let running = Task {
            await repeatRounds(every: .seconds(3600), logger: .quiet, failing: "a round failed") { rounds.begin() < 3 }
        }
        try await eventually("the third round") { rounds.count == 3 }
        // The pause ends with the service.
        running.cancel()
        await running.value
        #expect(rounds.count == 3)
    }

    @Test func a_round_that_fails_comes_again_after_the_pause() async throws {
        let rounds = Rounds()
        let pause = Duration.milliseconds(50)
        let begun = ContinuousClock.now
        let running = Task {
            await repeatRounds(every: pause, logger: .quiet, failing: "a round failed") {
                if rounds.begin() == 1 { throw Broken() }
                return false
            }
        }
        try await eventually("the second round") { rounds.count >= 2 }
        #expect(begun.duration(to: .now) >= pause)
        running.cancel()
        await running.value
    }

    @Test func after_a_ring_the_next_round_does_not_wait_for_the_pause() async throws {
        let (rounds, bell) = (Rounds(), RoundBell())
        let running = Task {
            await repeatRounds(
                every: .seconds(3600), ringing: bell, gathering: .milliseconds(1), logger: .quiet,
                failing: "a round failed"
            ) {
                if rounds.begin() == 2 { throw Broken() }
                return false
            }
        }
        // The first one comes by itself; one that fails does not end them.
        for count in 1...3 {
            try await eventually("round \(count)") { rounds.count >= count }
            bell.ring()
        }
        running.cancel()
        await running.value
    }

    @Test func without_a_ring_a_round_comes_after_the_pause() async throws {
        let rounds = Rounds()
        let running = Task {
            await repeatRounds(
                every: .milliseconds(20), ringing: RoundBell(), gathering: .zero, logger: .quiet,
                failing: "a round failed"
            ) { rounds.begin() < 0 }
        }
        try await eventually("the third round") { rounds.count >= 3 }
        running.cancel()
        await running.value
    }
}
