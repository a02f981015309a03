import Logging
import Postgres
import Reactor
import ServiceLifecycle
import WireProtocol

/// Gives committed events their positions, and only then lets them be published.
///
/// Woken after each commit of this process, and by itself every few dozen milliseconds for those of others and for what it missed.
/// Any number of them may work on one outbox. Under load a round gathers what is committed within a few milliseconds: each costs
/// PostgreSQL a commit of its own, however few events it numbers. The first event after a pause does not wait.
actor Sequencer {
    nonisolated let reactor: Reactor
    nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }
    nonisolated let outbox: Outbox
    private let interval: Duration
    private let gathering: Duration
    private let batch: Int
    private let logger: Logger
    private var wakeups: AsyncStream<Void>.Continuation?
    private var timer: TimerID?
    private var isFailing = false
    /// When the last round ended that had something to number.
    private var lastRound: ContinuousClock.Instant?

    init(outbox: Outbox, interval: Duration, gathering: Duration, batch: Int, logger: Logger) {
        reactor = outbox.pool.reactor
        self.outbox = outbox
        self.interval = interval
        self.gathering = gathering
        self.batch = batch
        self.logger = logger
    }

    /// Something was committed.
    func wake() { wakeups?.yield() }

    /// Numbers and publishes until it is cancelled or `stopped` ends; then once more, for what was committed last.
    func run(_ publish: @Sendable ([EventEnvelope]) async -> Void) async {
        // One wake-up is as good as many: each round takes all there is.
        let (rounds, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        wakeups = continuation
        tick()
        await withGracefulShutdownHandler {
            for await _ in rounds {
                await gather()
                await round(publish)
            }
        } onGracefulShutdown: {
            continuation.finish()
        }
        wakeups = nil
        if let timer { reactor.cancel(timer) }
        await round(publish)
    }

    private func tick() {
        wakeups?.yield()
        timer = reactor.schedule(after: interval) { self.assumeIsolated { $0.tick() } }
    }

    /// Right behind a round with events, waits for those that come in the next moment.
    private func gather() async {
        guard let lastRound else { return }
        let rest = gathering - (.now - lastRound)
        if rest > .zero { try? await Task.sleep(for: rest) }
    }

    /// Everything that waits. A failure is left to the next round: nothing is lost by it, only late.
    private func round(_ publish: @Sendable ([EventEnvelope]) async -> Void) async {
        do {
            guard try await outbox.hasUnnumbered() else { return isFailing = false }
            var numbered = batch
            // What is committed meanwhile wakes the next round.
            while numbered == batch {
                let events = try await outbox.number(limit: batch)
                await publish(events)
                numbered = events.count
            }
            lastRound = .now
            isFailing = false
        } catch {
            guard !isFailing, !Task.isCancelled else { return }
            isFailing = true
            // The database comes back by itself; a row that cannot be read is somebody's to mend.
            let level: Logger.Level = if case OutboxError.unreadable = error { .error } else { .warning }
            logger.log(level: level, "events wait for their positions", metadata: ["reason": "\(error)"])
        }
    }
}

/// The sequencer in the life of a service.
struct SequencerService: Service, CustomStringConvertible {
    let sequencer: Sequencer
    let publish: @Sendable ([EventEnvelope]) async -> Void
    var description: String { "sequencer" }
    func run() async throws { await sequencer.run(publish) }
}
