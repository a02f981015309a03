import CPostgres
import DequeModule
import Logging
import Metrics
import Reactor

// How connections come to be, and how those that no longer answer are found.
extension PostgresPool {
    /// Opens another connection where one is wanted and allowed; one failure stops further attempts for a while.
    func growIfNeeded(wanted: Int) {
        guard !isClosing, !isBackingOff, opening < min(wanted, 4),
            connections.count + opening < configuration.poolSize
        else { return }
        opening += 1
        guard let url, url.needsResolution else { return connect(to: []) }
        Task {
            do {
                let addresses = try await reactor.blocking { try NameLookup.addresses(of: url.hosts) }
                connect(to: addresses)
            } catch {
                established(.failure(error as? PostgresError ?? PostgresError(.unavailable)))
            }
        }
    }

    private func connect(to addresses: [(host: String, address: String, port: String)]) {
        guard let url else { return established(.failure(PostgresError(.misuse, debugDetail: "no database URL"))) }
        let connector = PostgresConnector(
            keywords: configuration.keywords(url, addresses: addresses),
            timeout: configuration.connectTimeout * max(1, addresses.count), reactor: reactor
        ) { result in self.established(result) }
        if connector == nil { established(.failure(PostgresError(.unavailable, debugDetail: "out of memory"))) }
    }

    private func established(_ result: Result<OpaquePointer, PostgresError>) {
        opening = max(0, opening - 1)
        switch result {
        case .success(let pointer):
            backoff.reset()
            lastFailure = nil
            adopt(pointer)
        case .failure(let error): retryLater(error)
        }
        finishClosing()
    }

    private func adopt(_ pointer: OpaquePointer) {
        let connection = PostgresConnection(
            number: Int(nextNumber()), owning: pointer, reactor: reactor,
            preparedStatements: configuration.preparedStatements,
            finished: { connection, segments in self.finished(connection, segments) },
            lost: { connection, segments, error in self.lost(connection, segments, error) })
        connection.start()
        connections.append(connection)
        metrics.connections.record(connections.count)
        serveWaiting()
    }

    private func retryLater(_ error: PostgresError) {
        lastFailure = error
        metrics.connectFailures.increment()
        logger.warning("no database connection", metadata: ["reason": "\(error.debugDetail)"])
        guard !isBackingOff else { return }
        isBackingOff = true
        reactor.schedule(after: backoff.next()) {
            self.assumeIsolated {
                $0.isBackingOff = false
                if !$0.waiting.isEmpty { $0.serveWaiting() }
            }
        }
    }

    // MARK: What takes too long

    /// While anything is under way, looks after it ten times a second.
    func watch() {
        guard watchdog == nil else { return }
        watchdog = reactor.schedule(after: .milliseconds(100)) { self.assumeIsolated { $0.lookAfter() } }
    }

    private func lookAfter() {
        watchdog = nil
        let now = ContinuousClock.now
        let late = waiting.filter { $0.deadline < now }
        if !late.isEmpty { waiting.removeAll { $0.deadline < now } }
        for waiter in late { waiter.fail(notServed()) }
        for connection in connections {
            if let request = connection.reservation, request.deadline < now {
                connection.reservation = nil
                request.continuation.resume(throwing: notServed())
            }
            for segment in connection.cancelled { cancelOnServer(segment, connection) }
            if let limit = patience(with: connection), connection.inFlight > 0, connection.lastProgress + limit < now {
                connection.close(PostgresError(.connectionLost, debugDetail: "the server does not answer"))
            }
        }
        serveWaiting()
        if !waiting.isEmpty || connections.contains(where: { $0.inFlight > 0 || $0.reservation != nil }) { watch() }
    }

    private func notServed() -> PostgresError {
        metrics.refused.increment()
        let reason = lastFailure.map { "no connection in time: \($0.debugDetail)" } ?? "all connections are busy"
        return PostgresError(.unavailable, debugDetail: reason)
    }

    /// How long the server may be silent with work before it. It ends statements by itself, unless it hangs or is cut off.
    private func patience(with connection: PostgresConnection) -> Duration? {
        if let lease = connection.lease { return lease.patience }
        return configuration.patience
    }
}

extension PostgresConfiguration {
    /// Nil where statements may take as long as they like.
    var patience: Duration? { statementTimeout > .zero ? statementTimeout + .seconds(5) : nil }
}

/// One call of `PQcancel`, which blocks. `@unchecked Sendable`: used by the one thread that `send` runs on.
final class CancelCall: @unchecked Sendable {
    private let handle: OpaquePointer
    init(owning handle: OpaquePointer) { self.handle = handle }
    deinit { PQfreeCancel(handle) }

    func send() {
        var message = [CChar](repeating: 0, count: 256)
        // It makes a connection of its own; where that fails the statement timeout ends the statement.
        _ = PQcancel(handle, &message, Int32(message.count))
    }
}

/// What Prometheus is told of a pool.
struct PoolMetrics: Sendable {
    let connections: Gauge
    let waiting: Gauge
    let refused: Counter
    let failures: Counter
    let lost: Counter
    let connectFailures: Counter

    init(schema: String) {
        let labels = [("schema", schema)]
        connections = Gauge(label: "kampong_postgres_connections", dimensions: labels)
        waiting = Gauge(label: "kampong_postgres_waiting", dimensions: labels)
        refused = Counter(label: "kampong_postgres_refused", dimensions: labels)
        failures = Counter(label: "kampong_postgres_statement_failures", dimensions: labels)
        lost = Counter(label: "kampong_postgres_connections_lost", dimensions: labels)
        connectFailures = Counter(label: "kampong_postgres_connect_failures", dimensions: labels)
    }
}
