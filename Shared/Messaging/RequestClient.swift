package import FoundationEssentials
package import Logging
package import Reactor
import ServiceLifecycle
import Tracing
package import WireProtocol
package import ZeroMQ

/// Asks services on the bus.
///
/// A request that gets no answer is sent again under the same id until its deadline, to whichever replica is connected, so a command
/// must be idempotent by that id. Connects when first used; `run` ends it.
package actor RequestClient: Service {
    package nonisolated let reactor: Reactor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }

    private let context: ZMQContext
    private var links: [String: ServiceLink] = [:]
    private var isClosed = false

    /// - Parameters:
    ///   - peers: where each service's replicas are bound: `tcp://host:port`, where a host may be a name that resolves to several addresses.
    ///   - resolver: how names become addresses; the operating system's way where absent.
    /// - Throws: `BusConfigurationError` for an endpoint that is none.
    package init(
        peers: [PeerRole: [String]], context: ZMQContext, logger: Logger,
        resolver: @escaping PeerConnection.Resolver = { $0.resolved() }
    ) throws {
        reactor = context.reactor
        self.context = context
        for (role, endpoints) in peers {
            let connection = PeerConnection(
                .dealer, to: role.rawValue, at: try BusConfigurationError.endpoints(endpoints, of: role),
                context: context,
                logger: logger, resolver: resolver)
            links[role.rawValue] = ServiceLink(service: role.rawValue, connection: connection, reactor: reactor)
        }
    }

    /// Holds the connections until it is cancelled or shut down gracefully; what is asked afterwards is `unavailable`.
    package func run() async throws {
        for link in links.values { open(link) }
        try? await gracefulShutdown()
        isClosed = true
        for link in links.values { link.close() }
    }

    /// Asks, and reads the reply.
    ///
    /// - Parameter deadline: five seconds from now where absent.
    /// - Throws: `ServiceError`: what the service refused with; `unavailable` when the request was surely not sent, or was a
    ///   query; `outcome_unknown` when a command was sent and no answer came in time. `CancellationError`.
    package func call<Parameters, Body, Reply>(
        _ method: Method<Parameters, Body, Reply>, _ parameters: Parameters, _ body: Body,
        as caller: Caller = .anonymous, id: UUID = .version7(), deadline: Date? = nil
    ) async throws -> Reply {
        let reply = try await forward(
            method, parameters, body: try WireJSON.encode(body), as: caller, id: id,
            deadline: deadline ?? Date(timeIntervalSinceNow: 5))
        do { return try WireJSON.decode(from: reply.bytes) } catch {
            // Not the caller's mistake, as `malformed` would say.
            throw ServiceError(.internalError, "The answer of \(method.service) cannot be read.")
        }
    }

    /// Asks with a body, and hands on a reply, that nobody here reads. Throws like `call`.
    package func forward<Parameters, Body, Reply>(
        _ method: Method<Parameters, Body, Reply>, _ parameters: Parameters, body: [UInt8], as caller: Caller, id: UUID,
        deadline: Date
    ) async throws -> RawReply {
        var request = RequestEnvelope(
            id: id, method: method.name, deadline: deadline, caller: caller,
            parameters: try WireJSON.encode(parameters), body: body)
        // Not `withSpan`: its closures leave the actor on their way to ours.
        let span = startSpan(method.name, ofKind: .client)
        defer { span.end() }
        request.trace = Trace.parent(of: span.context)
        do { return try await exchange(request, method.kind, with: method.service) } catch {
            span.recordError(error)
            throw error
        }
    }

    private func exchange(_ request: RequestEnvelope, _ kind: MethodKind, with service: String) async throws -> RawReply
    {
        guard let link = links[service], !isClosed else { throw ServiceError.unavailable(service) }
        let frames = try request.frames()
        guard frames.allSatisfy({ $0.count <= BusLimits.frameSize }),
            // Leaves room for what leads the answer back.
            frames.reduce(0, { $0 + $1.count }) <= BusLimits.messageSize - 1024
        else {
            throw ServiceError(.tooLarge, "This is more than fits into one message.")
        }
        open(link)
        let number = link.nextNumber()
        return try await withTaskCancellationHandler {
            try await self.wait(for: number, request, frames, kind, from: service)
        } onCancel: {
            reactor.submit { self.assumeIsolated { $0.links[service]?.cancel(number) } }
        }
    }

    /// A method rather than a part of the closure above: a closure that does not mention `self` runs anywhere.
    private func wait(
        for number: UInt64, _ request: RequestEnvelope, _ frames: [[UInt8]], _ kind: MethodKind, from service: String
    ) async throws -> RawReply {
        // A cancellation from here on finds the request registered, since it has to wait for this thread.
        try Task.checkCancellation()
        guard let link = links[service] else { throw ServiceError.unavailable(service) }
        let left = Duration.seconds(request.deadline.timeIntervalSinceNow)
        return try await withCheckedThrowingContinuation { continuation in
            link.ask(number, request, frames, kind, within: left, continuation)
        }
    }

    private func open(_ link: ServiceLink) {
        link.open { [weak self] action in self?.assumeIsolated { action($0.links) } }
    }
}

/// A setting of the bus that cannot work, in a sentence for the operator.
package struct BusConfigurationError: Error, CustomStringConvertible {
    package let description: String

    static func endpoints(_ texts: [String], of role: PeerRole) throws -> [Endpoint] {
        guard !texts.isEmpty else {
            throw BusConfigurationError(description: "No endpoint of \(role.rawValue) is given.")
        }
        return try texts.map { text in
            guard let endpoint = Endpoint(text) else {
                throw BusConfigurationError(
                    description: "\(text) is not an endpoint of \(role.rawValue); it should look like tcp://host:7101.")
            }
            return endpoint
        }
    }
}
