import DequeModule
import Logging
import Metrics
import Reactor

/// Someone who cannot be served at once.
enum Waiter {
    case segment(Segment)
    case lease(LeaseRequest)

    var id: UInt64 {
        switch self {
        case .segment(let segment): segment.id
        case .lease(let request): request.id
        }
    }

    var deadline: ContinuousClock.Instant {
        switch self {
        case .segment(let segment): segment.deadline
        case .lease(let request): request.deadline
        }
    }

    func fail(_ error: PostgresError) {
        switch self {
        case .segment(let segment): segment.fail(error)
        case .lease(let request): request.continuation.resume(throwing: error)
        }
    }
}

/// The right to a connection for oneself.
struct Lease: Sendable {
    let id: UInt64
    let connection: Int
    var hasBegun = false
    /// Nil where the statements may take as long as they like.
    var patience: Duration?
}

/// Someone who wants a connection for themselves.
final class LeaseRequest {
    let id: UInt64
    let deadline: ContinuousClock.Instant
    let patience: Duration?
    let continuation: CheckedContinuation<Lease, any Error>

    init(
        id: UInt64, deadline: ContinuousClock.Instant, patience: Duration?,
        continuation: CheckedContinuation<Lease, any Error>
    ) {
        self.id = id
        self.deadline = deadline
        self.patience = patience
        self.continuation = continuation
    }
}

// One queue for all, served from its head. A statement needs a connection that is shared and not full; a transaction needs an
// idle one, or else reserves a shared one, which then takes nothing new until it is idle. So neither kind starves the other.
extension PostgresPool {
    func place(_ waiter: Waiter) {
        if isClosing { return waiter.fail(PostgresError(.unavailable, debugDetail: "the pool is closing")) }
        guard waiting.count < configuration.maxWaiting else {
            metrics.refused.increment()
            return waiter.fail(PostgresError(.unavailable, debugDetail: "\(waiting.count) wait already"))
        }
        waiting.append(waiter)
        serveWaiting()
    }

    func serveWaiting() {
        while !isLookingRound, let waiter = waiting.first, let connection = available(for: waiter) {
            // Taken out before it is served: a connection may turn out to be dead at that moment, hand back or fail what it
            // was given, and come here again, where nobody may be found a second time.
            _ = waiting.popFirst()
            switch waiter {
            case .segment(let segment):
                if connection.inFlight > 0, connection.gathered == 0 { growIfNeeded(wanted: 1) }
                connection.send(segment)
            case .lease(let request):
                if connection.inFlight == 0 { grant(request, connection) } else { connection.reservation = request }
            }
        }
        if !waiting.isEmpty { growIfNeeded(wanted: waiting.count) }
        metrics.waiting.record(waiting.count)
    }

    /// How many reads of one turn of the loop travel together: one message each way and one process that wakes, instead of one for
    /// each. More would wait for one another where they take long.
    private static let together = 4

    private func available(for waiter: Waiter) -> PostgresConnection? {
        switch waiter {
        case .segment(let segment): leastBusy(for: segment)
        case .lease: connectionToLease
        }
    }

    private func leastBusy(for segment: Segment) -> PostgresConnection? {
        var best: PostgresConnection?
        for connection in connections where connection.isShared && connection.inFlight < configuration.maxInFlight {
            if segment.sharesSync, connection.gathered > 0, connection.gathered < Self.together { return connection }
            if connection.inFlight < best?.inFlight ?? .max { best = connection }
        }
        return best
    }

    private var connectionToLease: PostgresConnection? {
        if let idle = connections.first(where: { $0.isShared && $0.inFlight == 0 }) { return idle }
        // Rather a new connection than one that others use, as long as there may be one.
        if connections.count + opening < configuration.poolSize, !isBackingOff { return nil }
        return connections.filter(\.isShared).min { $0.inFlight < $1.inFlight }
    }

    private func grant(_ request: LeaseRequest, _ connection: PostgresConnection) {
        let lease = Lease(id: request.id, connection: connection.number, patience: request.patience)
        connection.lease = lease
        request.continuation.resume(returning: lease)
    }

    // MARK: Answers

    func finished(_ connection: PostgresConnection, _ segments: [Segment]) {
        for segment in segments.reversed() where !settle(segment, connection) {
            segment.prepareToRepeat()
            waiting.prepend(.segment(segment))
        }
        grantReserved(connection)
        serveWaiting()
        finishClosing()
    }

    /// Not while a cancellation is on its way: it could hit the transaction's first statement.
    private func grantReserved(_ connection: PostgresConnection) {
        guard connection.isOpen, connection.inFlight == 0, connection.cancellations == 0,
            let request = connection.reservation
        else { return }
        connection.reservation = nil
        grant(request, connection)
    }

    /// Tells the caller the outcome; false where the statement was not done for no fault of its own and is to be sent again.
    private func settle(_ segment: Segment, _ connection: PostgresConnection) -> Bool {
        let mayRepeat = !segment.isLeased && segment.attempts < 3
        if segment.mustRepeat || segment.isAborted, mayRepeat, !segment.isCancelled { return false }
        guard var failure = segment.failure else {
            if segment.isAborted {
                segment.fail(PostgresError(.server, sqlState: SQLState.failedTransaction))
            } else {
                segment.succeed()
            }
            return true
        }
        if failure.sqlState == SQLState.queryCanceled {
            if segment.isCancelled {
                failure.kind = .cancelled
            } else if mayRepeat, connection.cancellations > 0 || connection.strayUntil > .now {
                return false  // hit by a cancellation that was meant for the statement before it
            }
        }
        metrics.failures.increment()
        segment.fail(failure)
        return true
    }

    func lost(_ connection: PostgresConnection, _ segments: [Segment], _ error: PostgresError) {
        connections.removeAll { $0 === connection }
        metrics.connections.record(connections.count)
        for segment in segments.reversed() {
            // A refusal that came before the connection went is an answer all the same.
            if let failure = segment.failure {
                segment.fail(failure)
            } else if segment.effect == .read, segment.attempts < 1, !segment.isCancelled, !isClosing {
                segment.prepareToRepeat()
                waiting.prepend(.segment(segment))
            } else {
                segment.fail(segment.effect == .commits ? error.as(.commitUnknown) : error)
            }
        }
        if let request = connection.reservation { waiting.prepend(.lease(request)) }
        connection.reservation = nil
        if !isClosing {
            metrics.lost.increment()
            logger.warning("database connection lost", metadata: ["reason": "\(error.debugDetail)"])
        }
        if isClosing { serveWaiting() } else { lookRound() }
        finishClosing()
    }

    /// Where a server goes, all connections go, and are noticed one after the other: what is sent again at once would be lost with the next one,
    /// and nothing is sent a third time.
    private func lookRound() {
        guard !isLookingRound else { return }
        isLookingRound = true
        reactor.schedule(after: .milliseconds(20)) {
            self.assumeIsolated {
                $0.isLookingRound = false
                $0.serveWaiting()
            }
        }
    }

    // MARK: Cancelling

    /// Takes a statement out of the queue, or asks the server to stop it.
    func cancel(_ number: UInt64) {
        if let index = waiting.firstIndex(where: { $0.id == number }) {
            return waiting.remove(at: index).fail(PostgresError(.cancelled))
        }
        for connection in connections {
            if let request = connection.reservation, request.id == number {
                connection.reservation = nil
                request.continuation.resume(throwing: PostgresError(.cancelled))
                return serveWaiting()
            }
            guard let segment = connection.segment(number) else { continue }
            segment.isCancelled = true
            cancelOnServer(segment, connection)
        }
    }

    /// A cancellation stops whatever the session runs when it arrives. It is sent only while the statement is the one that
    /// runs; one that still waits its turn is looked at again by the watchdog.
    func cancelOnServer(_ segment: Segment, _ connection: PostgresConnection) {
        guard connection.isOpen, connection.cancellations == 0, connection.isExecuting(segment),
            let handle = connection.cancelHandle()
        else { return }
        connection.cancellations += 1
        let call = CancelCall(owning: handle)
        Task {
            try? await reactor.blocking { call.send() }
            connection.cancellations -= 1
            connection.strayUntil = .now + .seconds(1)
            grantReserved(connection)
            serveWaiting()
        }
    }
}

extension PostgresConnection {
    /// Takes statements of anyone. Not while a cancellation is on its way: it could hit them.
    var isShared: Bool { isOpen && lease == nil && reservation == nil && cancellations == 0 }
}

extension PostgresError {
    func `as`(_ kind: Kind) -> PostgresError {
        var error = self
        error.kind = kind
        return error
    }
}
