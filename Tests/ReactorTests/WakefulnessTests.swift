import Testing

@testable import Reactor

@Suite struct WakefulnessTests {
    private static let step: Int64 = 10_000

    /// How often it looks again until it sleeps, when each look comes so many nanoseconds after the one before.
    private func looks(_ wakefulness: inout Wakefulness, from start: Int64 = 0, every step: Int64 = step) -> Int {
        for count in 0..<1000
        where !wakefulness.looksAgain(at: MonotonicTime(nanoseconds: start + Int64(count) * step)) {
            return count
        }
        return 1000
    }

    @Test func looks_again_for_as_long_as_it_may_and_then_sleeps() {
        var wakefulness = Wakefulness(limit: .microseconds(100))
        #expect(looks(&wakefulness) == 10)
    }

    @Test func never_looks_again_where_it_may_not() {
        var wakefulness = Wakefulness(limit: .zero)
        #expect(looks(&wakefulness) == 0)
    }

    /// How many sleeps came at once between two times that it looked in vain.
    private func rests(_ wakefulness: inout Wakefulness, _ count: Int, _ found: (inout Wakefulness) -> Void = { _ in })
        -> [Int]
    {
        (0..<count).map { _ in
            #expect(looks(&wakefulness) == 10)
            var rest = 0
            while !wakefulness.looksAgain(at: MonotonicTime(nanoseconds: 0)) { rest += 1 }
            found(&wakefulness)
            return rest
        }
    }

    @Test func the_more_often_it_was_in_vain_the_more_sleeps_come_at_once() {
        var wakefulness = Wakefulness(limit: .microseconds(100))
        #expect(rests(&wakefulness, 5) == [1, 4, 16, 64, 64])
    }

    @Test func what_is_found_in_time_makes_it_hopeful_again() {
        var wakefulness = Wakefulness(limit: .microseconds(100))
        _ = rests(&wakefulness, 4)
        #expect(looks(&wakefulness) == 10)
        for _ in 0..<64 { #expect(looks(&wakefulness) == 0) }
        for _ in 0..<6 {
            let looksAgain = wakefulness.looksAgain(at: MonotonicTime(nanoseconds: 0))
            #expect(looksAgain)
            wakefulness.foundWork()
        }
        #expect(rests(&wakefulness, 1) == [1])
    }

    @Test func one_find_between_two_disappointments_does_not() {
        var wakefulness = Wakefulness(limit: .microseconds(100))
        let found = rests(&wakefulness, 8) { $0.foundWork() }
        #expect(found == [1, 2, 4, 8, 16, 32, 32, 32])
    }

    @Test func work_after_a_sleep_says_nothing_of_looking() {
        var wakefulness = Wakefulness(limit: .microseconds(100))
        for _ in 0..<3 { _ = looks(&wakefulness) }
        let before = (0..<10).map { _ in looks(&wakefulness) }
        var other = Wakefulness(limit: .microseconds(100))
        for _ in 0..<3 { _ = looks(&other) }
        let after = (0..<10).map { _ -> Int in
            other.foundWork()
            return looks(&other)
        }
        #expect(before == after)
    }

    @Test func sleeps_where_much_is_under_way_and_takes_no_offence() {
        var wakefulness = Wakefulness(limit: .microseconds(100))
        for moment in 0..<10 {
            let looksAgain = wakefulness.looksAgain(at: MonotonicTime(nanoseconds: Int64(moment)), underWay: 5)
            #expect(!looksAgain)
        }
        #expect(looks(&wakefulness) == 10)
    }

    @Test func sleeps_where_others_want_the_processor_and_takes_no_offence() {
        var wakefulness = Wakefulness(limit: .microseconds(400))
        #expect(looks(&wakefulness, every: 50_000) == 1)
        #expect(looks(&wakefulness) == 40)
    }
}
