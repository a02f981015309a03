package import Logging
package import Reactor
import ServiceLifecycle
import WireProtocol
package import ZeroMQ

/// Answers requests on a ROUTER socket.
///
/// Lives on the context's reactor, and so do the handlers. Requests beyond the limits wait, first here, then at the peers; here
/// the connections take turns, so that who asks for much waits for itself.
/// A request that comes again while it is being handled (its sender has lost patience) is not handled twice.
package actor RequestServer: Service {
    package nonisolated let reactor: Reactor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }

    /// How much is taken at once.
    package struct Limits: Sendable {
        /// Handlers that run at the same time.
        package var inFlight = 128
        /// Requests that wait for one; beyond it the socket is left alone, which holds the peers back.
        package var waiting = 1024
        /// The same in bytes of what they carry.
        package var waitingBytes = 64 << 20
        /// A deadline beyond this is shortened: a handler that is stuck must not keep its place for days.
        package var longest = Duration.seconds(60)
        /// How long a graceful shutdown waits for what is in flight.
        package var drain = Duration.seconds(10)
        package init() {}
    }

    let router: RequestRouter
    let ping: String
    let limits: Limits
    let logger: Logger
    private let context: ZMQContext
    private let endpoint: String
    private var bound = Promise<String>()
    private(set) var socket: ZMQSocket?

    // What is going on; see RequestServer+Work.swift.
    var running: [UInt64: Work] = [:]
    /// Several, where ids meet: they are other people's.
    var bySender: [Sender: Set<UInt64>] = [:]
    var waiting = FairQueue<Admitted>()
    var queued: Set<DeliveryKey> = []
    var lastSerial: UInt64 = 0
    var isDraining = false
    var drained: CheckedContinuation<Void, Never>?
    var metrics: RequestMetrics
    var complaints = Occasionally()

    /// - Parameter endpoint: where to bind, as `tcp://127.0.0.1:7101`; port `*` picks a free one, see `address()`.
    package init(
        _ router: RequestRouter, context: ZMQContext, endpoint: String, limits: Limits = Limits(), logger: Logger
    ) {
        reactor = context.reactor
        self.router = router
        ping = CommonMethods(service: router.service).ping.name
        self.context = context
        self.endpoint = endpoint
        self.limits = limits
        self.logger = logger
        metrics = RequestMetrics(side: "server", service: router.service)
    }

    /// Binds and answers until it is shut down gracefully: then it takes no more, finishes what is in flight, answers, closes.
    /// Cancelled, it cancels what is in flight and closes.
    /// - Throws: `ZMQError` when it cannot bind.
    package func run() async throws {
        do { try open() } catch {
            bound.fail(error)
            throw error
        }
        do {
            try await gracefulShutdown()
            await drain(within: limits.drain)
        } catch { await drain(within: .zero) }
        socket?.close(linger: .seconds(1))
        socket = nil
    }

    /// Where it is bound; waits for that.
    /// - Throws: what binding has thrown.
    package func address() async throws -> String { try await withCheckedThrowingContinuation { bound.tell($0) } }

    private func open() throws {
        let socket = try ZMQSocket(.router, security: .server, context: context)
        do {
            let address = try socket.bind(endpoint)
            socket.onMessage = { [weak self] message in self?.assumeIsolated { $0.received(message) } }
            self.socket = socket
            logger.info("answering requests", metadata: ["service": "\(router.service)", "endpoint": "\(address)"])
            bound.fulfil(address)
        } catch {
            socket.close()
            throw error
        }
    }

    /// Takes nothing more and waits for what is in flight; what is not done by `limit` is cancelled and not answered.
    private func drain(within limit: Duration) async {
        isDraining = true
        // Not unbound: that would cut the connections along which the answers go. What still comes is sent again elsewhere.
        socket?.isPaused = true
        let timer = reactor.schedule(after: limit) { [weak self] in self?.assumeIsolated { $0.cancelAll() } }
        if !running.isEmpty { await withCheckedContinuation { drained = $0 } }
        reactor.cancel(timer)
        // The last replies are with libzmq's thread; a process that ends at once would take them along.
        await withCheckedContinuation { done in reactor.schedule(after: .milliseconds(50)) { done.resume() } }
    }

    private func cancelAll() {
        (waiting, queued) = (FairQueue(), [])
        for work in running.values { work.task?.cancel() }
    }
}
