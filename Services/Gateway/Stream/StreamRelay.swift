package import FoundationEssentials
package import Logging
import NIOCore
import ServiceLifecycle
import Synchronization
package import WireProtocol

/// Hands the events of all publishers to everybody who listens on `/v1/stream`, and remembers the latest of them.
///
/// Any task may call it: its state is behind one lock that is never held while something is awaited.
package final class StreamRelay: Sendable {
    package struct Limits: Sendable {
        package var perPerson = 12
        package var perAddress = 256
        /// Events that wait for a reader before it is cut.
        package var backlog = 512

        package init(perPerson: Int = 12, perAddress: Int = 256, backlog: Int = 512) {
            self.perPerson = perPerson
            self.perAddress = perAddress
            self.backlog = backlog
        }
    }

    private struct State {
        var logs: [String: StreamLog] = [:]
        var listeners = StreamListeners()
        var stopping = false

        var positions: StreamPositions { StreamPositions(logs.mapValues(\.place)) }
    }

    private let state = Mutex(State())
    private let limits: Limits
    private let logger: Logger
    /// How many events of a publisher are remembered at least.
    package let logCapacity: Int
    package let ids: StreamIDs
    /// From whom those are apart who listen.
    package let blocks = StreamBlocks()

    package init(ids: StreamIDs, limits: Limits = Limits(), logCapacity: Int = 2048, logger: Logger) {
        self.ids = ids
        self.limits = limits
        self.logCapacity = logCapacity
        self.logger = logger
    }

    package var listenerCount: Int { state.withLock { $0.listeners.count } }

    // MARK: What comes from the bus

    package func offset(of publisher: String) -> (epoch: UUID, position: Int64)? {
        state.withLock { $0.logs[publisher].map { ($0.epoch, $0.head) } }
    }

    /// Takes events that follow one another, and gives them to whom they are for.
    package func relay(_ events: [EventEnvelope]) {
        state.withLock { state in
            for event in events {
                guard var log = state.logs[event.publisher], log.epoch == event.epoch, log.head + 1 == event.position
                else { continue }
                let item = StreamItem(
                    publisher: event.publisher, position: event.position, header: event.header, payload: event.payload)
                state.logs[event.publisher] = nil  // so that appending does not copy what is kept
                log.append(item)
                state.logs[event.publisher] = log
                let after = StreamMark(state.positions, ids)
                for (key, listener) in state.listeners.hearing(item.header.audience)
                where listener.audience.admits(item.header) {
                    send(.event(item, after: after), to: listener, key, &state)
                }
            }
        }
    }

    /// Forgets the words of a message that moderators have hidden.
    package func redact(_ hidden: MessageHidden) {
        state.withLock { state in
            guard var log = state.logs[PeerRole.chat.rawValue] else { return }
            state.logs[PeerRole.chat.rawValue] = nil  // so that it is not copied
            log.redact(hidden)
            state.logs[PeerRole.chat.rawValue] = log
        }
    }

    /// Starts anew with a publisher: at first contact, or because what was missed is gone.
    /// - Parameter latest: its last events up to `head`, for those who come back; none where they could not be had.
    package func restart(_ publisher: String, epoch: UUID, head: Int64, latest: [StreamItem] = []) {
        var log = StreamLog(epoch: epoch, head: head - Int64(latest.count), capacity: logCapacity)
        for item in latest { log.append(item) }
        state.withLock { [log] state in
            let known = state.logs.updateValue(log, forKey: publisher)
            for (key, listener) in state.listeners.all {
                if known != nil || listener.isLost {
                    send(.resync(publisher, state.positions), to: listener, key, &state)
                } else if listener.resumed.contains(publisher) {
                    // It came back before we knew this publisher, so what it missed could not be looked up.
                    finish(listener, key, .restart, &state)
                }
            }
        }
    }

    private func send(_ signal: StreamSignal, to listener: StreamListener, _ key: Int, _ state: inout State) {
        guard case .dropped = listener.signals.yield(signal) else { return }
        logger.notice("a stream's reader is too slow and is cut")
        state.listeners.remove(key)
        listener.signals.finish()
        listener.cut()
    }

    /// Where somebody stands who knows all that happened until now, as a stream's `id:` says it; empty before anything is known
    /// of any publisher. For pages: what they show is at least as new, if they take it before they ask.
    package var position: String { StreamMark(state.withLock(\.positions), ids).id }

    // MARK: Listeners

    /// Lets someone listen from now on.
    /// - Returns: what they missed by publisher, and what will come.
    package func open(_ request: StreamRequest) throws(ServiceError) -> StreamOpening {
        let (stream, continuation) = AsyncStream.makeStream(
            of: StreamSignal.self, bufferingPolicy: .bufferingOldest(limits.backlog))
        return try state.withLock { state throws(ServiceError) in
            try admit(request, state)
            let resumed = request.last.map { Set($0.places.keys) } ?? []
            let key = state.listeners.add(
                StreamListener(
                    audience: request.audience, session: request.session, expiry: request.expiry,
                    address: request.address, resumed: resumed, isLost: request.isLost, signals: continuation,
                    cut: request.cut))
            return StreamOpening(
                ticket: StreamTicket { [weak self] in self?.close(key) }, missed: missed(request.last, state),
                mark: StreamMark(state.positions, ids), signals: stream)
        }
    }

    private func missed(_ last: StreamPositions?, _ state: State) -> [String: StreamLog.Resume] {
        var missed: [String: StreamLog.Resume] = [:]
        for (publisher, place) in last?.places ?? [:] {
            if let log = state.logs[publisher] { missed[publisher] = log.resume(from: place) }
        }
        return missed
    }

    private func admit(_ request: StreamRequest, _ state: State) throws(ServiceError) {
        guard !state.stopping else { throw ServiceError(.unavailable, "The server is stopping.", retryAfter: 2) }
        guard request.audience.apart?.isOutdated != true else {
            throw ServiceError(.unavailable, "Who may hear what is not known yet.", retryAfter: 1)
        }
        let ofPerson = request.audience.person.map { state.listeners.count(of: $0) } ?? 0
        guard state.listeners.count(at: request.address) < limits.perAddress, ofPerson < limits.perPerson else {
            throw ServiceError(.tooManyRequests, "Too many streams are open at once.", retryAfter: 30)
        }
    }

    private func close(_ key: Int) {
        state.withLock { $0.listeners.remove(key) }?.signals.finish()
    }

    /// The epoch that a publisher is in now, for fetching what is older than what is kept.
    package func epoch(of publisher: String) -> UUID? { state.withLock { $0.logs[publisher]?.epoch } }

    private func finish(_ listener: StreamListener, _ key: Int, _ reason: StreamEnd, _ state: inout State) {
        state.listeners.remove(key)
        listener.signals.yield(.end(reason))
        listener.signals.finish()
    }

    /// Ends the streams of sessions that were ended.
    package func end(sessions: Set<SessionID>) {
        state.withLock { state in
            for (key, listener) in state.listeners.all where listener.session.map({ sessions.contains($0) }) ?? false {
                finish(listener, key, .revoked, &state)
            }
        }
    }

    /// Ends the streams of those who are signed in, because events were missed that may have said from whom they are apart. When they come
    /// back it is asked for.
    package func renewBlocks() {
        blocks.outdate()
        state.withLock { state in
            for (key, listener) in state.listeners.all where listener.audience.apart?.isOutdated == true {
                finish(listener, key, .restart, &state)
            }
        }
    }

    /// Ends the streams whose access token has run out.
    package func expire(at now: Int) {
        state.withLock { state in
            for (key, listener) in state.listeners.all where listener.expiry.map({ $0 <= now }) ?? false {
                finish(listener, key, .expired, &state)
            }
        }
    }

    package func beat() {
        state.withLock { state in
            let mark = StreamMark(state.positions, ids)
            for (key, listener) in state.listeners.all { send(.beat(mark), to: listener, key, &state) }
        }
    }

    /// Says good-bye to everybody, and lets nobody in any more.
    package func stop() {
        state.withLock { state in
            state.stopping = true
            for (key, listener) in state.listeners.all { finish(listener, key, .stopping, &state) }
        }
    }
}

extension StreamRelay: Service {
    /// Heartbeats and expiry, until the process stops; then good-bye.
    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var second = 0
            while true {
                try await Task.sleep(for: .seconds(1))
                second += 1
                self.expire(at: Int(Date().timeIntervalSince1970))
                if second % 15 == 0 { self.beat() }
            }
        }
        stop()
    }
}
