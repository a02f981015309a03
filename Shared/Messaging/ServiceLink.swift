import FoundationEssentials
import Metrics
import Reactor
import WireProtocol
import ZeroMQ

/// The requests of one client to one service that have no answer yet (the Lazy Pirate pattern).
///
/// Belongs to the client actor, and so to its reactor's thread.
final class ServiceLink {
    /// After how long an unanswered request is sent again: doubling from the first to the longest.
    static let retryDelay = (first: Duration.milliseconds(500), longest: Duration.seconds(4))
    /// After how long a silence the socket is replaced.
    static let silence = Duration.seconds(2)
    /// Requests without an answer; more are refused.
    static let maxPending = 4096

    private struct Pending {
        let request: RequestEnvelope
        let frames: [[UInt8]]
        let kind: MethodKind
        let started: ContinuousClock.Instant
        let deadline: ContinuousClock.Instant
        let continuation: CheckedContinuation<RawReply, any Error>
        /// How many times it was handed to libzmq. While 0, it was surely not sent.
        var attempts = 0
        /// Whether it stands in `unsent`.
        var isWaiting = false
        var timer: TimerID?
    }

    private let service: String
    private let connection: PeerConnection
    private let reactor: Reactor
    private var pending: [UInt64: Pending] = [:]
    /// Those that could not be sent, in order; some may be done with.
    private var unsent: [UInt64] = []
    private var last: UInt64 = 0
    private var isOpen = false
    private var metrics: RequestMetrics
    /// Since when something is asked and nothing at all is heard; requests that are given up do not end it.
    private var quietSince: ContinuousClock.Instant?

    init(service: String, connection: PeerConnection, reactor: Reactor) {
        self.service = service
        self.connection = connection
        self.reactor = reactor
        metrics = RequestMetrics(side: "client", service: service)
    }

    /// Connects, once. `enter` calls back into the actor, if it still is.
    func open(_ enter: @escaping @Sendable (_ action: @Sendable ([String: ServiceLink]) -> Void) -> Void) {
        guard !isOpen else { return }
        isOpen = true
        let service = service
        connection.onMessage = { message in enter { $0[service]?.received(message.frames) } }
        connection.onWritable = { enter { $0[service]?.sendUnsent() } }
        connection.open()
    }

    func close() {
        connection.close()
        for number in Array(pending.keys) { fail(number) }
    }

    /// The client's own name for a request, by which it knows the answer: ids are other people's, and may meet.
    func nextNumber() -> UInt64 {
        last += 1
        return last
    }

    // MARK: Asking

    func ask(
        _ number: UInt64, _ request: RequestEnvelope, _ frames: [[UInt8]], _ kind: MethodKind, within left: Duration,
        _ continuation: CheckedContinuation<RawReply, any Error>
    ) {
        guard left > .zero, pending.count < Self.maxPending else {
            metrics.ended(request.method, ErrorCode.unavailable.rawValue)
            return continuation.resume(throwing: ServiceError.unavailable(service))
        }
        let now = ContinuousClock.now
        pending[number] = Pending(
            request: request, frames: [Frame.integer(Int64(number)), []] + frames, kind: kind, started: now,
            deadline: now + left, continuation: continuation)
        reactor.begins()
        metrics.inFlight.set(pending.count)
        if quietSince == nil { quietSince = now }
        send(number)
    }

    private func send(_ number: UInt64) {
        guard var entry = pending[number] else { return }
        if connection.send(entry.frames) == .sent {
            if entry.attempts > 0 { metrics.retries.increment() }
            entry.attempts += 1
            entry.isWaiting = false
        } else if !entry.isWaiting {
            entry.isWaiting = true
            unsent.append(number)
        }
        let delay = Backoff.step(
            entry.attempts - 1, first: Self.retryDelay.first, limit: Self.retryDelay.longest)
        if let timer = entry.timer { reactor.cancel(timer) }
        let wait = min(delay, max(.zero, entry.deadline - .now))
        entry.timer = reactor.schedule(after: wait) { [weak self] in self?.retryOrFail(number) }
        pending[number] = entry
    }

    /// libzmq takes messages again: somebody is connected.
    private func sendUnsent() {
        let numbers = unsent
        unsent = []
        for number in numbers where pending[number]?.isWaiting == true {
            pending[number]?.isWaiting = false
            send(number)
        }
    }

    private func retryOrFail(_ number: UInt64) {
        guard let entry = pending[number] else { return }
        if let quietSince, .now - quietSince > Self.silence { startAnew() }
        guard entry.deadline > .now else { return fail(number) }
        send(number)
        // A slow service answers this at once; a dead line does not. After the request, which so goes to the next replica:
        // with two of them, a probe in between would lead each repetition back to the silent one.
        if entry.attempts > 0 { probe() }
    }

    private func probe() {
        let ping = CommonMethods(service: service).ping
        let request = RequestEnvelope(
            id: .version7(), method: ping.name, deadline: Date(timeIntervalSinceNow: 2), caller: .anonymous)
        guard let frames = try? request.frames() else { return }
        _ = connection.send([Frame.integer(0), []] + frames)
    }

    /// Nothing was heard for long, neither answers nor probes: with a new socket, and all that waits sent over it.
    private func startAnew() {
        quietSince = .now
        connection.reopen()
        unsent = pending.keys.sorted()
        for number in unsent { pending[number]?.isWaiting = true }
    }

    // MARK: Ends

    func received(_ frames: [[UInt8]]) {
        // At the end, when the request that this answers has left.
        defer { quietSince = pending.isEmpty ? nil : .now }
        guard frames.count > 2, frames[1].isEmpty, let number = Frame.integer(frames[0]).map(UInt64.init(bitPattern:))
        else { return metrics.dropped.increment() }
        guard number != 0 else { return }
        // Not known: given up, or answered before by another replica.
        guard let entry = pending[number] else { return metrics.late.increment() }
        guard let reply = try? ReplyEnvelope(frames: Array(frames[2...])), reply.id == entry.request.id else {
            metrics.dropped.increment()
            return finish(number, "unreadable") {
                $0.resume(throwing: ServiceError(.internalError, "The answer of \(service) cannot be read."))
            }
        }
        switch reply.outcome {
        case .success(let bytes):
            finish(number, "ok") { $0.resume(returning: RawReply(bytes: bytes, tag: reply.tag)) }
        case .failure(let error) where error.code == .unavailable && entry.attempts > 1 && entry.kind == .command:
            // Not done by this one; but it was sent before, to another replica or to a process that has died since, which may have done
            // it. Whoever is asked next knows, or the deadline comes.
            metrics.retries.increment()
        case .failure(let error):
            finish(number, error.code.rawValue) { $0.resume(throwing: error) }
        }
    }

    func cancel(_ number: UInt64) {
        finish(number, "cancelled") { $0.resume(throwing: CancellationError()) }
    }

    /// Gives up, and says honestly what is known.
    private func fail(_ number: UInt64) {
        guard let entry = pending[number] else { return }
        let mayBeDone = entry.attempts > 0 && entry.kind == .command
        let error: ServiceError = mayBeDone ? .noAnswer : .unavailable(service)
        finish(number, error.code.rawValue) { $0.resume(throwing: error) }
    }

    private func finish(
        _ number: UInt64, _ outcome: String, _ resume: (CheckedContinuation<RawReply, any Error>) -> Void
    ) {
        guard let entry = pending.removeValue(forKey: number) else { return }
        reactor.ends()
        if let timer = entry.timer { reactor.cancel(timer) }
        if pending.isEmpty { unsent = [] }
        metrics.inFlight.set(pending.count)
        metrics.ended(entry.request.method, outcome, after: .now - entry.started)
        resume(entry.continuation)
    }
}
