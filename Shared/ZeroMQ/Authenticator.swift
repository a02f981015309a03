import Logging
import Reactor

/// The gate (ZAP, RFC 27): asked by libzmq about every peer that knocks at a server socket, lets in those whose key is
/// in the directory, and names them by their role.
actor Authenticator {
    nonisolated let reactor: Reactor
    nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }

    /// The directory is read at most this often, however many unknown keys knock.
    static let shortest = Duration.seconds(1)
    /// It is read this often without being asked for, so that a key that was taken out of it loses its right.
    static let interval = Duration.seconds(5)
    /// Knocks that wait for the directory; more are refused.
    static let maxWaiting = 256

    private let handle: ContextHandle
    private let publicKeys: String
    private let logger: Logger
    private var socket: ZMQSocket?
    private var directory = PeerDirectory()
    private var readAt: ContinuousClock.Instant?
    private var isReading = false
    private var waiting: [Knock] = []
    /// How many knocks came since the reading that is under way began.
    var waitingCount: Int { waiting.count }
    private var complaints = Occasionally()
    private var nextLook: TimerID?
    /// Whom this gate let in, as what: connections of theirs may stand.
    private var admitted: [CurveKey: String] = [:]
    /// Those of them that the last reading did not find.
    private(set) var missing: Set<CurveKey> = []
    private var servers: [Server] = []
    /// Who may come to the sockets of a domain, other than that of all.
    private var domains: [String: Set<String>] = [:]

    private struct Server { weak var socket: ZMQSocket? }

    /// One question of libzmq's.
    fileprivate struct Knock {
        /// The frames up to and with the empty delimiter, which lead the answer back.
        var route: [[UInt8]]
        var request: [UInt8]
        var domain: String
        var address: String
        var key: CurveKey?
    }

    init(handle: ContextHandle, publicKeys: String, reactor: Reactor, logger: Logger) {
        self.handle = handle
        self.publicKeys = publicKeys
        self.reactor = reactor
        self.logger = logger
    }

    func open() {
        do {
            let socket = try ZMQSocket(.router, within: handle, reactor: reactor)
            try socket.bind("inproc://zeromq.zap.01")
            socket.onMessage = { [weak self] message in self?.assumeIsolated { $0.received(message.frames) } }
            self.socket = socket
            scheduleLook()
        } catch {
            // Server sockets enforce the domain: without a gate nobody gets in.
            logger.critical("the bus has no gate: \(error)")
        }
    }

    func close() {
        if let nextLook { reactor.cancel(nextLook) }
        nextLook = nil
        socket?.close()
        socket = nil
    }

    /// Remembers a socket whose peers come through this gate.
    func watch(over socket: ZMQSocket) {
        servers.removeAll { $0.socket?.isClosed ?? true }
        servers.append(Server(socket: socket))
    }

    /// A domain for sockets that only these roles may come to.
    func domain(of roles: Set<String>) -> String {
        if let domain = domains.first(where: { $0.value == roles })?.key { return domain }
        let domain = "\(BusLimits.domain).\(domains.count + 1)"
        domains[domain] = roles
        return domain
    }

    private func admits(_ role: String, to domain: String) -> Bool {
        domain == BusLimits.domain || domains[domain]?.contains(role) == true
    }

    // MARK: Deciding

    private func received(_ frames: [[UInt8]]) {
        guard let knock = Knock(frames) else { return }
        // Who comes with a known key never waits, least of all for those who come with unknown ones.
        if isKnown(knock) { return decide(knock) }
        guard knock.key != nil, waiting.count < Self.maxWaiting else { return decide(knock) }
        waiting.append(knock)
        let age = readAt.map { ContinuousClock.now - $0 } ?? .seconds(3600)
        if !isReading { scheduleReading(after: max(.zero, Self.shortest - age)) }
    }

    private func isKnown(_ knock: Knock) -> Bool { knock.key.map { directory.roles[$0] != nil } ?? false }

    /// Reads the directory now and then, whoever knocks.
    private func look() {
        if !isReading { read() }
        scheduleLook()
    }

    private func scheduleLook() {
        nextLook = reactor.schedule(after: Self.interval) { [weak self] in self?.assumeIsolated { $0.look() } }
    }

    private func scheduleReading(after delay: Duration) {
        isReading = true
        reactor.schedule(after: delay) { [weak self] in self?.assumeIsolated { $0.read() } }
    }

    private func read() {
        isReading = true
        // Who knocks from here on may have a key that this reading does not see, and waits for the next.
        let (path, knocks) = (publicKeys, waiting)
        waiting = []
        Task {
            do {
                adopt(try await reactor.blocking { try PeerDirectory.read(path) })
            } catch {
                if !(error is CancellationError), complaints.allows("directory") { logger.warning("\(error)") }
            }
            isReading = false
            readAt = .now
            for knock in knocks { decide(knock) }
            // Who came meanwhile waits only where this reading does not know them.
            let known = waiting.filter { isKnown($0) }
            waiting.removeAll { isKnown($0) }
            for knock in known { decide(knock) }
            if !waiting.isEmpty || !missing.isEmpty { scheduleReading(after: Self.shortest) }
        }
    }

    /// Goes by the new directory from here on, and cuts the connections of those who are in it no more.
    ///
    /// At the second reading: a file that is being written anew is not there, or not whole, for a moment.
    private func adopt(_ directory: PeerDirectory) {
        self.directory = directory
        let gone = Set(admitted.filter { directory.roles[$0.key] != $0.value }.keys)
        let withdrawn = gone.intersection(missing)
        missing = gone.subtracting(withdrawn)
        guard !withdrawn.isEmpty else { return }
        let roles = Set(withdrawn.compactMap { admitted.removeValue(forKey: $0) }).sorted()
        logger.notice(
            "a key was withdrawn: all connections pass the gate anew",
            metadata: ["roles": "\(roles.joined(separator: ", "))"])
        for server in servers { server.socket?.dropPeers() }
    }

    private func decide(_ knock: Knock) {
        guard let role = knock.key.flatMap({ directory.roles[$0] }) else {
            complain(
                "a peer with an unknown key was refused", of: knock.address, ["key": "\(knock.key?.text ?? "none")"])
            return answer(knock, status: "400", text: "Unknown key", user: "")
        }
        guard admits(role, to: knock.domain) else {
            complain("a peer was refused: this socket is not for its role", of: knock.address, role: role)
            return answer(knock, status: "400", text: "Not for this role", user: "")
        }
        if let key = knock.key { admitted[key] = role }
        answer(knock, status: "200", text: "OK", user: role)
    }

    /// Says once a minute what became of somebody at `address`, whoever of the gate and the sockets' logs notices.
    func complain(_ message: Logger.Message, of address: String, _ details: Logger.Metadata) {
        let address = Self.plain(address)
        guard complaints.allows(address) else { return }
        logger.warning(message, metadata: details.merging(["address": "\(address)"]) { own, _ in own })
    }

    /// Sockets listen for both kinds of addresses, and see IPv4 as mapped into IPv6.
    fileprivate static func plain(_ address: String) -> String {
        address.hasPrefix("::ffff:") ? String(address.dropFirst(7)) : address
    }

    /// The same about a peer that is known, and so is heard of whatever else comes from its address.
    private func complain(_ message: Logger.Message, of address: String, role: String) {
        // The sockets' log, which sees the connection end, has nothing to add.
        _ = complaints.allows(address)
        guard complaints.allows("role \(role)") else { return }
        logger.warning(message, metadata: ["peer": "\(role)", "address": "\(address)"])
    }

    private func answer(_ knock: Knock, status: String, text: String, user: String) {
        let fields = [Array(status.utf8), Array(text.utf8), Array(user.utf8), []]
        _ = socket?.send(knock.route + [Array("1.0".utf8), knock.request] + fields)
    }
}

extension Authenticator.Knock {
    /// Delimiter, version, request id, domain, address, routing id, mechanism, credentials.
    fileprivate init?(_ frames: [[UInt8]]) {
        guard let delimiter = frames.firstIndex(of: []), frames.count >= delimiter + 7 else { return nil }
        let fields = Array(frames[(delimiter + 1)...])
        guard fields[0] == Array("1.0".utf8) else { return nil }
        route = Array(frames[...delimiter])
        request = fields[1]
        domain = String(decoding: fields[2], as: UTF8.self)
        address = Authenticator.plain(String(decoding: fields[3], as: UTF8.self))
        let isCurve = fields[5] == Array("CURVE".utf8)
        key = isCurve && fields.count == 7 ? CurveKey(bytes: fields[6]) : nil
    }
}
