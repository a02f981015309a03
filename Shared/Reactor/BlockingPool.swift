import CLinux
import Glibc

/// A few threads for work that blocks or computes for long; started when first needed. They give way to all others that want a processor: to
/// the reactor, and to whatever answers in a millisecond while somebody's password is hashed.
///
/// `@unchecked Sendable`: everything mutable is guarded by `mutex`.
package final class BlockingPool: @unchecked Sendable {
    private let name: String
    private let limit: Int
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var queue: [Work] = []
    private var threads: [pthread_t] = []
    private var idle = 0
    private var isStopped = false

    package init(name: String, limit: Int) {
        precondition(limit > 0)
        self.name = name
        self.limit = limit
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(condition)
        mutex.deallocate()
        condition.deallocate()
    }

    /// Queues `work` for a thread; false when it was taken back already, or the pool has stopped.
    private func submit(_ work: Work) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard !isStopped, !work.isTakenBack else { return false }
        queue.append(work)
        if queue.count > idle, threads.count < limit {
            threads.append(startThread(name: "\(name.prefix(11))-blk") { [self] in serve() })
        }
        pthread_cond_signal(condition)
        return true
    }

    /// Takes back what no thread has begun; whoever waits for it waits no longer.
    private func takeBack(_ work: Work) {
        pthread_mutex_lock(mutex)
        work.isTakenBack = true
        let place = queue.firstIndex { $0 === work }
        if let place { queue.remove(at: place) }
        pthread_mutex_unlock(mutex)
        if place != nil { work.giveUp() }
    }

    /// Runs `body` on a thread and resumes the caller where it was. What has begun is not interrupted by cancellation; what waits for a thread is.
    /// - Throws: what `body` throws; `CancellationError` when the task is cancelled before it begins, or the pool has stopped.
    nonisolated(nonsending) package func run<T: Sendable>(
        _ body: @escaping @Sendable () throws -> T
    ) async throws -> T {
        try Task.checkCancellation()
        let work = Work()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                work.perform = { continuation.resume(with: Result(catching: body)) }
                work.giveUp = { continuation.resume(throwing: CancellationError()) }
                if !submit(work) { work.giveUp() }
            }
        } onCancel: {
            takeBack(work)
        }
    }

    /// Something to do, for which somebody waits: one of its two functions is called, once.
    ///
    /// `@unchecked Sendable`: its functions are set before it is queued, by which others come to them; the rest is guarded by the pool's `mutex`.
    private final class Work: @unchecked Sendable {
        var perform: @Sendable () -> Void = {}
        var giveUp: @Sendable () -> Void = {}
        var isTakenBack = false
    }

    /// Finishes what is queued and joins the threads. Not from one of them.
    package func stop() {
        pthread_mutex_lock(mutex)
        isStopped = true
        pthread_cond_broadcast(condition)
        let mine = threads
        threads = []
        pthread_mutex_unlock(mutex)
        for thread in mine { pthread_join(thread, nil) }
    }

    /// Of 20; a tenth of what a thread of usual niceness gets beside it, and all that is left over.
    package static let niceness: Int32 = 10
    /// In nanoseconds, the most that Linux grants. Whoever wakes up and wants less than who works interrupts it at once, in other processes and scheduling
    /// groups too, where niceness does not reach; else it waits until the stretch has ended, which Linux notices every four milliseconds only.
    private static let slice: UInt64 = 100_000_000

    private func serve() {
        // On Linux these are the thread's own, not the process's.
        let thread = __priority_which_t(PRIO_PROCESS.rawValue)
        setpriority(thread, 0, Self.niceness)
        clinux_set_slice(getpriority(thread, 0), Self.slice)
        while let work = next() { work.perform() }
    }

    private func next() -> Work? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        idle += 1
        while queue.isEmpty && !isStopped { pthread_cond_wait(condition, mutex) }
        idle -= 1
        return queue.isEmpty ? nil : queue.removeFirst()
    }
}
