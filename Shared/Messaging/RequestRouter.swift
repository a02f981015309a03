package import WireProtocol

/// What a service answers: one handler for each method, collected before the server starts.
package struct RequestRouter: Sendable {
    package let service: String
    private(set) var routes: [String: Route] = [:]
    private let recheck: Recheck?

    /// What a caller is now whose token says that they are more than others: it says so for minutes after that was taken from them.
    package typealias Recheck = @Sendable (Caller, MethodKind) async throws -> Caller

    /// One method with its types erased.
    struct Route: Sendable {
        let kind: MethodKind
        let peers: Set<PeerRole>
        let handle: @Sendable (RequestEnvelope, RequestContext) async throws -> RawReply
    }

    /// The router of `service`; `<service>.ping` is in it.
    /// - Parameter recheck: asked before each request of a caller with roles.
    package init(service: String, recheck: Recheck? = nil) {
        self.service = service
        self.recheck = recheck
        on(CommonMethods(service: service).ping) { _, _, _ in Nothing() }
    }

    /// Answers `method` by `handler`, which runs on the reactor.
    ///
    /// A `ServiceError` that it throws becomes the reply; any other error becomes `internal_error`, and is logged here.
    /// Each method once, and only those of this service. Write `handler` without a capture list: with one, Swift 6.3 runs the closure
    /// on the global executor, whatever type it is passed as, and the request changes threads twice.
    package mutating func on<Parameters, Body, Reply>(
        _ method: Method<Parameters, Body, Reply>,
        _ handler: @escaping @Sendable (Parameters, Body, RequestContext) async throws -> Reply
    ) {
        add(method) { parameters, body, context in
            RawReply(bytes: try WireJSON.encode(try await handler(parameters, body, context)))
        }
    }

    /// The same for a reply that has a version.
    package mutating func onTagged<Parameters, Body, Reply>(
        _ method: Method<Parameters, Body, Reply>,
        _ handler: @escaping @Sendable (Parameters, Body, RequestContext) async throws -> Tagged<Reply>
    ) {
        add(method) { parameters, body, context in
            let reply = try await handler(parameters, body, context)
            return RawReply(bytes: try WireJSON.encode(reply.value), tag: reply.tag)
        }
    }

    /// The same for a reply whose version follows from its bytes, which so are made only once.
    package mutating func on<Parameters, Body, Reply>(
        _ method: Method<Parameters, Body, Reply>, version: @escaping @Sendable ([UInt8]) -> String,
        _ handler: @escaping @Sendable (Parameters, Body, RequestContext) async throws -> Reply
    ) {
        add(method) { parameters, body, context in
            let bytes = try WireJSON.encode(try await handler(parameters, body, context))
            return RawReply(bytes: bytes, tag: version(bytes))
        }
    }

    private mutating func add<Parameters, Body, Reply>(
        _ method: Method<Parameters, Body, Reply>,
        _ handler: @escaping @Sendable (Parameters, Body, RequestContext) async throws -> RawReply
    ) {
        precondition(method.service == service, "\(method.name) is not a method of \(service)")
        precondition(routes[method.name] == nil, "\(method.name) is answered already")
        let (isForSuspended, kind, recheck) = (method.isForSuspended, method.kind, recheck)
        routes[method.name] = Route(kind: method.kind, peers: method.peers) { request, context in
            // The one place, for each service and whatever it answers.
            guard isForSuspended || !context.caller.isSuspended else { throw ServiceError.notWhileSuspended }
            var context = context
            if let recheck, !context.caller.roles.isEmpty { context.caller = try await recheck(context.caller, kind) }
            let parameters = try WireJSON.decode(Parameters.self, from: request.parameters)
            let body = try WireJSON.decode(Body.self, from: request.body)
            return try await handler(parameters, body, context)
        }
    }
}
