import Glibc
import Reactor
import Synchronization
import Testing

/// A pipe, closed at the end.
final class Pipe: Sendable {
    let reading: Int32
    let writing: Int32
    init() {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0)
        (reading, writing) = (ends[0], ends[1])
    }
    deinit {
        close(reading)
        close(writing)
    }
    func put() { _ = write(writing, "x", 1) }
    func take() {
        var byte: UInt8 = 0
        _ = read(reading, &byte, 1)
    }
}

/// Waits until `condition` holds, five seconds at most.
func eventually(_ condition: () async -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < end {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return false
}

@Suite(.timeLimit(.minutes(1))) struct LoopTests {
    @Test func timersFireInOrderAndNotBeforeTime() async {
        await withReactor { reactor in
            let start = ContinuousClock.now
            let fired = await withCheckedContinuation { done in
                reactor.submit {
                    var fired: [Int] = []
                    for (number, delay) in [(3, 60), (1, 20), (2, 40)] {
                        reactor.schedule(after: .milliseconds(delay)) { fired.append(number) }
                    }
                    let cancelled = reactor.schedule(after: .milliseconds(30)) { fired.append(99) }
                    reactor.cancel(cancelled)
                    reactor.schedule(after: .milliseconds(80)) { done.resume(returning: fired) }
                }
            }
            #expect(fired == [1, 2, 3])
            #expect(ContinuousClock.now - start >= .milliseconds(80))
        }
    }

    @Test func aSocketThatIsReadyCallsItsHandlerUntilUnwatched() async {
        await withReactor { reactor in
            let (pipe, calls) = (Pipe(), Counter())
            await on(reactor) {
                reactor.watch(pipe.reading, for: .readable) { interest in
                    #expect(interest == .readable)
                    #expect(reactor.isOnThread)
                    pipe.take()
                    calls.add()
                }
            }
            pipe.put()
            #expect(await eventually { calls.count == 1 })
            await on(reactor) { reactor.change(pipe.reading, to: []) }
            pipe.put()
            _ = await reactor.ping()
            #expect(calls.count == 1)
            await on(reactor) { reactor.change(pipe.reading, to: .readable) }
            #expect(await eventually { calls.count == 2 })
            await on(reactor) { reactor.unwatch(pipe.reading) }
            pipe.put()
            for _ in 0..<8 { _ = await reactor.ping() }
            #expect(calls.count == 2)
        }
    }

    @Test func anUnwatchedHandlerIsNotCalledForWhatEpollHadReported() async {
        await withReactor { reactor in
            let (a, b, calls) = (Pipe(), Pipe(), Counter())
            a.put()
            b.put()
            await on(reactor) {
                for (mine, other) in [(a, b), (b, a)] {
                    reactor.watch(mine.reading, for: .readable) { _ in
                        calls.add()
                        reactor.unwatch(mine.reading)
                        reactor.unwatch(other.reading)
                    }
                }
            }
            for _ in 0..<16 { _ = await reactor.ping() }
            #expect(calls.count == 1)
        }
    }

    /// A task that never rests must not keep timers and sockets from their turn, nor they it.
    @Test func busyJobsStarveNeitherTimersNorSockets() async {
        await withReactor { reactor in
            let (pipe, reads, timers, turns) = (Pipe(), Counter(), Counter(), Counter())
            await on(reactor) {
                reactor.watch(pipe.reading, for: .readable) { _ in
                    pipe.take()
                    reads.add()
                    pipe.put()  // always ready
                }
                reactor.schedule(after: .zero) { rearm(reactor, timers) }  // always due
            }
            pipe.put()
            let busy = Task(executorPreference: reactor) {
                while !Task.isCancelled {
                    turns.add()
                    await Task.yield()
                }
            }
            #expect(await eventually { reads.count > 100 && timers.count > 100 && turns.count > 100 })
            busy.cancel()
            await busy.value
        }
    }

    @Test func sourcesArePumpedAgainBeforeTheThreadSleeps() async {
        final class Source: ReactorSource, Sendable {
            let pumped = Counter()
            let work = Atomic<Int>(0)
            func pump() -> Bool {
                pumped.add()
                guard work.load(ordering: .relaxed) > 0 else { return false }
                work.subtract(1, ordering: .relaxed)
                return true
            }
        }
        await withReactor { reactor in
            let source = Source()
            await on(reactor) {
                reactor.add(source)
                source.work.store(10, ordering: .relaxed)
            }
            // Nothing else wakes the thread: it may sleep only after a pump that found nothing.
            #expect(await eventually { source.work.load(ordering: .relaxed) == 0 && source.pumped.count >= 11 })
            await on(reactor) { reactor.remove(source) }
            let before = source.pumped.count
            for _ in 0..<8 { _ = await reactor.ping() }
            #expect(source.pumped.count == before)
        }
    }

    @Test func signalsDoNotEndTheLoop() async {
        signal(SIGUSR2) { _ in }
        await withReactor { reactor in
            let thread = await withCheckedContinuation { done in
                reactor.submit { done.resume(returning: pthread_self()) }
            }
            for _ in 0..<50 {
                pthread_kill(thread, SIGUSR2)
                #expect(await reactor.ping() < .seconds(5))
            }
        }
    }
}

private func rearm(_ reactor: Reactor, _ counter: Counter) {
    counter.add()
    reactor.schedule(after: .zero) { rearm(reactor, counter) }
}
