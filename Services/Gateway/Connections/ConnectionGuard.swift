import NIOCore
import NIOHTTP1
import WireProtocol

/// Keeps one connection to the rules and to its times, between the HTTP decoder and everything that reads requests.
///
/// What cannot be read as HTTP is answered here; so is whoever comes when there is no place. A body that is too slow or broken is told
/// to whoever reads it, as a `ServiceError`, so that the answer is made where all answers are made.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// A request whose answer is not complete.
    private struct Asked {
        var keepsAlive: Bool
        var isOld: Bool
    }

    private let limits: ConnectionLimits
    private let owner: [UInt8]?
    private let times: ConnectionTimes
    private var pace: ConnectionPace
    private var number: Int?
    private var timer: Scheduled<Void>?

    private var unanswered = CircularBuffer<Asked>(initialCapacity: 2)
    /// Whether the body of the latest request is still coming.
    private var isReading = false
    /// No further request is taken.
    private var isLast = false
    private var closesAfterAnswer = false
    /// What is wrong with what came after the requests that are being answered.
    private var trouble: ConnectionRefusal?
    /// The other side sends nothing any more.
    private var isHungUp = false
    /// What is being answered has no end.
    private var isEndless = false

    init(limits: ConnectionLimits, owner: [UInt8]?, times: ConnectionTimes) {
        self.limits = limits
        self.owner = owner
        self.times = times
        pace = ConnectionPace(times, at: .now())
    }

    // MARK: Coming and going

    func handlerAdded(context: ChannelHandlerContext) { if context.channel.isActive { enter(context) } }

    func channelActive(context: ChannelHandlerContext) {
        enter(context)
        context.fireChannelActive()
    }

    private func enter(_ context: ChannelHandlerContext) {
        guard number == nil, pace.phase == .opened else { return }
        let bound = NIOLoopBound(Evictable(handler: self, context: context), eventLoop: context.eventLoop)
        let loop = context.eventLoop
        number = limits.enter(owner) {
            loop.execute { bound.value.handler.giveWay(bound.value.context) }
        }
        guard number != nil else { return refuse(.full, context) }
        watch(context)
    }

    private struct Evictable {
        let handler: ConnectionGuard
        let context: ChannelHandlerContext
    }

    /// Another needs the place. Who has begun something meanwhile may finish it.
    private func giveWay(_ context: ChannelHandlerContext) {
        number = nil
        if pace.isSpare { context.close(promise: nil) } else { isLast = true }
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        if isReading { breakOff(Self.cutOff, context) }
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    private func leave() {
        timer?.cancel()
        timer = nil
        if let number { limits.leave(number) }
        number = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed = event as? ChannelEvent {
            isHungUp = true
            if isEndless { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is EndlessAnswer else { return context.triggerUserOutboundEvent(event, promise: promise) }
        isEndless = true
        if isHungUp { context.close(promise: nil) }
        promise?.succeed()
    }

    // MARK: Requests

    /// Told by `ByteWatch`, before the bytes are decoded.
    func heard() { pace.heard(at: .now()) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard !isLast else { return }
            if let wrong = ConnectionRefusal(head) { return fail(wrong, context) }
            begin(head, context)
            context.fireChannelRead(data)
        case .body(let bytes):
            if pace.phase == .lingering || pace.phase == .body { pace.took(bytes.readableBytes) }
            if pace.isFlooded { return context.close(promise: nil) }
            if isReading { context.fireChannelRead(data) }
        case .end:
            guard isReading else { return }
            isReading = false
            if pace.phase == .body { pace.enter(.answering, at: .now()) }
            context.fireChannelRead(data)
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        isReading = true
        let upgrades = head.headers.contains(name: "Upgrade") || head.method == .CONNECT
        let isOld = head.version.minor == 0
        // Nobody here speaks another protocol, and the decoder stops at an offer to change to one.
        let keepsAlive = head.isKeepAlive && !upgrades && !isOld
        unanswered.append(Asked(keepsAlive: keepsAlive, isOld: isOld))
        isLast = isLast || !keepsAlive
        guard unanswered.count == 1 else { return }
        pace.enter(.body, at: .now())
        if let number { limits.busy(number) }
        // Whoever announces more than is ever taken hears that instead.
        let announced = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
        if head.headers.contains(name: "Expect"), !isOld, announced <= BodyLimits.photosForm {
            let go = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(go)), promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case is HTTPParserError where isReading:
            breakOff(error as? HTTPParserError == .invalidEOFState ? Self.cutOff : Self.unreadable, context)
        case let error as HTTPParserError: fail(ConnectionRefusal(error), context)
        case is ByteToMessageDecoderError: break  // bytes after what could not be read
        default: context.fireErrorCaught(error)
        }
    }

    /// The body will not be complete: says so to whoever reads it.
    private func breakOff(_ error: ServiceError, _ context: ChannelHandlerContext) {
        isReading = false
        isLast = true
        if let last = unanswered.indices.last { unanswered[last].keepsAlive = false }
        if pace.phase == .body { pace.enter(.answering, at: .now()) }
        context.fireErrorCaught(error)
    }

    private static let cutOff = ServiceError(.malformed, "The body ended before it was complete.")
    private static let unreadable = ServiceError(.malformed, "The body's transfer encoding cannot be read.")
    private static let tooSlow = ServiceError(.tooSlow, "The body took too long to arrive.")

    /// Refuses what came now, after whatever is still being answered.
    private func fail(_ refusal: ConnectionRefusal, _ context: ChannelHandlerContext) {
        guard !isLast else { return }
        isLast = true
        if unanswered.isEmpty { refuse(refusal, context) } else { trouble = refusal }
    }

    /// Answers by itself, and ends the connection.
    private func refuse(_ refusal: ConnectionRefusal, _ context: ChannelHandlerContext) {
        isLast = true
        let (head, body) = refusal.response
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        linger(context)
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard pace.phase != .lingering, !unanswered.isEmpty else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.status.code < 200: context.write(data, promise: promise)
        case .head(let head): context.write(wrapOutboundOut(.head(opening(head))), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            context.write(data, promise: promise)
            unanswered.removeFirst()
            // What had no end was broken off, and the client comes back by another connection.
            if isEndless { closesAfterAnswer = true }
            isEndless = false
            answered(context)
        }
    }

    /// The head of an answer as this connection needs it.
    private func opening(_ given: HTTPResponseHead) -> HTTPResponseHead {
        var head = given
        let asked = unanswered[unanswered.startIndex]
        // Who is refused before all was read would have to send the rest for nothing.
        let isNewest = unanswered.count == 1
        closesAfterAnswer = !asked.keepsAlive || isNewest && (isReading || isLast && trouble == nil)
        if closesAfterAnswer { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        if asked.isOld { head.version = .http1_0 }
        return head
    }

    private func answered(_ context: ChannelHandlerContext) {
        let now = NIODeadline.now()
        if closesAfterAnswer {
            context.flush()
            linger(context)
        } else if unanswered.isEmpty {
            if let trouble { return refuse(trouble, context) }
            pace.enter(.idle, at: now)
            if let number { limits.idle(number) }
            watch(context)
        } else {
            pace.enter(isReading && unanswered.count == 1 ? .body : .answering, at: now)
            watch(context)
        }
    }

    /// Nothing more is said; what still comes is thrown away for a while.
    private func linger(_ context: ChannelHandlerContext) {
        isReading = false
        isLast = true
        pace.enter(.lingering, at: .now())
        context.close(mode: .output, promise: nil)
        watch(context)
    }

    // MARK: Time

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        pace.room(context.channel.isWritable, at: .now())
        watch(context)
        context.fireChannelWritabilityChanged()
    }

    /// Looks again soon. One timer at a time, which is never moved, so that a busy connection costs none; it finds out for itself what
    /// the connection is busy with by then.
    private func watch(_ context: ChannelHandlerContext) {
        guard timer == nil, let deadline = pace.deadline else { return }
        let next = min(deadline, .now() + times.look)
        timer = context.eventLoop.assumeIsolatedUnsafeUnchecked().scheduleTask(deadline: next) {
            self.timer = nil
            self.look(context)
        }
    }

    private func look(_ context: ChannelHandlerContext) {
        guard let deadline = pace.deadline else { return }
        let now = NIODeadline.now()
        guard deadline <= now else { return watch(context) }
        if pace.isStalled(at: now) { return context.close(promise: nil) }
        switch pace.phase {
        case .head: refuse(.slowHead, context)
        case .body:
            breakOff(Self.tooSlow, context)
            watch(context)
        case .opened, .idle, .lingering: context.close(promise: nil)
        case .answering: break
        }
    }
}
