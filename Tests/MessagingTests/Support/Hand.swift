import FoundationEssentials
import Reactor
import Synchronization
import TestKit
import WireProtocol
import ZeroMQ

/// A socket in the test's own hands, for messages that our client would never send.
final class Hand: Sendable {
    private let reactor: Reactor
    private let connection: PeerConnection
    private let heard = Mutex<[[[UInt8]]]>([])

    init(_ kind: ZMQSocket.Kind, to role: String, at endpoint: String, _ context: ZMQContext) async throws {
        reactor = context.reactor
        connection = PeerConnection(kind, to: role, at: [Endpoint(endpoint)!], context: context, logger: quiet)
        await on(reactor) { [self] in
            connection.onMessage = { [weak self] message in self?.heard.withLock { $0.append(message.frames) } }
            connection.open()
        }
    }

    var replies: [[[UInt8]]] { heard.withLock { $0 } }

    func send(_ frames: [[UInt8]]) async throws {
        try await eventually("a connection") { await on(reactor) { [connection] in connection.send(frames) } == .sent }
    }

    /// Sends what libzmq takes of these without waiting, and says how many that were.
    func pour(_ messages: [[[UInt8]]]) async -> Int {
        await on(reactor) { [connection] in messages.prefix { connection.send($0) == .sent }.count }
    }

    func close() async { await on(reactor) { [connection] in connection.close() } }
}

/// A server that answers wrongly several times before it answers rightly.
final class Rogue: Sendable {
    private let reactor: Reactor
    private let socket: ZMQSocket
    let endpoint: String

    init(_ context: ZMQContext) async throws {
        reactor = context.reactor
        (socket, endpoint) = try await withCheckedThrowingContinuation { done in
            context.reactor.submit {
                done.resume(
                    with: Result {
                        let socket = try ZMQSocket(.router, security: .server, context: context)
                        return (socket, try socket.bind("tcp://127.0.0.1:*"))
                    })
            }
        }
        await on(reactor) { [self] in
            socket.onMessage = { [weak self] message in self?.answer(message.frames) }
        }
    }

    private func answer(_ frames: [[UInt8]]) {
        guard let request = try? RequestEnvelope(frames: Array(frames[3...])) else { return }
        func reply(_ id: UUID, _ text: String) -> [[UInt8]] {
            (try? ReplyEnvelope(id: id, outcome: .success(WireJSON.encode(Note(text)))).frames()) ?? []
        }
        let (peer, number) = (frames[0], frames[1])
        for message: [[UInt8]] in [
            [[9]], [[0, 0, 0, 0, 0, 0, 0, 99], []] + reply(request.id, "of another number"), [number], [[], [], []],
            [number, []] + reply(request.id, "right"), [number, []] + reply(request.id, "too late"),
        ] { _ = socket.send([peer] + message) }
    }

    func close() async { await on(reactor) { [socket] in socket.close() } }
}

/// A PUB socket in the test's own hands, for what our publisher would never say. Whoever holds the role's key can have one.
final class RoguePublisher: Sendable {
    private let reactor: Reactor
    private let socket: ZMQSocket
    let endpoint: String

    init(_ context: ZMQContext) async throws {
        reactor = context.reactor
        (socket, endpoint) = try await withCheckedThrowingContinuation { done in
            context.reactor.submit {
                done.resume(
                    with: Result {
                        let roles: Set = [PeerRole.gateway.rawValue]
                        let socket = try ZMQSocket(.publisher, security: .serverOf(roles), context: context)
                        return (socket, try socket.bind("tcp://127.0.0.1:*"))
                    })
            }
        }
    }

    func say(_ messages: [[[UInt8]]]) async {
        await on(reactor) { [socket] in for frames in messages { _ = socket.send(frames) } }
    }

    func close() async { await on(reactor) { [socket] in socket.close() } }
}

extension ReplyEnvelope {
    /// The reply behind a number and a delimiter; nil where there is no delimiter.
    init?(_ frames: [[UInt8]]) throws {
        guard let delimiter = frames.firstIndex(of: []) else { return nil }
        try self.init(frames: Array(frames[(delimiter + 1)...]))
    }

    var code: ErrorCode? {
        if case .failure(let error) = outcome { error.code } else { nil }
    }
}

func on<T: Sendable>(_ reactor: Reactor, _ body: @escaping @Sendable () -> T) async -> T {
    await withCheckedContinuation { done in reactor.submit { done.resume(returning: body()) } }
}
