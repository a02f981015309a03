import HTTPTypes
import Hummingbird
import NIOCore
import PlainText
import WireProtocol

/// Answers one route of the table: limits, session, body, the service, and what the answer looks like.
struct APIEndpoint: Sendable {
    let route: APIRoute
    let backend: any Backend
    let limits: RateLimits
    let own: GatewayEndpoints

    func respond(to request: Request, _ given: GatewayContext) async throws -> Response {
        var context = given
        try limits.check(route.limits, for: context)
        try establish(&context)
        if route.method != .get {
            context.requestID = try Idempotency.requestID(request.headers, caller: context.caller)
        }
        switch route.answer {
        case .gateway(let endpoint): return try await own.respond(endpoint, to: request, context)
        case .service(let ask):
            let body = route.body == .json ? try await Self.json(request, context) : []
            let call = APICall(backend: backend, request: request, context: context, body: body)
            return answer(try await ask(call), to: request, context)
        }
    }

    private func establish(_ context: inout GatewayContext) throws(ServiceError) {
        switch route.session {
        case .required: try context.requirePerson()
        case .optional: if let trouble = context.sessionTrouble { throw trouble }
        case .none: context.caller = Caller(address: context.remoteAddress)
        }
        // Services refuse it as well; this is for what the gateway answers by itself.
        guard route.isForSuspended || !context.caller.isSuspended else { throw .notWhileSuspended }
    }

    /// The body's bytes, unread but for what they say they are.
    private static func json(_ request: Request, _ context: GatewayContext) async throws -> [UInt8] {
        let type = HeaderParameters(request.headers[.contentType] ?? "").value.lowercased()
        guard type == "application/json" || type.hasPrefix("application/") && type.hasSuffix("+json") else {
            throw ServiceError(.unsupportedMediaType, "The body must be application/json.")
        }
        let bytes = try await BodyLimits.read(request, limit: BodyLimits.json, in: context)
        guard StreamSafe.isSafe(json: bytes) else {
            throw ServiceError(.malformed, "The body has more accents in a row than any text.")
        }
        return bytes
    }

    private func answer(_ reply: ServiceReply, to request: Request, _ context: GatewayContext) -> Response {
        var headers = HTTPFields()
        guard route.method == .get else {
            headers[.cacheControl] = "no-store"
            guard !reply.body.isEmpty else { return Response(status: route.success, headers: headers) }
            headers[.contentType] = "application/json"
            return Response(
                status: route.success, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: reply.body)))
        }
        let tag = EntityTags.tag(of: reply, for: context.caller)
        headers[.eTag] = tag
        // Asked about each time, and for this person only.
        headers[.cacheControl] = "private, no-cache"
        headers[.vary] = "Authorization, Cookie, Accept-Encoding"
        if EntityTags.matches(request.headers, tag) { return EntityTags.notModified(headers) }
        headers[.contentType] = "application/json"
        return Response(status: route.success, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: reply.body)))
    }
}
