import FoundationEssentials
import GatewayService
import Synchronization
import WireProtocol

/// Services that answer what a test tells them to, and remember what they were asked.
final class FakeBackend: Backend {
    struct Asked: Sendable {
        var method: String
        var kind: MethodKind
        var parameters: [UInt8]
        var body: [UInt8]
        var caller: Caller
        var id: UUID
        var deadline: Date
    }
    typealias Handler = @Sendable (Asked) async throws -> ServiceReply

    /// One request, in the types of its method.
    struct Request<Parameters: Sendable, Content: Sendable>: Sendable {
        let parameters: Parameters
        let content: Content
        let caller: Caller
        let id: UUID
    }

    /// Nobody is apart from anybody, unless a test says so.
    private let handlers = Mutex<[String: Handler]>([
        AuthMethods.apart.name: { _ in ServiceReply(body: try WireJSON.encode(ApartPage(items: []))) }
    ])
    private let refusals = Mutex<[String: ServiceError]>([:])
    private let log = Mutex<[Asked]>([])
    /// How it refuses what no test has said anything about; as a service that is away where it is nil.
    private let unanswered: ServiceError?

    init(unanswered: ServiceError? = nil) { self.unanswered = unanswered }

    // MARK: What was asked

    var asked: [Asked] { log.withLock { $0 } }
    func asked(_ method: String) -> [Asked] { asked.filter { $0.method == method } }

    /// What a method was asked, in order.
    func asked<P, B, R>(_ method: Method<P, B, R>) throws -> [Request<P, B>] {
        try asked(method.name).map { try FakeBackend.request(method, $0) }
    }

    /// The same without what came again under its request id: services do that once.
    func done<P, B, R>(_ method: Method<P, B, R>) throws -> [Request<P, B>] {
        var known: Set<UUID> = []
        return try asked(method).filter { known.insert($0.id).inserted }
    }

    /// The commands among it, in order.
    var commands: [String] { asked.filter { $0.kind == .command }.map(\.method) }

    // MARK: What is answered

    func on(_ method: String, _ handler: @escaping Handler) {
        handlers.withLock { $0[method] = handler }
        refusals.withLock { $0[method] = nil }
    }

    func on<P, B, R>(_ method: Method<P, B, R>, _ reply: @escaping @Sendable (Request<P, B>) async throws -> R) {
        on(method.name) { asked in
            let answer = try await reply(try FakeBackend.request(method, asked))
            return ServiceReply(body: try WireJSON.encode(answer))
        }
    }

    func answer<P, B, R>(_ method: Method<P, B, R>, _ reply: R, tag: String = "") {
        let body = try! WireJSON.encode(reply)
        on(method.name) { _ in ServiceReply(body: body, tag: tag) }
    }

    /// From now on it refuses, or (with nil) answers as before.
    func refuse<P, B, R>(_ method: Method<P, B, R>, _ error: ServiceError?) {
        refusals.withLock { $0[method.name] = error }
    }

    /// Nothing is answered any more: what is said to be answered may hold a door that holds this.
    func end() { handlers.withLock { $0 = [:] } }

    // MARK: The services

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
        // As the router of every service does.
        guard method.isForSuspended || !caller.isSuspended else { throw ServiceError.notWhileSuspended }
        let asked = Asked(
            method: method.name, kind: method.kind, parameters: try WireJSON.encode(parameters), body: body,
            caller: caller, id: id, deadline: deadline)
        log.withLock { $0.append(asked) }
        if let refusal = refusals.withLock({ $0[method.name] }) { throw refusal }
        guard let handler = handlers.withLock({ $0[method.name] }) else {
            throw unanswered ?? ServiceError(.unavailable, "Nobody answers \(method.name).", retryAfter: 3)
        }
        return try await handler(asked)
    }

    private static func request<P, B, R>(_ method: Method<P, B, R>, _ asked: Asked) throws -> Request<P, B> {
        Request(
            parameters: try WireJSON.decode(P.self, from: asked.parameters),
            content: try WireJSON.decode(B.self, from: asked.body), caller: asked.caller, id: asked.id)
    }
}

extension Page {
    /// As many of them as a page has, from where a cursor leads.
    init(_ all: [Item], from cursor: String?, size: Int = 3) {
        let start = cursor.flatMap { Int($0) } ?? 0
        let next = all.count > start + size ? String(start + size) : nil
        self.init(items: Array(all.dropFirst(start).prefix(size)), next: next)
    }
}
