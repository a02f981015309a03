import FoundationEssentials
import GatewayService
import Synchronization
import WireProtocol

/// Services that answer what a test tells them to, and remember what they were asked.
final class FakeBackend: Backend {
    struct Asked: Sendable {
        var method: String
        var parameters: [UInt8]
        var body: [UInt8]
        var caller: Caller
        var id: UUID
        var deadline: Date
    }
    typealias Handler = @Sendable (Asked) async throws -> ServiceReply

    /// Nobody is apart from anybody, unless a test says so.
    private let handlers = Mutex<[String: Handler]>([
        AuthMethods.apart.name: { _ in ServiceReply(body: try WireJSON.encode(ApartPage(items: []))) }
    ])
    private let log = Mutex<[Asked]>([])

    var asked: [Asked] { log.withLock { $0 } }
    func asked(_ method: String) -> [Asked] { asked.filter { $0.method == method } }

    func on(_ method: String, _ handler: @escaping Handler) { handlers.withLock { $0[method] = handler } }

    func answer<P, B, R>(_ method: Method<P, B, R>, _ reply: R, tag: String = "") {
        let body = try! WireJSON.encode(reply)
        on(method.name) { _ in ServiceReply(body: body, tag: tag) }
    }

    func refuse<P, B, R>(_ method: Method<P, B, R>, _ error: ServiceError) { on(method.name) { _ in throw error } }

    func call<P, B, R>(
        _ method: Method<P, B, R>, _ parameters: P, _ body: B, as caller: Caller, id: UUID, deadline: Date
    ) async throws -> R {
        let reply = try await forward(
            method, parameters, body: WireJSON.encode(body), as: caller, id: id, deadline: deadline)
        return try WireJSON.decode(from: reply.body)
    }

    func forward<P, B, R>(
        _ method: Method<P, B, R>, _ parameters: P, body: [UInt8], as caller: Caller, id: UUID, deadline: Date
    ) async throws -> ServiceReply {
        let asked = Asked(
            method: method.name, parameters: try WireJSON.encode(parameters), body: body, caller: caller, id: id,
            deadline: deadline)
        log.withLock { $0.append(asked) }
        guard let handler = handlers.withLock({ $0[method.name] }) else {
            throw ServiceError(.unavailable, "Nobody answers \(method.name).", retryAfter: 3)
        }
        return try await handler(asked)
    }
}
