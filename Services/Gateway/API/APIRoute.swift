import FoundationEssentials
package import HTTPTypes
import Hummingbird
import WireProtocol

/// One call of the HTTP interface: what the server and the OpenAPI document are built from.
package struct APIRoute: Sendable {
    package var method: HTTPRequest.Method
    /// As OpenAPI writes it: `/v1/spots/{id}`.
    package var path: String
    /// OpenAPI's `operationId`.
    package var operation: String
    package var session: SessionNeed
    package var limits: LimitClass
    package var body: BodyKind
    package var success: HTTPResponse.Status
    /// Whether a session that was opened while its person is suspended is good for it.
    package var isForSuspended: Bool
    /// Whether it is answered a page at a time.
    package var isPaged = false
    let answer: Answer

    /// Whether someone must be signed in.
    package enum SessionNeed: Sendable {
        case required, optional
        /// Credentials are not looked at, and bad ones do no harm.
        case none
    }

    package enum BodyKind: Sendable {
        case none, json
        /// A picture, by itself or in a multipart form.
        case photo
    }

    /// How an answer comes about.
    enum Answer: Sendable {
        /// By one service, whose bytes are passed on.
        case service(@Sendable (APICall) async throws -> ServiceReply)
        /// By the gateway itself, from what `GatewayEndpoint` knows.
        case gateway(GatewayEndpoint)
    }

    /// What the gateway answers by itself.
    package enum GatewayEndpoint: Sendable {
        case about, document, stream, photo, calendar, archive, authorize, comeBack
    }
}

/// One request on its way to a service.
struct APICall: Sendable {
    let backend: any Backend
    let request: Request
    let context: GatewayContext
    let body: [UInt8]
}

extension APIRoute {
    /// A call that one method of one service answers; `read` takes its parameters from the address.
    static func service<Parameters, Body, Reply>(
        _ method: HTTPRequest.Method, _ path: String, _ operation: String, _ target: Method<Parameters, Body, Reply>,
        session: SessionNeed = .required, limits: LimitClass? = nil, success: HTTPResponse.Status? = nil,
        read: @escaping @Sendable (inout ParameterReader, APICall) -> Parameters
    ) -> APIRoute {
        APIRoute(
            method: method, path: path, operation: operation, session: session,
            limits: limits ?? (method == .get ? .read : .write), body: Body.self == Nothing.self ? .none : .json,
            success: success ?? (Reply.self == Nothing.self ? .noContent : .ok),
            isForSuspended: target.isForSuspended, isPaged: Parameters.self is any PagedQuery.Type,
            answer: .service { call in
                // Who takes nothing from the address has no reason to refuse what stands there.
                let query = Parameters.self == Nothing.self ? nil : call.request.uri.query
                var reader = ParameterReader(path: call.context.parameters, query: query)
                let parameters = try reader.read { read(&$0, call) }
                return try await call.backend.forward(
                    target, parameters, body: call.body, as: call.context.caller, id: call.context.requestID,
                    deadline: Date(timeIntervalSinceNow: 5))
            })
    }

    /// The same, where the address carries nothing.
    static func service<Body, Reply>(
        _ method: HTTPRequest.Method, _ path: String, _ operation: String, _ target: Method<Nothing, Body, Reply>,
        session: SessionNeed = .required, limits: LimitClass? = nil, success: HTTPResponse.Status? = nil
    ) -> APIRoute {
        service(
            method, path, operation, target, session: session, limits: limits, success: success
        ) { _, _ in Nothing() }
    }

    static func gateway(
        _ method: HTTPRequest.Method, _ path: String, _ operation: String, _ endpoint: GatewayEndpoint,
        session: SessionNeed, limits: LimitClass, body: BodyKind = .none, success: HTTPResponse.Status = .ok,
        isForSuspended: Bool = false
    ) -> APIRoute {
        APIRoute(
            method: method, path: path, operation: operation, session: session, limits: limits, body: body,
            success: success, isForSuspended: isForSuspended, answer: .gateway(endpoint))
    }
}
