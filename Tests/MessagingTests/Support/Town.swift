import Foundation
import Logging
import Reactor
import ServiceLifecycle
import Synchronization
import TestKit
import WireProtocol
import ZeroMQ

@testable import Messaging

/// A bus for one test: keys in a directory of its own, contexts on reactors of their own as if in several processes, and
/// services that are ended with it.
final class Town: Sendable {
    let directory: TemporaryDirectory
    private let reactors = Mutex<[Reactor]>([])
    private let services = Mutex<[Running]>([])

    init() throws { directory = try TemporaryDirectory("bus") }

    func context(_ role: PeerRole) throws -> ZMQContext {
        try context(BusKeys.create(role: role, in: directory.path))
    }

    func context(_ identity: BusIdentity, logger: Logger = quiet) -> ZMQContext {
        let reactor = Reactor(name: identity.role)
        reactors.withLock { $0.append(reactor) }
        return ZMQContext(identity: identity, reactor: reactor, logger: logger)
    }

    /// Runs a service until the test's end, or until told otherwise.
    @discardableResult
    func start(_ service: some Service) -> Running {
        let running = Running(service)
        services.withLock { $0.append(running) }
        return running
    }

    /// A server of `router` as role `auth`, and where it is.
    func serve(
        _ router: RequestRouter, at endpoint: String = "tcp://127.0.0.1:*", limits: RequestServer.Limits = .init(),
        in context: ZMQContext? = nil, logger: Logger = quiet
    ) async throws -> (running: Running, endpoint: String, context: ZMQContext) {
        let context = try context ?? self.context(PeerRole(rawValue: router.service)!)
        var patience = 50
        while true {
            let server = RequestServer(router, context: context, endpoint: endpoint, limits: limits, logger: logger)
            let running = start(server)
            do {
                return (running, try await server.address(), context)
            } catch let error as ZMQError where error.code == EADDRINUSE && patience > 0 {
                // libzmq's own thread lets go of the port of a server that has ended, when it comes round to it.
                patience -= 1
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// A client of `auth` at these endpoints.
    func client(
        _ role: PeerRole = .gateway, of endpoints: String...,
        resolver: @escaping PeerConnection.Resolver = { $0.resolved() }
    ) throws -> RequestClient {
        let client = try RequestClient(
            peers: [.auth: endpoints], context: context(role), logger: quiet, resolver: resolver)
        start(client)
        return client
    }

    /// Two replicas of `auth`, and a client to which each of them has answered: from there on they get its requests in turn.
    /// - Parameter route: by which endpoint the client reaches the second.
    func replicas(
        _ first: RequestRouter, _ second: RequestRouter,
        by route: (_ endpoint: String) async -> String = { $0 }
    ) async throws -> RequestClient {
        let name = Method<Nothing, Nothing, Note>("auth.name", .query)
        func named(_ router: RequestRouter, _ text: String) -> RequestRouter {
            var router = router
            router.on(name) { _, _, _ in Note(text) }
            return router
        }
        let one = try await serve(named(first, "first"))
        let two = try await serve(named(second, "second"), in: one.context)
        let client = try client(of: one.endpoint, await route(two.endpoint))
        var heard: Set<String> = []
        try await eventually("an answer of each replica", within: .seconds(30)) {
            heard.insert(try await client.call(name, Nothing(), Nothing()).text)
            return heard.count == 2
        }
        return client
    }

    func close() async {
        for service in services.withLock({ $0 }) { await service.kill() }
        for reactor in reactors.withLock({ $0 }) { reactor.stop() }
    }
}

let quiet = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

/// A town for one test, torn down at its end.
func withTown(_ body: (Town) async throws -> Void) async throws {
    let town = try Town()
    do { try await body(town) } catch {
        await town.close()
        throw error
    }
    await town.close()
}

/// A service in a group of its own, to be shut down gracefully or not.
final class Running: Sendable {
    private let group: ServiceGroup
    private let task: Task<Void, any Error>

    init(_ service: some Service) {
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: service, successTerminationBehavior: .ignore)], logger: quiet))
        self.group = group
        task = Task { try await group.run() }
    }

    func shutDown() async {
        await group.triggerGracefulShutdown()
        _ = await task.result
    }

    /// As if the process had ended.
    func kill() async {
        task.cancel()
        _ = await task.result
    }
}

// MARK: What the tests ask

struct Note: Codable, Hashable, Sendable {
    var text: String
    init(_ text: String) { self.text = text }
}

enum Ask {
    static let echo = Method<Note, Note, Note>("auth.echo", .command, peers: [.gateway])
    static let look = Method<Nothing, Nothing, Note>("auth.look", .query, peers: [.gateway])
    static let ofNobody = Method<Nothing, Nothing, Nothing>("auth.unknown", .query)
}

/// Counts, and remembers the highest of what was there at once.
final class Gauge: Sendable {
    private let state = Mutex<(now: Int, most: Int, total: Int)>((0, 0, 0))
    var total: Int { state.withLock { $0.total } }
    var now: Int { state.withLock { $0.now } }
    var most: Int { state.withLock { $0.most } }
    func enter() {
        state.withLock {
            $0.now += 1
            $0.total += 1
            $0.most = max($0.most, $0.now)
        }
    }
    func leave() { state.withLock { $0.now -= 1 } }
}

/// Holds handlers back until the test lets them go on.
final class Barrier: Sendable {
    private let isOpen = Mutex(false)
    func open() { isOpen.withLock { $0 = true } }
    func pass() async throws { while !isOpen.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) } }
}

func failure(_ body: () async throws -> Void) async -> ServiceError? {
    do {
        try await body()
        return nil
    } catch { return error as? ServiceError }
}
