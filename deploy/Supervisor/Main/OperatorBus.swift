import ArgumentParser
import Configuration
import FoundationEssentials
import Logging
import Messaging
import Reactor
import ServiceKit
import Supervisor
import WireProtocol
import ZeroMQ

/// How a command gets onto the bus, as the operator.
struct OperatorBus: ParsableArguments {
    @Option(
        help: """
            The supervision file of the stack; addresses and keys are taken from it. Without it they come from \
            KAMPONG_PEERS_…_REQUESTS, KAMPONG_BUS_SECRETKEY and KAMPONG_BUS_PUBLICKEYS.
            """)
    var stack: String?

    /// Calls `body` with a client that knows the requests of every service that is configured.
    func use<Result: Sendable>(
        _ body: @escaping @Sendable (_ client: RequestClient, _ services: [PeerRole]) async throws -> Result
    ) async throws -> Result {
        let (config, _) = try await Settings.load(arguments: [], environment: try environment())
        let peers = try PeerRole.allCases.reduce(into: [PeerRole: [String]]()) { peers, role in
            let key = "peers.\(role.rawValue).requests"
            if config.string(forKey: ConfigKey(path: key)) != nil { peers[role] = try config.list(key) }
        }
        guard !peers.isEmpty else { throw ConfigurationProblem.missing("peers.auth.requests") }
        let identity = try BusIdentity.load(
            secretKey: try config.required("bus.secretkey"), publicKeys: try config.required("bus.publickeys"),
            role: .operator)
        var logger = Logger(label: "kampong")
        logger.logLevel = .error
        let reactor = Reactor(name: "kampong")
        let context = ZMQContext(identity: identity, reactor: reactor, logger: logger)
        let client = try RequestClient(peers: peers, context: context, logger: logger)
        let services = peers.keys.sorted { $0.rawValue < $1.rawValue }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            defer { group.cancelAll() }
            return try await body(client, services)
        }
    }

    private func environment() throws -> [String: String] {
        let own = ProcessInfo.processInfo.environment
        guard let stack else { return own }
        let processes = try ProcessSpecification.read(stack)
        var found = processes.reduce(into: [String: String]()) { all, process in
            all.merge(process.environment.filter { $0.key.hasPrefix("KAMPONG_PEERS_") }) { first, _ in first }
        }
        if let keys = processes.compactMap({ $0.environment["KAMPONG_BUS_PUBLICKEYS"] }).first {
            found["KAMPONG_BUS_PUBLICKEYS"] = keys
            let parent = keys.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            found["KAMPONG_BUS_SECRETKEY"] = "\(parent)/secret/\(PeerRole.operator.rawValue).key"
        }
        // What the operator says by hand wins.
        return found.merging(own.filter { $0.key.hasPrefix("KAMPONG_") }) { _, own in own }
    }
}
