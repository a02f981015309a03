import HTTPTypes
package import Hummingbird
import WireProtocol

/// Establishes who asks: by Bearer token, or by the session cookies of a browser, which it also renews.
///
/// Credentials that do not hold make nobody of the caller, and `sessionTrouble` says why; whoever needs somebody throws that.
package struct SessionMiddleware: RouterMiddleware {
    package typealias Context = GatewayContext

    private let sessions: WebSessions
    private let csrf: CSRF
    private let limits: RateLimits

    package init(sessions: WebSessions, csrf: CSRF, limits: RateLimits) {
        self.sessions = sessions
        self.csrf = csrf
        self.limits = limits
    }

    package func handle(
        _ request: Request, context: GatewayContext, next: (Request, GatewayContext) async throws -> Response
    ) async throws -> Response {
        guard Self.concerns(request.uri.path) else { return try await next(request, context) }
        var context = context
        if let header = request.headers[.authorization] {
            await bearer(header, &context)
            return try await next(request, context)
        }
        switch await sessions.resolve(request, within: RefreshLimit(limits: limits, context: context)) {
        case .none: return try await next(request, context)
        case .unknown(let trouble):
            context.sessionTrouble = trouble
            return try await next(request, context)
        case .dead:
            // Whose session is dead may sign in, and nobody else may do it for them.
            context.sessionTrouble = AccessTokenError.revoked.problem
            var response = try await next(request, context)
            // A sign-in that just succeeded has set new ones.
            if !sessions.areSet(on: response) { sessions.end(on: &response) }
            return response
        case .session(let claims, let renewed):
            context.adopt(claims)
            context.webSession = WebSession(id: claims.sid, person: claims.sub, csrfToken: csrf.token(for: claims.sid))
            var response = try await next(request, context)
            if let renewed, !sessions.areSet(on: response) { sessions.start(renewed, on: &response) }
            return response
        }
    }

    /// Files are the same for everybody.
    private static func concerns(_ path: String) -> Bool {
        !path.hasPrefix("/assets/") && !path.hasPrefix("/photos/") && path != "/v1/openapi.json" && path != "/v1/about"
    }

    private func bearer(_ header: String, _ context: inout GatewayContext) async {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            context.sessionTrouble = AccessTokenError.invalid.problem
            return
        }
        do {
            context.adopt(try await sessions.tokens.verify(String(parts[1]).trimmed))
        } catch {
            context.sessionTrouble = error.problem
        }
    }
}

/// Refuses what other sites try to do with a person's cookies: whatever changes something must come from a page of ours, and a
/// script must also show that it has read one.
///
/// Inside of `SessionMiddleware`, so that a session which was renewed on the way reaches the browser with the refusal.
package struct OriginMiddleware: RouterMiddleware {
    package typealias Context = GatewayContext

    private let csrf: CSRF

    package init(csrf: CSRF) { self.csrf = csrf }

    package func handle(
        _ request: Request, context: GatewayContext, next: (Request, GatewayContext) async throws -> Response
    ) async throws -> Response {
        try check(request, context)
        return try await next(request, context)
    }

    private func check(_ request: Request, _ context: GatewayContext) throws(ServiceError) {
        guard ![.get, .head, .options].contains(request.method) else { return }
        let isAPI = request.uri.path.hasPrefix("/v1/")
        // Without a session `/v1` hands its tokens to the one who asks, not to the browser: nothing to protect.
        if isAPI, context.webSession == nil { return }
        guard csrf.isFromOurPages(request.head) else {
            throw ServiceError(.forbidden, "This request came from another site.")
        }
        if isAPI, let session = context.webSession {
            try csrf.check(request.headers[CSRF.header], session: session.id)
        }
    }
}

extension GatewayContext {
    /// Takes on whom a verified access token names.
    mutating func adopt(_ claims: AccessTokenClaims) {
        caller.person = claims.sub
        caller.session = claims.sid
        caller.campus = claims.campus
        caller.roles = claims.roles ?? []
        sessionExpiry = claims.exp
    }
}
