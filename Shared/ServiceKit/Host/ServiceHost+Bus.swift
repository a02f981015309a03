import Configuration
package import Messaging
package import WireProtocol

// The four ends of the bus, at the addresses that the settings name. What is returned still has to be run: return it from the wiring.

extension ServiceHost {
    /// Answers requests at `bus.requests`. A graceful shutdown drains it for three quarters of `shutdown.seconds`, which leaves
    /// the rest of the time to what it depends on.
    package func requestServer(_ router: RequestRouter) throws -> RequestServer {
        var limits = RequestServer.Limits()
        limits.drain = try config.seconds("shutdown.seconds", default: .seconds(8)) * 0.75
        return RequestServer(
            router, context: context, endpoint: try config.required("bus.requests"), limits: limits, logger: logger)
    }

    /// Asks the services of these roles, at `peers.<role>.requests` (several addresses where there are replicas).
    package func requestClient(to roles: [PeerRole]) throws -> RequestClient {
        try RequestClient(peers: try endpoints(of: roles, "requests"), context: context, logger: logger)
    }

    /// Tells of this service's events at `bus.events`.
    /// - Parameters:
    ///   - stream: Declared by the service's contract.
    ///   - head: The epoch and the last position that was given out; see `EventPublisher`.
    package func eventPublisher(
        of stream: PublishedStream, head: @escaping @Sendable () async throws -> StreamOffset?
    ) throws -> EventPublisher {
        EventPublisher(
            stream, context: context, endpoint: try config.required("bus.events"), logger: logger, head: head)
    }

    /// Hears of the events of these roles, at `peers.<role>.events`.
    /// - Parameter client: Asks for what was missed; made by `requestClient` for the same roles at least.
    package func eventSubscriber(
        to roles: [PeerRole], client: RequestClient, consumer: any EventConsumer,
        startingAt firstContact: FirstContact = .beginning
    ) throws -> EventSubscriber {
        try EventSubscriber(
            publishers: try endpoints(of: roles, "events"), client: client, consumer: consumer, context: context,
            startingAt: firstContact, logger: logger)
    }

    private func endpoints(of roles: [PeerRole], _ kind: String) throws -> [PeerRole: [String]] {
        try roles.reduce(into: [:]) { $0[$1] = try config.list("peers.\($1.rawValue).\(kind)") }
    }
}
