import CZeroMQ
import Reactor

/// A message as it came: its frames, and who proved to have sent it.
package struct ZMQMessage: Hashable, Sendable {
    package var frames: [[UInt8]]
    /// The role that belongs to the sender's key; nil on client sockets.
    package var peer: String?
}

/// What became of a message that was to be sent.
package enum SendOutcome: Hashable, Sendable {
    /// libzmq has it. Whether it ever arrives is not known.
    case sent
    /// Nobody is connected, or the queue is full. It was surely not sent.
    case full
    /// The ROUTER's peer is gone.
    case unreachable
}

/// One ZeroMQ socket, confined to the reactor's thread, which every call checks. Closed by `close`, or with its last reference.
///
/// `@unchecked Sendable`: because of that check.
package final class ZMQSocket: ReactorSource, @unchecked Sendable {
    package enum Kind: Sendable {
        case router, dealer, publisher, subscriber
        /// Hears what libzmq says about another socket's connections.
        case monitor
    }

    package enum Security: Sendable {
        /// Proves the process's identity, and asks the gate about every peer.
        case server
        /// The same, of peers of these roles only.
        case serverOf(Set<String>)
        /// Talks only to the one that has the secret of `serverKey`.
        case client(serverKey: CurveKey)
        /// Within the process: the gate itself.
        case none
    }

    /// Messages in one turn of the reactor.
    private static let batch = 64

    let reactor: Reactor
    let handle: UnsafeMutableRawPointer
    private let descriptor: Int32
    private let isRouter: Bool
    /// Whether the frames of a message travel in one; see `Packing`.
    private let packs: Bool
    /// A child keeps its parents; nil for the gate, which its context owns.
    private let context: ZMQContext?
    private let contextHandle: ContextHandle
    private(set) var isClosed = false
    /// Where it is bound, and may be bound again; see ZMQSocket+Server.swift.
    var endpoint: String?
    var handshakes: HandshakeLog?
    /// Whether libzmq may have something for us: its descriptor became ready, or a call of ours may have taken that signal away.
    /// Asking costs a system call, so it is not asked each time that the loop comes round.
    private var isStirred = true

    /// Called for each message, on the thread. Capture the owner weakly.
    package var onMessage: ((ZMQMessage) -> Void)?
    /// Called once after `wantsWritable` was set, when sending is possible.
    package var onWritable: (() -> Void)?
    package var wantsWritable = false { didSet { isStirred = true } }
    /// Leaves messages in libzmq's queue, which holds the senders back once it is full.
    package var isPaused = false { didSet { isStirred = true } }

    package convenience init(_ kind: Kind, security: Security, context: ZMQContext) throws(ZMQError) {
        try self.init(kind, context: context, handle: context.handle, reactor: context.reactor)
        try configure(kind, security, identity: context.identity)
        switch security {
        case .server: try guardServer(context)
        case .serverOf(let roles): try guardServer(context, of: roles)
        case .client, .none: break
        }
    }

    /// A socket within the process: the gate's own, or the monitor of another socket.
    convenience init(_ kind: Kind, within handle: ContextHandle, reactor: Reactor) throws(ZMQError) {
        try self.init(kind, context: nil, handle: handle, reactor: reactor)
        try configure(kind, .none, identity: nil)
    }

    private init(_ kind: Kind, context: ZMQContext?, handle: ContextHandle, reactor: Reactor) throws(ZMQError) {
        reactor.checkIsolated()
        self.reactor = reactor
        self.context = context
        contextHandle = handle
        isRouter = kind == .router
        packs = context != nil
        guard let socket = zmq_socket(handle.pointer, kind.type) else { throw .last("socket") }
        self.handle = socket
        descriptor = Self.integer(ZMQ_FD, of: socket)
        reactor.watch(descriptor, for: .readable) { [weak self] _ in self?.isStirred = true }  // `pump` does the rest
        reactor.add(self)
    }

    deinit {
        guard !isClosed else { return }
        if handshakes != nil { zmq_socket_monitor(handle, nil, 0) }
        zmq_close(handle)
    }

    /// - Parameter linger: how long what was sent may still take to leave.
    package func close(linger: Duration = .zero) {
        reactor.checkIsolated()
        guard !isClosed else { return }
        isClosed = true
        reactor.remove(self)
        reactor.unwatch(descriptor)
        (onMessage, onWritable) = (nil, nil)
        handshakes?.close(monitorOf: self)
        try? set(ZMQ_LINGER, Int32(clamping: linger.components.seconds * 1000))
        zmq_close(handle)
    }

    // MARK: Endpoints

    /// Binds, and returns the endpoint with the port that a `*` stood for.
    @discardableResult
    package func bind(_ endpoint: String) throws(ZMQError) -> String {
        isStirred = true
        try check("bind \(endpoint)") { zmq_bind(handle, endpoint) }
        var (text, size) = ([CChar](repeating: 0, count: 1024), 1024)
        try check("last endpoint") { zmq_getsockopt(handle, ZMQ_LAST_ENDPOINT, &text, &size) }
        let bound = String(decoding: text.prefix(max(0, size - 1)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        self.endpoint = bound
        return bound
    }

    package func connect(_ endpoint: String) throws(ZMQError) {
        isStirred = true
        try check("connect \(endpoint)") { zmq_connect(handle, endpoint) }
    }

    package func disconnect(_ endpoint: String) {
        isStirred = true
        zmq_disconnect(handle, endpoint)
    }

    // MARK: Messages

    /// Sends one message of several frames, or none of it; never waits. The first frame of a ROUTER's names the connection.
    package func send(_ frames: [[UInt8]]) -> SendOutcome {
        reactor.checkIsolated()
        guard !isClosed else { return .full }
        isStirred = true
        guard packs else { return send(raw: frames[...]) }
        guard isRouter else { return send(raw: [Packing.pack(frames[...])]) }
        return send(raw: [frames.first ?? [], Packing.pack(frames.dropFirst())])
    }

    private func send(raw frames: ArraySlice<[UInt8]>) -> SendOutcome {
        for (index, frame) in frames.enumerated() {
            let flags = ZMQ_DONTWAIT | (index + 1 < frames.count ? ZMQ_SNDMORE : 0)
            do {
                try check("send") { frame.withUnsafeBytes { zmq_send(handle, $0.baseAddress, $0.count, flags) } }
            } catch {
                // libzmq decides at the first frame; the others follow it or are dropped with its peer.
                if index > 0 { return .sent }
                return error.code == EHOSTUNREACH ? .unreachable : .full
            }
        }
        return .sent
    }

    package func pump() -> Bool {
        guard !isClosed, isStirred else { return false }
        isStirred = false
        // Reading the events also makes libzmq handle its commands, so it is done whether we want messages or not.
        let events = Self.integer(ZMQ_EVENTS, of: handle)
        var worked = false
        if wantsWritable, events & ZMQ_POLLOUT != 0 {
            wantsWritable = false
            onWritable?()
            worked = true
        }
        guard events & ZMQ_POLLIN != 0 else { return worked }
        for _ in 0..<Self.batch {
            // Where there was none, libzmq has looked at all that it was told of: what comes later makes the descriptor ready.
            guard !isPaused, !isClosed, let message = receive() else { return worked }
            onMessage?(message)
            worked = true
        }
        isStirred = true
        return worked
    }

    private func receive() -> ZMQMessage? {
        var message = ZMQMessage(frames: [], peer: nil)
        var part = zmq_msg_t()
        var (size, count) = (0, 0)
        while true {
            zmq_msg_init(&part)
            defer { zmq_msg_close(&part) }
            guard (try? check("recv") { zmq_msg_recv(&part, handle, ZMQ_DONTWAIT) }) != nil else { return nil }
            let bytes = UnsafeRawBufferPointer(start: zmq_msg_data(&part), count: zmq_msg_size(&part))
            size += bytes.count
            if message.frames.count < Packing.maximum, size <= BusLimits.wireSize {
                if packs, !isRouter || count > 0 {
                    // Whoever sends more than one has not understood; what is left of that is no message.
                    message.frames += count == (isRouter ? 1 : 0) ? Packing.unpack(bytes) ?? [] : []
                } else {
                    message.frames.append(Array(bytes))
                }
            }
            count += 1
            guard zmq_msg_more(&part) == 0 else { continue }
            message.peer = zmq_msg_gets(&part, "User-Id").map { String(cString: $0) }
            return message
        }
    }

    // MARK: Options

    private static func integer(_ option: Int32, of handle: UnsafeMutableRawPointer) -> Int32 {
        var (value, size) = (Int32(0), MemoryLayout<Int32>.size)
        while zmq_getsockopt(handle, option, &value, &size) != 0, zmq_errno() == EINTR {}
        return value
    }

    func set(_ option: Int32, _ value: some BitwiseCopyable) throws(ZMQError) {
        var value = value
        try check("setsockopt \(option)") { zmq_setsockopt(handle, option, &value, MemoryLayout.size(ofValue: value)) }
    }

    func set(_ option: Int32, text: String) throws(ZMQError) {
        try check("setsockopt \(option)") { zmq_setsockopt(handle, option, text, text.utf8.count) }
    }
}
