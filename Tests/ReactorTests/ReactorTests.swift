import Foundation
import Glibc
import Reactor
import Synchronization
import Testing

/// An actor that lives on a reactor, as the bus and the pool do.
actor Pinned {
    nonisolated let reactor: Reactor
    nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }
    private(set) var count = 0
    init(_ reactor: Reactor) { self.reactor = reactor }

    func increment() { count += 1 }
    func isOnThread() -> Bool { reactor.isOnThread }

    func isOnThreadAfterBlocking() async throws -> (during: Bool, after: Bool) {
        let during = try await reactor.blocking { [reactor] in reactor.isOnThread }
        return (during, reactor.isOnThread)
    }
}

/// Runs `body` on the reactor's thread and waits for it.
func on(_ reactor: Reactor, _ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { done in
        reactor.submit {
            body()
            done.resume()
        }
    }
}

/// A reactor for one test, stopped at its end.
func withReactor(_ body: (Reactor) async throws -> Void) async rethrows {
    let reactor = Reactor(name: "test")
    defer { reactor.stop() }
    try await body(reactor)
}

@Suite(.timeLimit(.minutes(1))) struct ExecutorTests {
    @Test func actorsAndTasksRunOnTheThread() async throws {
        try await withReactor { reactor in
            let actor = Pinned(reactor)
            #expect(!reactor.isOnThread)
            #expect(await actor.isOnThread())
            let task = Task(executorPreference: reactor) {
                let before = reactor.isOnThread
                await actor.increment()
                try await Task.sleep(for: .milliseconds(1))
                return before && reactor.isOnThread
            }
            let stayed = try await task.value
            #expect(stayed)
        }
    }

    @Test func manyTasksLoseNoJob() async {
        await withReactor { reactor in
            let actor = Pinned(reactor)
            await withTaskGroup { group in
                for _ in 0..<64 {
                    group.addTask { for _ in 0..<500 { await actor.increment() } }
                }
            }
            #expect(await actor.count == 32_000)
        }
    }

    @Test func blockingWorkLeavesTheThreadAndComesBack() async throws {
        try await withReactor { reactor in
            let result = try await Pinned(reactor).isOnThreadAfterBlocking()
            #expect(result.during == false)
            #expect(result.after == true)
        }
    }

    @Test func blockingWorkThatWaitsForAThreadIsTakenBack() async throws {
        try await withReactor { reactor in
            let (hasBegun, mayEnd) = (Pipe(), Pipe())
            let others = (0..<4).map { _ in
                Task {
                    try await reactor.blocking {
                        hasBegun.put()
                        mayEnd.take()
                    }
                }
            }
            for _ in others { hasBegun.take() }
            // All threads are taken until this one has given up: it would wait for ever if it waited for one of them.
            let waiting = Task(executorPreference: reactor) {
                try await reactor.blocking { Issue.record("It was taken back.") }
            }
            // It stands in the queue once the thread on which it has begun does something else.
            _ = await reactor.ping()
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            // What has begun goes on to its end.
            others[0].cancel()
            for _ in others { mayEnd.put() }
            for other in others { try await other.value }
        }
    }

    @Test func blockingWorkDoesNotHoldUpTheLoop() async throws {
        try await withReactor { reactor in
            let pipe = Pipe()
            // Blocks until the loop has turned: it would wait for ever if it held that up.
            async let slow: Void = reactor.blocking { pipe.take() }
            _ = await reactor.ping()
            pipe.put()
            try await slow
        }
    }

    @Test func blockingWorkGivesWayToTheLoop() async throws {
        try await withReactor { reactor in
            let mine = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
            let working = try await reactor.blocking { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }
            #expect(working == max(mine, BlockingPool.niceness))
            let turning = Mutex<Int32?>(nil)
            await on(reactor) { turning.withLock { $0 = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) } }
            #expect(turning.withLock { $0 } == mine)
        }
    }

    /// Linux from 6.12 on.
    @Test(.enabled(if: ScheduledSlice.ofThisThread != nil))
    func blockingWorkAsksForLongStretchesAndTheLoopDoesNot() async throws {
        try await withReactor { reactor in
            #expect(try await reactor.blocking { ScheduledSlice.ofThisThread } == 100_000_000)
            let turning = Mutex<Int?>(nil)
            await on(reactor) { turning.withLock { $0 = ScheduledSlice.ofThisThread } }
            let usual = try #require(turning.withLock { $0 })
            #expect(usual < 20_000_000)
        }
    }

    @Test func blockingWorkPassesItsErrorOn() async {
        struct Failure: Error {}
        await withReactor { reactor in
            await #expect(throws: Failure.self) { try await reactor.blocking { () throws -> Void in throw Failure() } }
        }
    }

    @Test func jobsThatComeAfterTheEndStillRun() async {
        let reactor = Reactor(name: "test")
        let actor = Pinned(reactor)
        reactor.stop()
        reactor.stop()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<100 { await actor.increment() } }
            }
        }
        #expect(await actor.count == 800)
        await #expect(throws: CancellationError.self) { try await reactor.blocking {} }
    }

    @Test func aStoppedReactorIsFreed() async {
        weak var weakly: Reactor?
        do {
            let reactor = Reactor(name: "test")
            weakly = reactor
            await on(reactor) { reactor.schedule(after: .seconds(60)) { _ = reactor.isOnThread } }
            reactor.stop()
        }
        #expect(weakly == nil)
    }
}

/// Counts from any thread.
final class Counter: Sendable {
    private let value = Atomic<Int>(0)
    var count: Int { value.load(ordering: .sequentiallyConsistent) }
    func add() { value.add(1, ordering: .sequentiallyConsistent) }
}

private enum ScheduledSlice {
    /// As the kernel has it, in nanoseconds; nil where it does not say.
    static var ofThisThread: Int? {
        let lines = (try? String(contentsOfFile: "/proc/thread-self/sched", encoding: .utf8))?.split(separator: "\n")
        return lines?.first { $0.hasPrefix("se.slice") }.flatMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    }
}
