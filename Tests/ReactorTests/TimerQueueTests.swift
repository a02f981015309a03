import Testing

@testable import Reactor

@Suite struct TimerQueueTests {
    @Test func entriesSurfaceInOrderOfTimeThenOfSetting() {
        var (queue, generator) = (TimerQueue(), SystemRandomNumberGenerator())
        let times = (0..<500).map { _ in Int64.random(in: 0..<50, using: &generator) }
        var fired: [(time: Int64, number: Int)] = []
        for (number, time) in times.enumerated() {
            _ = queue.add(at: MonotonicTime(nanoseconds: time)) { fired.append((time, number)) }
        }
        while let action = queue.next(dueBy: MonotonicTime(nanoseconds: 100)) { action() }
        let expected = times.enumerated().map { (time: $1, number: $0) }.sorted {
            ($0.time, $0.number) < ($1.time, $1.number)
        }
        #expect(fired.elementsEqual(expected) { $0 == $1 })
    }

    @Test func waitsAreRoundedUp() {
        var queue = TimerQueue()
        let now = MonotonicTime(nanoseconds: 0)
        #expect(queue.untilNext(from: now) == -1)
        let first = queue.add(at: MonotonicTime(nanoseconds: 1)) {}
        _ = queue.add(at: now.advanced(by: .seconds(2))) {}
        #expect(queue.untilNext(from: now) == 1)
        queue.cancel(first)
        #expect(queue.untilNext(from: now) == 2000)
        #expect(queue.untilNext(from: MonotonicTime(nanoseconds: 3_000_000_000)) == 0)
    }

    @Test func cancelledTimersDoNotPileUp() {
        var queue = TimerQueue()
        let now = MonotonicTime(nanoseconds: 0)
        for _ in 0..<100_000 { queue.cancel(queue.add(at: now.advanced(by: .seconds(5))) {}) }
        #expect(queue.count == 0)
        #expect(queue.storedEntries <= 1025)
    }

    @Test func absurdDelaysNeitherOverflowNorFireAtOnce() {
        let now = MonotonicTime.now
        #expect(now.advanced(by: .seconds(Int64.max)) > now)
        #expect(now.advanced(by: .seconds(-1)) == now)
    }
}
