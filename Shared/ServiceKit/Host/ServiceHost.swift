package import Configuration
package import Logging
import Messaging
package import Reactor
package import WireProtocol
package import ZeroMQ

/// What a service is wired from: its settings, its log, its thread, its place on the bus.
///
/// `ServiceHost.run` makes one and hands it to the wiring; a test that hosts a service in its own process makes it with the
/// initialiser.
package struct ServiceHost: Sendable {
    /// The service's name, on the bus and in the log.
    package let name: String
    package let role: PeerRole
    /// Scoped to `kampong`: the key `bus.requests` is `KAMPONG_BUS_REQUESTS`.
    package let config: ConfigReader
    package let logger: Logger
    /// The one thread that sockets, database connections and handlers of this process run on.
    package let reactor: Reactor
    /// The process's one ZeroMQ context; `requestServer` and its like use it.
    package let context: ZMQContext
    package let bus: BusIdentity
    /// Conditions of readiness; the wiring adds its own.
    package let readiness: Readiness
    package let metrics: PrometheusRegistry

    /// Reads the bus's keys (`bus.secretkey`, `bus.publickeys`) and starts the reactor's thread; `close` ends it.
    /// - Throws: `ConfigurationProblem`.
    package init(name: String, role: PeerRole, config: ConfigReader, telemetry: Telemetry) throws(ConfigurationProblem)
    {
        self.name = name
        self.role = role
        self.config = config
        logger = telemetry.logger
        metrics = telemetry.metrics
        bus = try Self.identity(role, config)
        let reactor = Reactor(
            name: name, staysAwake: try config.seconds("reactor.awake", default: Reactor.usuallyStaysAwake))
        self.reactor = reactor
        context = ZMQContext(identity: bus, reactor: reactor, logger: telemetry.logger)
        readiness = Readiness(logger: telemetry.logger)
        readiness.require("reactor") { _ = await reactor.ping() }
    }

    /// Ends the reactor's thread. For the end of the process, when all services have returned; not from the reactor itself.
    package func close() {
        reactor.stop()
    }

    private static func identity(_ role: PeerRole, _ config: ConfigReader) throws(ConfigurationProblem) -> BusIdentity {
        let (secret, publics) = (try config.required("bus.secretkey"), try config.required("bus.publickeys"))
        do {
            return try .load(secretKey: secret, publicKeys: publics, role: role)
        } catch {
            throw ConfigurationProblem("\(error)")
        }
    }
}
