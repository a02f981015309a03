import Glibc

/// Nanoseconds of CLOCK_MONOTONIC.
struct MonotonicTime: Comparable {
    var nanoseconds: Int64

    static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Never before now, and no overflow for delays of any length.
    func advanced(by delay: Duration) -> MonotonicTime {
        let (seconds, attoseconds) = delay.components
        let limit: Int64 = 1 << 32
        guard seconds >= 0, attoseconds >= 0 else { return self }
        return MonotonicTime(
            nanoseconds: nanoseconds + min(seconds, limit) * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    static func < (a: MonotonicTime, b: MonotonicTime) -> Bool { a.nanoseconds < b.nanoseconds }
}

/// Timers in the order in which they fire: a binary heap, whose cancelled entries are left in it until they surface or are
/// too many.
struct TimerQueue {
    private struct Entry {
        var time: MonotonicTime
        var id: TimerID
        /// Timers of the same instant fire in the order in which they were set.
        func precedes(_ other: Entry) -> Bool {
            (time.nanoseconds, id.number) < (other.time.nanoseconds, other.id.number)
        }
    }

    private var heap: [Entry] = []
    private var actions: [TimerID: () -> Void] = [:]
    private var last: UInt64 = 0

    var count: Int { actions.count }
    var storedEntries: Int { heap.count }

    mutating func add(at time: MonotonicTime, _ action: @escaping () -> Void) -> TimerID {
        last += 1
        let id = TimerID(number: last)
        actions[id] = action
        heap.append(Entry(time: time, id: id))
        siftUp(heap.count - 1)
        return id
    }

    mutating func cancel(_ id: TimerID) {
        actions[id] = nil
        // Request deadlines are nearly always cancelled: without this they would pile up until they are due.
        guard heap.count > 1024, heap.count > 2 * actions.count else { return }
        heap = heap.filter { actions[$0.id] != nil }.sorted { $0.precedes($1) }
    }

    /// The action of the first timer that is due at `now`, which is thereby done with.
    mutating func next(dueBy now: MonotonicTime) -> (() -> Void)? {
        while let first = heap.first {
            if let action = actions[first.id] {
                guard first.time <= now else { return nil }
                actions[first.id] = nil
                removeFirst()
                return action
            }
            removeFirst()
        }
        return nil
    }

    /// Milliseconds until the next timer, rounded up; -1 where there is none.
    mutating func untilNext(from now: MonotonicTime) -> Int32 {
        while let first = heap.first, actions[first.id] == nil { removeFirst() }
        guard let first = heap.first else { return -1 }
        let wait = max(0, first.time.nanoseconds - now.nanoseconds)
        return Int32(clamping: (wait + 999_999) / 1_000_000)
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown(0)
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0, heap[child].precedes(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var first = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].precedes(heap[first]) { first = child }
            }
            if first == parent { return }
            heap.swapAt(parent, first)
            parent = first
        }
    }
}

extension EventLoop {
    /// Fires what is due, at most as many as there were at the start, so that a timer that sets itself anew with no delay
    /// cannot keep the loop.
    func fireTimers(until now: MonotonicTime) -> Bool {
        var left = timers.count
        var fired = false
        while left > 0, let action = timers.next(dueBy: now) {
            action()
            left -= 1
            fired = true
        }
        return fired
    }
}
