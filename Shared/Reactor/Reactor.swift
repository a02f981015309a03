import Glibc
import Synchronization

/// A thread of our own that is executor and event loop at once: Swift jobs, sockets and timers take turns on it.
///
/// Actors pin to it by `nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }`,
/// tasks run on it by `Task(executorPreference: reactor)`. Work that blocks or computes for long goes through `blocking`.
/// The thread keeps the reactor alive until `stop()`.
///
/// `@unchecked Sendable`: `inbox`, `threadID` and `pool` guard themselves; `loop` is touched on the thread only, which
/// every entrance to it checks.
package final class Reactor: SerialExecutor, TaskExecutor, @unchecked Sendable {
    package let name: String
    let inbox = Mutex(Inbox())
    let wakeup = EventFD()
    let pool: BlockingPool
    let loop: EventLoop
    let staysAwake: Duration
    /// The thread that runs jobs now; 0 where none does.
    private let threadID = Atomic<UInt>(0)
    private let joinable: Mutex<pthread_t?>

    enum Work {
        case job(UnownedJob)
        case action(@Sendable () -> Void)
    }

    struct Inbox {
        var work: [Work] = []
        /// Whether the thread waits in epoll, so that whoever brings work must wake it.
        var isAsleep = false
        var state = State.running
        enum State { case running, stopping, stopped, afterlife }
    }

    /// About as long as an answer takes that needs another service and the database.
    package static let usuallyStaysAwake = Duration.microseconds(400)

    /// Starts the thread.
    /// - Parameters:
    ///   - name: shown by `top -H` and debuggers; the first 15 bytes count.
    ///   - blockingThreads: how many threads `blocking` may use at once.
    ///   - staysAwake: for how long it looks for more after it has worked, before it sleeps; see `Wakefulness`.
    package init(name: String, blockingThreads: Int = 4, staysAwake: Duration = .zero) {
        self.name = name
        self.staysAwake = staysAwake
        pool = BlockingPool(name: name, limit: blockingThreads)
        loop = EventLoop(wakeup: wakeup.descriptor)
        joinable = Mutex(nil)
        let thread = startThread(name: name) { [self] in
            threadID.store(UInt(pthread_self()), ordering: .relaxed)
            runLoop()
            retire()
        }
        joinable.withLock { $0 = thread }
    }

    /// Finishes the jobs that are queued, ends the loop, drops timers, watches and sources, and joins the threads.
    ///
    /// Call it from another thread; a second call does nothing. Jobs that come afterwards still run, in order and one at
    /// a time on a short-lived thread, so that no task waits for ever; sockets and timers no longer do.
    package func stop() {
        precondition(!isOnThread, "a reactor cannot stop itself")
        guard let thread = joinable.withLock({ $0.take() }) else { return }
        inbox.withLock { $0.state = .stopping }
        wakeup.signal()
        pthread_join(thread, nil)
        pool.stop()
    }

    // MARK: Executor

    package func enqueue(_ job: consuming ExecutorJob) { enqueue(.job(UnownedJob(job))) }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(complexEquality: self) }

    package func isSameExclusiveExecutionContext(other: Reactor) -> Bool { self === other }

    package func checkIsolated() { precondition(isOnThread, "not on the thread of reactor \(name)") }

    package func isIsolatingCurrentContext() -> Bool? { isOnThread }

    /// Whether the code that asks runs on this reactor's thread.
    package var isOnThread: Bool { threadID.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Runs `action` on the thread, after what is queued. From anywhere.
    package func submit(_ action: @escaping @Sendable () -> Void) { enqueue(.action(action)) }

    private func enqueue(_ work: Work) {
        let (wakes, startsAfterlife) = inbox.withLock { inbox in
            inbox.work.append(work)
            Handover.give(to: self)
            let wakes = inbox.isAsleep
            inbox.isAsleep = false
            let startsAfterlife = inbox.state == .stopped
            if startsAfterlife { inbox.state = .afterlife }
            return (wakes, startsAfterlife)
        }
        if wakes { wakeup.signal() }
        if startsAfterlife { runAfterlife() }
    }

    /// Ends the thread's claim to the jobs, and hands over what came while the loop was closing.
    private func retire() {
        let leavesWork = inbox.withLock { inbox in
            threadID.store(0, ordering: .relaxed)
            inbox.state = inbox.work.isEmpty ? .stopped : .afterlife
            return !inbox.work.isEmpty
        }
        if leavesWork { runAfterlife() }
    }

    /// Runs what was enqueued after the end. The state `afterlife` keeps it to one thread at a time.
    private func runAfterlife() {
        let thread = startThread(name: name) { [self] in
            threadID.store(UInt(pthread_self()), ordering: .relaxed)
            while let work = nextAfterlifeBatch() { run(work[...]) }
        }
        pthread_detach(thread)
    }

    private func nextAfterlifeBatch() -> [Work]? {
        inbox.withLock { inbox in
            if inbox.work.isEmpty {
                // Within the lock: the next thread must not find this one's id over its own.
                threadID.store(0, ordering: .relaxed)
                inbox.state = .stopped
                return nil
            }
            Handover.take(from: self)
            defer { inbox.work = [] }
            return inbox.work
        }
    }

    func run(_ batch: ArraySlice<Work>) {
        let serial = asUnownedSerialExecutor()
        let task = asUnownedTaskExecutor()
        for work in batch {
            switch work {
            case .job(let job): job.runSynchronously(isolatedTo: serial, taskExecutor: task)
            case .action(let action): action()
            }
        }
    }

    // MARK: From anywhere

    /// How long a turn around the loop takes: that it answers at all says that the thread lives.
    nonisolated(nonsending) package func ping() async -> Duration {
        let start = ContinuousClock.now
        await withCheckedContinuation { continuation in submit { continuation.resume() } }
        return ContinuousClock.now - start
    }

    /// Runs blocking or heavy work on a thread of a small pool and resumes the caller where it was.
    ///
    /// Work that has begun is not interrupted by cancellation.
    /// - Throws: what `body` throws; `CancellationError` when the task is cancelled before, or the reactor has stopped.
    nonisolated(nonsending) package func blocking<T: Sendable>(
        _ body: @escaping @Sendable () throws -> T
    ) async throws -> T {
        try await pool.run(body)
    }
}
