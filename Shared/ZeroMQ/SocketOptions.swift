import CZeroMQ

/// Limits and times that every socket has, so that no peer and no broken line can hold this process.
package enum BusLimits {
    /// Bytes that one frame may hold.
    package static let frameSize = (1 << 20) - 1024
    /// Bytes that all frames of one message may hold together.
    package static let messageSize = 2 * frameSize
    /// A message with the lengths of its frames and what encryption adds; libzmq closes the connection of a peer that sends more.
    static let wireSize = 1 << 21
    /// The domain by which the gate knows our sockets; those that are for some roles only have one of their own.
    static let domain = "kampong"
    static let handshake: Int32 = 3000
    static let connect: Int32 = 3000
    /// Milliseconds between the heartbeats of a connection, and after how much silence it is given up.
    static let heartbeat: (interval: Int32, timeout: Int32) = (500, 1500)
    static let reconnect: (first: Int32, longest: Int32) = (50, 2000)
    static let backlog: Int32 = 1024
    /// Messages that wait per peer.
    static let queue: Int32 = 1000
    /// Events that wait per subscriber; who is slower than this loses some, and asks for them.
    static let publisherQueue: Int32 = 10_000
}

extension ZMQSocket.Kind {
    var type: Int32 {
        switch self {
        case .router: ZMQ_ROUTER
        case .dealer: ZMQ_DEALER
        case .publisher: ZMQ_PUB
        case .subscriber: ZMQ_SUB
        case .monitor: ZMQ_PAIR
        }
    }
}

extension ZMQSocket.Kind {
    /// Who sends the heartbeats of a connection; the other side learns from them how much silence ends it.
    ///
    /// Never the side that may stop reading because its queue is full: libzmq 4.3.4 aborts the process where the peer is gone by then and
    /// the next heartbeat is due (`!_io_error` in `out_event`).
    fileprivate var pings: Bool { self == .dealer || self == .publisher }
}

extension ZMQSocket {
    func configure(_ kind: Kind, _ security: Security, identity: BusIdentity?) throws(ZMQError) {
        try set(ZMQ_LINGER, Int32(0))
        try set(ZMQ_MAXMSGSIZE, Int64(BusLimits.wireSize))
        try set(ZMQ_HANDSHAKE_IVL, BusLimits.handshake)
        try set(ZMQ_CONNECT_TIMEOUT, BusLimits.connect)
        if kind.pings {
            try set(ZMQ_HEARTBEAT_IVL, BusLimits.heartbeat.interval)
            try set(ZMQ_HEARTBEAT_TIMEOUT, BusLimits.heartbeat.timeout)
            try set(ZMQ_HEARTBEAT_TTL, BusLimits.heartbeat.timeout)
        }
        try set(ZMQ_RECONNECT_IVL, BusLimits.reconnect.first)
        try set(ZMQ_RECONNECT_IVL_MAX, BusLimits.reconnect.longest)
        try set(ZMQ_BACKLOG, BusLimits.backlog)
        try set(ZMQ_IPV6, Int32(1))
        let queue = kind == .publisher || kind == .subscriber ? BusLimits.publisherQueue : BusLimits.queue
        try set(ZMQ_SNDHWM, queue)
        try set(ZMQ_RCVHWM, queue)
        try configure(kind)
        try secure(security, identity)
    }

    private func configure(_ kind: Kind) throws(ZMQError) {
        switch kind {
        case .router: try set(ZMQ_ROUTER_MANDATORY, Int32(1))  // an answer to nobody is an error, not a silence
        case .dealer: try set(ZMQ_IMMEDIATE, Int32(1))  // nothing is queued for an endpoint that is not there
        case .subscriber: try set(ZMQ_SUBSCRIBE, text: "")
        case .publisher: break
        case .monitor: try set(ZMQ_RCVHWM, Int32(0))  // libzmq's thread would wait for whoever does not read it
        }
    }

    private func secure(_ security: Security, _ identity: BusIdentity?) throws(ZMQError) {
        guard let identity else { return }
        switch security {
        case .none: return
        case .server, .serverOf:
            try set(ZMQ_CURVE_SERVER, Int32(1))
            try set(ZMQ_CURVE_SECRETKEY, text: identity.keys.secretKey.text)
            // Without these two, a missing gate would let everybody in. (`guardServer` may name another domain.)
            try set(ZMQ_ZAP_DOMAIN, text: BusLimits.domain)
            try set(ZMQ_ZAP_ENFORCE_DOMAIN, Int32(1))
        case .client(let serverKey):
            try set(ZMQ_CURVE_PUBLICKEY, text: identity.keys.publicKey.text)
            try set(ZMQ_CURVE_SECRETKEY, text: identity.keys.secretKey.text)
            try set(ZMQ_CURVE_SERVERKEY, text: serverKey.text)
        }
    }
}
