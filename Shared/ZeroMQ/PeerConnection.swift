package import Logging
import Reactor

/// The connections of one DEALER or SUB socket to all replicas of one role: finds their addresses, follows them when they
/// change, and starts anew on demand. Confined to the reactor's thread, which every call checks.
///
/// `@unchecked Sendable`: because of that check.
package final class PeerConnection: @unchecked Sendable {
    /// How names become addresses; tests bring their own.
    package typealias Resolver = @Sendable (Endpoint) -> Set<String>

    package let role: String
    private let kind: ZMQSocket.Kind
    private let endpoints: [Endpoint]
    private let context: ZMQContext
    private let resolver: Resolver
    private let logger: Logger

    private var socket: ZMQSocket?
    private var serverKey: CurveKey?
    private var connected: Set<String> = []
    private var state = State.idle
    private var timer: TimerID?
    private var complaints = Occasionally()
    private enum State { case idle, looking, settled, closed }

    /// Addresses are looked up this often; sooner while there is none.
    private static let interval = (settled: Duration.seconds(10), searching: Duration.milliseconds(500))

    /// Called for each message. Capture the owner weakly.
    package var onMessage: ((ZMQMessage) -> Void)?
    /// Called once after `send` said `full`, when sending is possible again.
    package var onWritable: (() -> Void)?

    package init(
        _ kind: ZMQSocket.Kind, to role: String, at endpoints: [Endpoint], context: ZMQContext, logger: Logger,
        resolver: @escaping Resolver = { $0.resolved() }
    ) {
        self.kind = kind
        self.role = role
        self.endpoints = endpoints
        self.context = context
        self.resolver = resolver
        self.logger = logger
    }

    private var reactor: Reactor { context.reactor }

    package func open() {
        reactor.checkIsolated()
        if state == .idle { look() }
    }

    package func close() {
        reactor.checkIsolated()
        state = .closed
        if let timer { reactor.cancel(timer) }
        dropSocket()
        (onMessage, onWritable) = (nil, nil)
    }

    /// Throws the socket away with all that it may hold, and makes a new one: the last resort against a line that is silent, and
    /// the way in after a refusal, because libzmq does not knock twice.
    package func reopen() {
        reactor.checkIsolated()
        guard state != .closed else { return }
        dropSocket()
        look()
    }

    /// Sends to one of those that are connected, in turn.
    package func send(_ frames: [[UInt8]]) -> SendOutcome {
        let outcome = socket?.send(frames) ?? .full
        if outcome != .sent { socket?.wantsWritable = true }
        return outcome
    }

    // MARK: Finding them

    private struct Found: Sendable {
        var key: CurveKey?
        var addresses: Set<String>
        /// Names that gave nothing: their old addresses are kept.
        var isComplete: Bool
    }

    private func look() {
        guard state != .looking, state != .closed else { return }
        state = .looking
        let (endpoints, resolver, role, path) = (endpoints, resolver, role, context.identity.publicKeys)
        Task(executorPreference: reactor) { [weak self, reactor] in
            let found = try? await reactor.blocking {
                let sets = endpoints.map(resolver)
                return Found(
                    key: PeerDirectory.serverKey(of: role, in: path), addresses: sets.reduce([]) { $0.union($1) },
                    isComplete: !sets.contains(where: \.isEmpty))
            }
            reactor.submit { [self] in self?.found(found) }
        }
    }

    private func found(_ found: Found?) {
        guard state == .looking else { return }
        state = .settled
        if let found { adopt(found) }
        let wait = socket == nil || connected.isEmpty ? Self.interval.searching : Self.interval.settled
        if let timer { reactor.cancel(timer) }
        timer = reactor.schedule(after: wait) { [weak self] in self?.look() }
    }

    private func adopt(_ found: Found) {
        guard let key = found.key else {
            return complain("the public key of \(role) is missing in \(context.identity.publicKeys)")
        }
        if found.addresses.isEmpty { complain("no address of \(role) can be found") }
        do {
            if key != serverKey { dropSocket() }
            let socket = try self.socket ?? makeSocket(key)
            for address in found.addresses.subtracting(connected) {
                try socket.connect(address)
                connected.insert(address)
            }
            guard found.isComplete else { return }
            for address in connected.subtracting(found.addresses) {
                socket.disconnect(address)
                connected.remove(address)
            }
        } catch { complain("\(role) cannot be connected to: \(error)") }
    }

    private func makeSocket(_ key: CurveKey) throws(ZMQError) -> ZMQSocket {
        let socket = try ZMQSocket(kind, security: .client(serverKey: key), context: context)
        socket.onMessage = { [weak self] message in self?.onMessage?(message) }
        socket.onWritable = { [weak self] in self?.onWritable?() }
        socket.wantsWritable = true
        self.socket = socket
        serverKey = key
        return socket
    }

    private func dropSocket() {
        socket?.close()
        socket = nil
        connected = []
    }

    private func complain(_ message: String) {
        if complaints.allows(message) { logger.warning("\(message)") }
    }
}
