import CPostgres
import DequeModule
package import Logging
package import Reactor

/// A bounded number of connections to one database, shared by everything in the process that uses it.
///
/// Pinned to the reactor: calls from there change no thread. Connections are opened when needed; whoever cannot be served
/// waits in one fair queue, for a limited time. Task cancellation cancels the statement on the server. Results come when the
/// server has answered the Sync, so that whoever has a result of `query` knows that it is committed.
package actor PostgresPool {
    package nonisolated let reactor: Reactor
    package nonisolated let configuration: PostgresConfiguration
    package nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }

    let logger: Logger
    let metrics: PoolMetrics
    let url: ConnectionURL?
    var connections: [PostgresConnection] = []
    var waiting = Deque<Waiter>()
    var opening = 0
    var isBackingOff = false
    /// A connection was lost a moment ago: nobody is served until it is known which others were.
    var isLookingRound = false
    var backoff = Backoff()
    var lastFailure: PostgresError?
    var isClosing = false
    var closed: [CheckedContinuation<Void, Never>] = []
    var watchdog: TimerID?
    private var lastNumber: UInt64 = 0

    package init(reactor: Reactor, configuration: PostgresConfiguration, logger: Logger) {
        self.reactor = reactor
        self.configuration = configuration
        self.logger = logger
        metrics = PoolMetrics(schema: configuration.schema)
        url = try? ConnectionURL(configuration.url)
    }

    /// Keeps the pool until the task is cancelled, then closes it: what is under way is finished, nothing new is taken.
    ///
    /// The pool may be used before; a pool that is not run must be closed with `close`.
    package func run() async throws {
        growIfNeeded(wanted: 1)
        for await _ in AsyncStream<Never>.makeStream().stream {}
        await close()
    }

    // MARK: Statements

    /// Runs one statement, which commits by itself. Statements of different callers travel together in pipelines.
    /// - Throws: `PostgresError`; `.commitUnknown` where the connection went down before the answer came.
    package func query(_ query: SQLQuery) async throws -> PostgresRows {
        try await PostgresRows(result: run([query], effect: .commits)[0])
    }

    /// Runs one statement that only reads, faster: it shares its Sync with others, and is sent again where the connection goes down.
    package func read(_ query: SQLQuery) async throws -> PostgresRows {
        try await PostgresRows(result: run([query], effect: .read)[0])
    }

    /// Sends statements and waits for the answers; in the transaction of `lease` where there is one.
    func run(
        _ queries: [SQLQuery], effect: Segment.Effect, lease: Lease? = nil, shielded: Bool = false
    ) async throws -> [QueryResult] {
        for query in queries { try query.check() }
        if Task.isCancelled, !shielded { throw PostgresError(.cancelled) }
        let connection = try lease.map(leased)
        let number = nextNumber()
        return try await withTaskCancellationHandler {
            try await self.wait(for: number, queries, effect, connection)
        } onCancel: {
            guard !shielded else { return }
            reactor.submit { self.assumeIsolated { $0.cancel(number) } }
        }
    }

    /// A method rather than a part of the closure above: a closure that does not mention `self` itself runs anywhere, and each
    /// statement then crosses to another thread and back.
    private func wait(
        for number: UInt64, _ queries: [SQLQuery], _ effect: Segment.Effect, _ connection: PostgresConnection?
    ) async throws -> [QueryResult] {
        try await withCheckedThrowingContinuation { continuation in
            let segment = Segment(
                id: number, queries: queries, effect: effect, isLeased: connection != nil,
                opensTransaction: connection?.begin() ?? false,
                plansAnew: configuration.plansOnce && queries.contains(where: \.isPlannedAnew),
                deadline: .now + configuration.waitingTimeout,
                continuation: continuation)
            if let connection { connection.send(segment) } else { place(.segment(segment)) }
            watch()
        }
    }

    func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Closing

    /// Finishes what is under way and closes the connections; whoever waits is told `.unavailable`.
    package func close() async {
        isClosing = true
        let turnedAway = waiting
        waiting.removeAll()
        for waiter in turnedAway {
            waiter.fail(PostgresError(.unavailable, debugDetail: "the pool is closing"))
        }
        let limit = reactor.schedule(after: configuration.closeTimeout) { self.assumeIsolated { $0.closeAll() } }
        await withCheckedContinuation { continuation in
            closed.append(continuation)
            finishClosing()
        }
        reactor.cancel(limit)
    }

    /// Once nothing is under way any more, the connections go, and whoever closes is told.
    func finishClosing() {
        guard isClosing, opening == 0, connections.allSatisfy(\.isIdle) else { return }
        let idle = connections
        connections = []
        for connection in idle { connection.close(PostgresError(.unavailable, debugDetail: "the pool is closed")) }
        for continuation in closed { continuation.resume() }
        closed = []
        if let watchdog { reactor.cancel(watchdog) }
        watchdog = nil
    }

    private func closeAll() {
        logger.warning("database connections are closed with statements still under way")
        opening = 0
        for connection in connections {
            connection.close(PostgresError(.connectionLost, debugDetail: "the pool is closed"))
        }
        finishClosing()
    }
}

extension PostgresConnection {
    /// Neither in use nor promised.
    var isIdle: Bool { inFlight == 0 && lease == nil && reservation == nil }

    /// Whether this statement is the first of its transaction, so that BEGIN has to go ahead of it.
    func begin() -> Bool {
        guard let lease, !lease.hasBegun else { return false }
        self.lease?.hasBegun = true
        return true
    }
}
