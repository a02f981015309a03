import Glibc
import Logging
import Reactor
import Synchronization

@testable import ZeroMQ

/// A directory of keys for one test, removed at its end.
final class Keys: Sendable {
    let path: String
    var publicKeys: String { "\(path)/public" }

    init() {
        var template = Array("/tmp/kampong-keys-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("mkdtemp: errno \(errno)") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        for directory in ["secret", "public", "."] {
            let parent = "\(path)/\(directory)"
            for name in Keys.names(in: parent) { unlink("\(parent)/\(name)") }
            rmdir(parent)
        }
        rmdir(path)
    }

    static func names(in path: String) -> [String] {
        guard let handle = opendir(path) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }

    func identity(_ role: String) throws -> BusIdentity { try BusKeys.create(role: role, in: path) }

    /// Puts a key into the directory, or anything else.
    func publish(_ text: String, as name: String) {
        guard let file = fopen("\(publicKeys)/\(name).pub", "w") else { preconditionFailure("fopen: errno \(errno)") }
        fputs(text, file)
        fclose(file)
    }

    func withdraw(_ name: String) { unlink("\(publicKeys)/\(name).pub") }
}

func quiet() -> Logger { Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }) }

/// Runs `body` on the thread and returns what it returns.
func on<T: Sendable>(_ reactor: Reactor, _ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { done in reactor.submit { done.resume(with: Result(catching: body)) } }
}

/// Waits until `condition` holds.
func eventually(within limit: Duration = .seconds(30), _ condition: () async throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return false
}

/// A ROUTER that notes what it receives and echoes it.
final class Echo: Sendable {
    let reactor: Reactor
    let socket: ZMQSocket
    let endpoint: String
    private let heard = Mutex<[ZMQMessage]>([])

    init(
        _ context: ZMQContext, at address: String = "tcp://127.0.0.1:*", security: ZMQSocket.Security = .server
    ) async throws {
        reactor = context.reactor
        (socket, endpoint) = try await on(context.reactor) {
            let socket = try ZMQSocket(.router, security: security, context: context)
            return (socket, try socket.bind(address))
        }
        try await on(reactor) { [self] in
            socket.onMessage = { [weak self] message in
                self?.heard.withLock { $0.append(message) }
                _ = self?.socket.send(message.frames)
            }
        }
    }

    var messages: [ZMQMessage] { heard.withLock { $0 } }
    func close() async throws { try await on(reactor) { [socket] in socket.close() } }
}

/// A DEALER that notes what it receives.
final class Asker: Sendable {
    let reactor: Reactor
    let connection: PeerConnection
    private let heard = Mutex<[[[UInt8]]]>([])

    init(
        _ context: ZMQContext, to role: String, at endpoints: [String],
        resolver: @escaping PeerConnection.Resolver = { $0.resolved() }
    ) async throws {
        reactor = context.reactor
        connection = PeerConnection(
            .dealer, to: role, at: endpoints.map { Endpoint($0)! }, context: context, logger: quiet(),
            resolver: resolver)
        try await on(reactor) { [self] in
            connection.onMessage = { [weak self] message in self?.heard.withLock { $0.append(message.frames) } }
            connection.open()
        }
    }

    var replies: [[[UInt8]]] { heard.withLock { $0 } }
    func send(_ frames: [[UInt8]]) async throws -> SendOutcome {
        try await on(reactor) { [connection] in connection.send(frames) }
    }
    func close() async throws { try await on(reactor) { [connection] in connection.close() } }

    /// Sends once somebody is connected.
    func sendWhenConnected(_ frames: [[UInt8]]) async throws -> Bool {
        try await eventually { try await send(frames) == .sent }
    }
}

/// Keys, and contexts on reactors of their own, as if in several processes.
final class Bench: Sendable {
    let keys = Keys()
    private let reactors = Mutex<[Reactor]>([])

    func context(_ role: String, identity: BusIdentity? = nil, logger: Logger = quiet()) throws -> ZMQContext {
        let reactor = Reactor(name: role)
        reactors.withLock { $0.append(reactor) }
        return ZMQContext(identity: try identity ?? keys.identity(role), reactor: reactor, logger: logger)
    }

    func stop() { for reactor in reactors.withLock({ $0 }) { reactor.stop() } }
}

func withBench(_ body: (Bench) async throws -> Void) async throws {
    let bench = Bench()
    defer { bench.stop() }
    try await body(bench)
}
