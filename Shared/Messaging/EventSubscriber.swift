import FoundationEssentials
package import Logging
import Metrics
package import Reactor
import ServiceLifecycle
package import WireProtocol
package import ZeroMQ

/// Brings a consumer every event of its publishers, in order and without gaps.
///
/// Listens on a SUB socket per publisher, and asks for what it did not hear. `SubscriptionState` decides what is done.
package actor EventSubscriber: Service {
    package nonisolated let reactor: Reactor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }

    /// A publisher that is silent for so long has missed six heartbeats.
    static let silence = Duration.seconds(3)

    private let client: RequestClient
    private let consumer: any EventConsumer
    private let logger: Logger
    private var streams: [String: EventStream] = [:]
    private var isStopping = false

    /// - Parameters:
    ///   - publishers: where each publisher's PUB sockets are bound; see `RequestClient` for endpoints.
    ///   - client: asks for what was missed; must know the same services.
    /// - Throws: `BusConfigurationError` for an endpoint that is none.
    package init(
        publishers: [PeerRole: [String]], client: RequestClient, consumer: any EventConsumer, context: ZMQContext,
        startingAt firstContact: FirstContact = .beginning, logger: Logger
    ) throws {
        reactor = context.reactor
        self.client = client
        self.consumer = consumer
        self.logger = logger
        for (role, endpoints) in publishers {
            let connection = PeerConnection(
                .subscriber, to: role.rawValue, at: try BusConfigurationError.endpoints(endpoints, of: role),
                context: context, logger: logger)
            streams[role.rawValue] = EventStream(
                state: SubscriptionState(publisher: role.rawValue, startingAt: firstContact), connection: connection)
        }
    }

    /// Receives, pulls and hands over until it is cancelled or shut down gracefully; what is being handed over is finished.
    package func run() async throws {
        await withTaskGroup { group in
            for publisher in streams.keys {
                group.addTask(executorPreference: reactor) { await self.follow(publisher) }
            }
            // Cancelled, the group cancels them; shut down, they stop after what they are doing.
            try? await gracefulShutdown()
            isStopping = true
            for stream in streams.values { stream.wake() }
        }
    }

    /// How many events the consumer is behind what is known of `publisher`.
    package func lag(behind publisher: PeerRole) -> Int64 { streams[publisher.rawValue]?.state.lag ?? 0 }

    // MARK: One stream

    private func follow(_ publisher: String) async {
        guard let stream = streams[publisher] else { return }
        listen(to: publisher)
        while !isStopping, !Task.isCancelled { await step(publisher) }
        if let watch = stream.watch { reactor.cancel(watch) }
        stream.connection.close()
    }

    private func listen(to publisher: String) {
        guard let stream = streams[publisher] else { return }
        stream.connection.onMessage = { [weak self] message in
            self?.assumeIsolated { $0.received(message.frames, from: publisher) }
        }
        stream.connection.open()
        stream.heardAt = .now
        watch(publisher)
    }

    /// A connection that is silent although the publisher speaks every half second is replaced, and the stream asked for.
    private func watch(_ publisher: String) {
        guard let stream = streams[publisher] else { return }
        if .now - stream.heardAt > Self.silence {
            stream.heardAt = .now
            stream.connection.reopen()
            stream.state.silence()
            stream.wake()
        }
        stream.watch = reactor.schedule(after: .seconds(1)) { [weak self] in
            self?.assumeIsolated { $0.watch(publisher) }
        }
    }

    private func received(_ frames: [[UInt8]], from publisher: String) {
        guard let stream = streams[publisher] else { return }
        stream.heardAt = .now
        switch try? Publication(frames: frames) {
        case .event(let event): stream.state.heard(event)
        case .heartbeat(let name, let epoch, let head): stream.state.heartbeat(name, epoch: epoch, head: head)
        case nil: complain("a publication cannot be read", from: publisher)
        }
        stream.metrics.lag.set(stream.state.lag)
        stream.wake()
    }

    // MARK: One step

    private func step(_ publisher: String) async {
        guard let stream = streams[publisher] else { return }
        switch stream.state.next(at: .now) {
        case .wait(let until): await wait(stream, until: until)
        case .pull(let since): await pull(since, stream, from: publisher)
        case .consume(let events):
            await attempt(stream, "events could not be handled", of: publisher) {
                try await consumer.consume(events)
                stream.state.consumed(events)
                stream.metrics.events.increment(by: events.count)
            }
        case .resynchronise(let start):
            await attempt(stream, "a new stream could not be begun", of: publisher) {
                logger.notice(
                    "the stream begins anew", metadata: ["publisher": "\(publisher)", "at": "\(start.position)"])
                try await consumer.resynchronise(publisher, epoch: start.epoch, head: start.position)
                stream.state.resynchronised()
            }
        case .loadOffset:
            await attempt(stream, "the offset could not be read", of: publisher) {
                stream.state.loaded(try await consumer.offset(of: publisher))
            }
        }
        stream.measure()
    }

    private func attempt(
        _ stream: EventStream, _ failure: String, of publisher: String, _ body: () async throws -> Void
    ) async {
        do { try await body() } catch {
            stream.metrics.failures.increment()
            stream.state.consumerFailed(at: .now)
            if !Task.isCancelled { complain("\(failure): \(error)", from: publisher) }
        }
    }

    private func pull(_ since: EventsSince, _ stream: EventStream, from publisher: String) async {
        stream.metrics.pulls.increment()
        do {
            let method = CommonMethods(service: publisher).eventsSince
            stream.state.pulled(try await client.call(method, since, Nothing()), at: .now)
        } catch let error as ServiceError where error.code == .eventsGone {
            stream.state.gone(at: .now)
        } catch let error as ServiceError where error.code == .replyTooLarge {
            stream.state.tooLarge(at: .now)
        } catch {
            stream.state.pullFailed(at: .now)
            if !Task.isCancelled { complain("events could not be asked for: \(error)", from: publisher) }
        }
    }

    private func wait(_ stream: EventStream, until: ContinuousClock.Instant?) async {
        guard !isStopping else { return }
        let publisher = stream.state.publisher
        let timer = until.map { until in
            reactor.schedule(after: max(.zero, until - .now)) { [weak self] in
                self?.assumeIsolated { $0.streams[publisher]?.wake() }
            }
        }
        await withTaskCancellationHandler {
            await self.suspend(publisher)
        } onCancel: {
            reactor.submit { self.assumeIsolated { $0.wakeAll() } }
        }
        if let timer { reactor.cancel(timer) }
    }

    /// A method rather than a part of the closure above: a closure that does not mention `self` runs anywhere.
    private func suspend(_ publisher: String) async {
        // A cancellation from here on finds the waiter, since it has to wait for this thread.
        guard !Task.isCancelled, let stream = streams[publisher] else { return }
        await withCheckedContinuation { stream.waiter = $0 }
    }

    private func wakeAll() {
        for stream in streams.values { stream.wake() }
    }

    private func complain(_ message: String, from publisher: String) {
        guard streams[publisher]?.complaints.allows(message) == true else { return }
        logger.warning("\(message)", metadata: ["publisher": "\(publisher)"])
    }
}
