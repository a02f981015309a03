package import Logging
import Metrics
package import Reactor
import ServiceLifecycle
package import WireProtocol
package import ZeroMQ

/// Tells subscribers of events, on a PUB socket. A hint: who misses one asks for it.
package actor EventPublisher: Service {
    package nonisolated let reactor: Reactor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }

    /// How often subscribers hear how far the stream is.
    package static let heartbeat = Duration.milliseconds(500)

    private let stream: PublishedStream
    private let context: ZMQContext
    private let endpoint: String
    private let logger: Logger
    private let head: @Sendable () async throws -> StreamOffset?
    private let published: Counter
    private var bound = Promise<String>()
    private var socket: ZMQSocket?
    private var complaints = Occasionally()

    /// - Parameters:
    ///   - stream: whose events, and who may hear them.
    ///   - endpoint: where to bind, as `tcp://127.0.0.1:7201`; port `*` picks a free one, see `address()`.
    ///   - head: the epoch and the last position that was given out, for heartbeats; nil or an error where it is not known just now.
    package init(
        _ stream: PublishedStream, context: ZMQContext, endpoint: String, logger: Logger,
        head: @escaping @Sendable () async throws -> StreamOffset?
    ) {
        reactor = context.reactor
        self.stream = stream
        self.context = context
        self.endpoint = endpoint
        self.logger = logger
        self.head = head
        published = Counter(label: "kampong_events_published", dimensions: [("publisher", stream.publisher)])
    }

    /// Binds and sends heartbeats until it is cancelled or shut down gracefully.
    /// - Throws: `ZMQError` when it cannot bind.
    package func run() async throws {
        do { try open() } catch {
            bound.fail(error)
            throw error
        }
        await withTaskGroup { group in
            group.addTask(executorPreference: reactor) { await self.beat() }
            try? await gracefulShutdown()
            group.cancelAll()
        }
        // The last events leave; those that do not are pulled.
        socket?.close(linger: .seconds(1))
        socket = nil
    }

    /// Sends events, in order. Before `run` has bound they are dropped; heartbeats tell of them later.
    package func publish(_ events: [EventEnvelope]) {
        for event in events { send(.event(event)) }
        published.increment(by: events.count)
    }

    /// Where it is bound; waits for that.
    /// - Throws: what binding has thrown.
    package func address() async throws -> String { try await withCheckedThrowingContinuation { bound.tell($0) } }

    private func open() throws {
        let roles = Set(stream.subscribers.map(\.rawValue))
        let socket = try ZMQSocket(.publisher, security: .serverOf(roles), context: context)
        do {
            let address = try socket.bind(endpoint)
            self.socket = socket
            logger.info("publishing events", metadata: ["publisher": "\(stream.publisher)", "endpoint": "\(address)"])
            bound.fulfil(address)
        } catch {
            socket.close()
            throw error
        }
    }

    private func beat() async {
        while !Task.isCancelled {
            do {
                if let head = try await head() {
                    send(.heartbeat(publisher: stream.publisher, epoch: head.epoch, head: head.position))
                }
            } catch {
                if !Task.isCancelled, complaints.allows("head") {
                    logger.warning(
                        "no heartbeat: the head of the stream cannot be read", metadata: ["error": "\(error)"])
                }
            }
            try? await Task.sleep(for: Self.heartbeat)
        }
    }

    private func send(_ publication: Publication) {
        guard let socket, let frames = try? publication.frames() else { return }
        guard frames.allSatisfy({ $0.count <= BusLimits.frameSize }) else {
            if complaints.allows("size") { logger.error("an event is larger than a message may be") }
            return
        }
        // PUB never refuses: what a subscriber has no room for is lost to it.
        _ = socket.send(frames)
    }
}
