import FoundationEssentials
import Logging
import Metrics
import Reactor
import Tracing
import WireProtocol
import ZeroMQ

// What becomes of a message: admitted or refused, handled, answered.

extension RequestServer {
    /// A request that may be handled.
    struct Admitted {
        var request: RequestEnvelope
        var peer: PeerRole
        /// The frames that lead the answer back: the connection, what the client put before, the empty delimiter.
        var path: [[UInt8]]
        var route: RequestRouter.Route

        var deliveryKey: DeliveryKey { DeliveryKey(id: request.id, path: path) }
        /// The connection it came by, under libzmq's name for it.
        var connection: [UInt8] { path[0] }
        var size: Int { request.parameters.count + request.body.count + path.reduce(0) { $0 + $1.count } }
    }

    /// A request that is being handled.
    struct Work {
        var request: RequestEnvelope
        var peer: PeerRole
        var paths: [[[UInt8]]]
        var started: ContinuousClock.Instant
        var timer: TimerID?
        var task: Task<Void, Never>?

        /// Whether it is the same request, which may have another deadline when it is sent again.
        func isFor(_ other: RequestEnvelope) -> Bool {
            var other = other
            (other.deadline, other.trace) = (request.deadline, request.trace)
            return other == request
        }
    }

    struct Sender: Hashable {
        var peer: PeerRole
        var id: UUID
    }

    /// One request of one connection, under the name that the client gave it: what comes twice under it is a repetition.
    struct DeliveryKey: Hashable {
        var id: UUID
        var path: [[UInt8]]
    }

    /// How many frames may stand before the delimiter: the connection, and one for each hop.
    private static let longestPath = 8

    func received(_ message: ZMQMessage) {
        guard let delimiter = message.frames.dropFirst().firstIndex(of: []), delimiter <= Self.longestPath else {
            return complain(of: message.peer, "a message without a delimiter was dropped")
        }
        let path = Array(message.frames[...delimiter])
        do {
            let request = try RequestEnvelope(frames: Array(message.frames[(delimiter + 1)...]))
            try admit(request, from: message.peer, path)
        } catch let error as EnvelopeError {
            complain(of: message.peer, "\(error.reason)")
            guard let id = error.requestID else { return }
            reply(
                .failure(ServiceError(.malformed, "The message is not a request of this version.")), to: id,
                along: [path])
        } catch { complain(of: message.peer, "\(error)") }
    }

    private func admit(_ request: RequestEnvelope, from name: String?, _ path: [[UInt8]]) throws {
        guard let route = router.routes[request.method] else {
            complain(of: name, "an unknown method was asked for")
            return reply(
                .failure(ServiceError(.unknownMethod, "There is no such method.")), to: request.id, along: [path])
        }
        guard let peer = name.flatMap(PeerRole.init), route.peers.contains(peer) else {
            complain(of: name, "\(request.method) is not for this peer")
            metrics.ended(request.method, ErrorCode.forbidden.rawValue)
            return reply(
                .failure(ServiceError(.forbidden, "This peer may not ask for that.")), to: request.id, along: [path])
        }
        guard request.deadline > Date() else { return metrics.ended(request.method, "expired") }
        if request.method == ping {
            // Not behind the others: it asks whether the reactor turns.
            return reply(.success(RawReply(bytes: [])), to: request.id, along: [path])
        }
        var request = request
        request.deadline = min(request.deadline, Date(timeIntervalSinceNow: limits.longest.timeInterval))
        let admitted = Admitted(request: request, peer: peer, path: path, route: route)
        if joins(admitted) { return }
        if running.count < limits.inFlight { return start(admitted) }
        guard queued.insert(admitted.deliveryKey).inserted else { return metrics.retries.increment() }
        waiting.append(admitted, of: admitted.connection, size: admitted.size)
        if isFull { holdBack() }
    }

    /// Leaves what comes next to libzmq's queues and then to the peers, and says who brought most of what is here.
    private func holdBack() {
        socket?.isPaused = true
        if let peer = waiting.nextOfBusiest?.peer {
            warn(of: peer.rawValue, "more is asked than can be handled: it waits")
        }
    }

    private var isFull: Bool { waiting.count >= limits.waiting || waiting.size >= limits.waitingBytes }

    /// The same request is being handled already: its answer goes to both. The same id with another content is another request.
    private func joins(_ admitted: Admitted) -> Bool {
        let sender = Sender(peer: admitted.peer, id: admitted.request.id)
        let serials = bySender[sender] ?? []
        guard let serial = serials.first(where: { running[$0]?.isFor(admitted.request) == true }),
            var work = running[serial]
        else { return false }
        if !work.paths.contains(admitted.path) { work.paths.append(admitted.path) }
        if admitted.request.deadline > work.request.deadline {
            if let timer = work.timer { reactor.cancel(timer) }
            work.request.deadline = admitted.request.deadline
            work.timer = scheduleCancellation(of: serial, at: work.request.deadline)
        }
        running[serial] = work
        metrics.retries.increment()
        return true
    }

    // MARK: Handling

    private func start(_ admitted: Admitted) {
        let (request, route) = (admitted.request, admitted.route)
        lastSerial += 1
        let serial = lastSerial
        var work = Work(request: request, peer: admitted.peer, paths: [admitted.path], started: .now)
        work.timer = scheduleCancellation(of: serial, at: request.deadline)
        let context = RequestContext(request, from: admitted.peer)
        // Preferred, because whoever waits for an answer is resumed on the task's executor first, whatever actor comes next: without it
        // each statement crosses to a thread of the global pool and back.
        work.task = Task(executorPreference: reactor) {
            await self.finish(serial, await self.handle(request, context, by: route))
        }
        running[serial] = work
        reactor.begins()
        bySender[Sender(peer: admitted.peer, id: request.id), default: []].insert(serial)
        metrics.inFlight.set(running.count)
    }

    private func scheduleCancellation(of serial: UInt64, at deadline: Date) -> TimerID {
        reactor.schedule(after: .seconds(deadline.timeIntervalSinceNow)) { [weak self] in
            self?.assumeIsolated { $0.running[serial]?.task?.cancel() }
        }
    }

    enum Outcome: Sendable {
        case success(RawReply)
        case failure(ServiceError)
        /// Cancelled: the last of those who asked has given up, or we are being torn down.
        case none
    }

    private func handle(
        _ request: RequestEnvelope, _ context: RequestContext, by route: RequestRouter.Route
    ) async -> Outcome {
        // Not `withSpan`: its closures leave the actor on their way to ours.
        let span = startSpan(request.method, context: Trace.context(of: request.trace), ofKind: .server)
        defer { span.end() }
        do {
            return .success(
                try await ServiceContext.withValue(span.context) { try await self.answer(request, context, route) })
        } catch let error as any Refusal {
            span.recordError(error)
            return .failure(error.serviceError)
        } catch {
            if Task.isCancelled { return .none }
            span.recordError(error)
            logger.error(
                "a request failed",
                metadata: [
                    "method": "\(request.method)", "request": "\(request.id)", "trace": "\(request.trace)",
                    "error": "\(error)",
                ])
            return .failure(.internalFailure)
        }
    }

    /// A method rather than a part of the closure above: a closure that does not mention `self` runs anywhere.
    private func answer(
        _ request: RequestEnvelope, _ context: RequestContext, _ route: RequestRouter.Route
    ) async throws -> RawReply { try await route.handle(request, context) }

    private func finish(_ serial: UInt64, _ outcome: Outcome) {
        guard let work = running.removeValue(forKey: serial) else { return }
        reactor.ends()
        let sender = Sender(peer: work.peer, id: work.request.id)
        bySender[sender]?.remove(serial)
        if bySender[sender]?.isEmpty == true { bySender[sender] = nil }
        if let timer = work.timer { reactor.cancel(timer) }
        metrics.inFlight.set(running.count)
        metrics.ended(work.request.method, outcome.label, after: .now - work.started)
        reply(outcome, to: work.request.id, along: work.paths)
        startWaiting()
        if isDraining, running.isEmpty {
            drained?.resume()
            drained = nil
        }
    }

    private func startWaiting() {
        while running.count < limits.inFlight, let next = waiting.popFirst() {
            queued.remove(next.deliveryKey)
            if next.request.deadline <= Date() {
                metrics.ended(next.request.method, "expired")
            } else if !joins(next) {
                start(next)
            }
        }
        if !isDraining, !isFull { socket?.isPaused = false }
    }

    // MARK: Answering

    private func reply(_ outcome: Outcome, to id: UUID, along paths: [[[UInt8]]]) {
        guard let envelope = outcome.envelope(for: id), var frames = try? envelope.frames() else { return }
        if frames.contains(where: { $0.count > BusLimits.frameSize }) {
            let tooLarge = Outcome.failure(ServiceError(.replyTooLarge, "The answer is too large for one message."))
            guard let small = try? tooLarge.envelope(for: id)?.frames() else { return }
            frames = small
        }
        for path in paths where socket?.send(path + frames) != .sent {
            // The peer is gone or does not read. It will ask again, or not.
            metrics.dropped.increment()
        }
    }

    private func complain(of peer: String?, _ message: String) {
        metrics.dropped.increment()
        warn(of: peer ?? "unknown", message)
    }

    private func warn(of peer: String, _ message: String) {
        if complaints.allows(peer) { logger.warning("\(message)", metadata: ["peer": "\(peer)"]) }
    }
}

extension RequestServer.Outcome {
    fileprivate func envelope(for id: UUID) -> ReplyEnvelope? {
        switch self {
        case .success(let reply): ReplyEnvelope(id: id, outcome: .success(reply.bytes), tag: reply.tag)
        case .failure(let error): ReplyEnvelope(id: id, outcome: .failure(error))
        case .none: nil
        }
    }

    fileprivate var label: String {
        switch self {
        case .success: "ok"
        case .failure(let error): error.code.rawValue
        case .none: "cancelled"
        }
    }
}
