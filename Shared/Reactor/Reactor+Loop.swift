import Glibc
import Synchronization

/// Something on the reactor that must be asked whether it has work, because its descriptor does not always tell.
package protocol ReactorSource: AnyObject {
    /// Does a bounded amount of work, and says whether it did any. Called on the thread, after each batch of jobs, sockets
    /// and timers, and always once more (answering false) before the thread sleeps.
    func pump() -> Bool
}

/// Names a timer, for `cancel`.
package struct TimerID: Hashable, Sendable {
    let number: UInt64
}

// MARK: On the thread only

extension Reactor {
    /// Pumps `source` until it is removed; keeps it alive.
    package func add(_ source: any ReactorSource) {
        checkIsolated()
        loop.add(source)
    }

    /// Lets go of `source`; it is not pumped again.
    package func remove(_ source: any ReactorSource) {
        checkIsolated()
        loop.remove(source)
    }

    /// Calls `handler` on the thread whenever `fd` is ready (level-triggered). One watch per descriptor.
    ///
    /// `.error` is told whether asked for or not. Unwatch before the descriptor is closed.
    package func watch(_ fd: Int32, for interest: Interest, _ handler: @escaping (Interest) -> Void) {
        checkIsolated()
        loop.watch(fd, for: interest, handler)
    }

    /// Waits for something else on a watched descriptor.
    package func change(_ fd: Int32, to interest: Interest) {
        checkIsolated()
        loop.change(fd, to: interest)
    }

    /// Ends a watch; its handler is not called again, not even for what epoll has reported already.
    package func unwatch(_ fd: Int32) {
        checkIsolated()
        loop.unwatch(fd)
    }

    /// Calls `action` once on the thread, no earlier than after `delay` (milliseconds are exact enough).
    @discardableResult
    package func schedule(after delay: Duration, _ action: @escaping () -> Void) -> TimerID {
        checkIsolated()
        return loop.timers.add(at: MonotonicTime.now.advanced(by: delay), action)
    }

    /// Drops a timer; one that has fired or never was is ignored.
    package func cancel(_ id: TimerID) {
        checkIsolated()
        loop.timers.cancel(id)
    }
}

extension Reactor {
    /// Tells of a request that is under way here, asked or to be answered; by that the thread judges whether it should stay awake.
    package func begins() {
        checkIsolated()
        loop.underWay += 1
    }

    /// Tells of the end of one that `begins` told of.
    package func ends() {
        checkIsolated()
        loop.underWay -= 1
    }
}

// MARK: The loop

extension Reactor {
    /// How many jobs run before sockets and timers get their turn.
    private static let batchLimit = 256
    /// While there is work, epoll is asked at every n-th turn: a system call per turn would be the dearest part of it.
    private static let turnsPerPoll = 4

    /// Jobs, timers, sources, descriptors, in turns, each bounded by what was there when its turn began.
    func runLoop() {
        var batch: [Work] = []
        var next = 0
        var turn = 0
        var wakefulness = Wakefulness(limit: staysAwake)
        while true {
            if next == batch.count {
                batch.removeAll(keepingCapacity: true)
                next = 0
                if takeInbox(into: &batch) == .finished { break }
            }
            let end = min(next + Self.batchLimit, batch.count)
            run(batch[next..<end])
            var worked = end > next
            next = end
            if loop.fireTimers(until: .now) { worked = true }
            if loop.pumpSources() { worked = true }
            turn += 1
            if worked {
                wakefulness.foundWork()
                if turn % Self.turnsPerPoll != 0 { continue }
            }
            let sleeps = !worked && next == batch.count && !looksAgain(&wakefulness) && fallsAsleep()
            loop.poll(timeout: sleeps ? loop.timers.untilNext(from: .now) : 0)
            if sleeps { wakeUp() }
        }
        loop.close()
    }

    private enum Intake { case open, finished }

    /// Swaps the queued work out. A stopping reactor is finished when nothing is queued.
    private func takeInbox(into batch: inout [Work]) -> Intake {
        inbox.withLock { inbox in
            swap(&batch, &inbox.work)
            Handover.take(from: self)
            return batch.isEmpty && inbox.state == .stopping ? .finished : .open
        }
    }

    private func looksAgain(_ wakefulness: inout Wakefulness) -> Bool {
        guard wakefulness.looksAgain(at: .now, underWay: loop.underWay) else { return false }
        sched_yield()
        return true
    }

    /// Under the same lock as `enqueue`: work either is seen here, or wakes the thread.
    private func fallsAsleep() -> Bool {
        inbox.withLock { inbox in
            inbox.isAsleep = inbox.work.isEmpty && inbox.state == .running
            return inbox.isAsleep
        }
    }

    private func wakeUp() { inbox.withLock { $0.isAsleep = false } }
}
