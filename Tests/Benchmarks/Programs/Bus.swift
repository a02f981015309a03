import ArgumentParser
import FoundationEssentials
import Logging
import Messaging
import Reactor
import ServiceLifecycle
import WireProtocol
import ZeroMQ

/// What is asked: 256 bytes come, 256 bytes go back, typed at the server as in every service.
private struct Note: Codable, Sendable {
    var text: String
    static let echo = Method<Nothing, Note, Note>("auth.echo", .query)
}

let quiet = Logger(label: "benchmarks") { _ in SwiftLogNoOpLogHandler() }

func busContext(_ role: PeerRole, keys: String) throws -> ZMQContext {
    ZMQContext(
        identity: try BusKeys.create(role: role, in: keys),
        // As every service has it.
        reactor: Reactor(name: role.rawValue, staysAwake: Reactor.usuallyStaysAwake), logger: quiet)
}

struct BusServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Answers the bus's round trips until it is ended.")
    @Option(help: "A folder for the keys of the bus.") var keys: String
    @Option(help: "Where to bind.") var endpoint: String

    func run() async throws {
        var router = RequestRouter(service: "auth")
        router.on(Note.echo) { _, note, _ in note }
        try await RequestServer(
            router, context: busContext(.auth, keys: keys), endpoint: endpoint, logger: quiet
        ).run()
    }
}

struct BusClient: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures the bus's round trips.")
    @Option(help: "The server's folder of keys.") var keys: String
    @Option(help: "Where the server is bound.") var endpoint: String
    @Option(help: "How many requests are under way at once.") var crowd = 1
    @Option(help: "How long to measure.") var seconds = 3.0

    func run() async throws {
        let context = try busContext(.gateway, keys: keys)
        let client = try RequestClient(peers: [.auth: [endpoint]], context: context, logger: quiet)
        let life = Task { try await client.run() }
        let body = try WireJSON.encode(Note(text: String(repeating: "x", count: 256 - 11)))
        precondition(body.count == 256)
        // As the gateway asks: bytes that it does not read.
        let summary = try await repeatedly(crowd: crowd, seconds: seconds, on: context.reactor) { _ in
            _ = try await client.forward(
                Note.echo, Nothing(), body: body, as: .anonymous, id: .version7(), deadline: Date() + 5)
        }
        life.cancel()
        try report(summary)
    }
}
