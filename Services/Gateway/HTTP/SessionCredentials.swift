import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// Establishes who asks: by Bearer token, or by the session cookies of a browser, which it also renews.
///
/// Credentials that do not hold make nobody of the caller, and `sessionTrouble` says why; whoever needs somebody throws that.
package struct SessionCredentials: Sendable {
    private let sessions: WebSessions
    private let csrf: CSRF
    private let limits: RateLimits

    package init(sessions: WebSessions, csrf: CSRF, limits: RateLimits) {
        self.sessions = sessions
        self.csrf = csrf
        self.limits = limits
    }

    /// What becomes of a browser's cookies with whatever answer there will be.
    enum Cookies {
        case stay
        case renew(SessionTokens)
        case takeBack
    }

    func establish(_ request: Request, _ context: inout GatewayContext) async -> Cookies {
        if let header = request.headers[.authorization] {
            if Self.concerns(context.path) { await bearer(header, &context) }
            return .stay
        }
        guard request.headers[.cookie] != nil, Self.concerns(context.path) else { return .stay }
        switch await sessions.resolve(request, within: RefreshLimit(limits: limits, context: context)) {
        case .none: return .stay
        case .unknown(let trouble):
            context.sessionTrouble = trouble
            return .stay
        case .dead(let reason):
            // Whose session is dead may sign in, and nobody else may do it for them.
            context.sessionTrouble = reason ?? AccessTokenError.revoked.problem
            return .takeBack
        case .session(let claims, let renewed):
            context.adopt(claims)
            context.webSession = WebSession(id: claims.sid, person: claims.sub, csrfToken: csrf.token(for: claims.sid))
            return renewed.map { .renew($0) } ?? .stay
        }
    }

    /// A sign-in that just succeeded has set its own cookies, which stay.
    func put(_ cookies: Cookies, on response: inout Response) {
        switch cookies {
        case .stay: break
        case .renew(let tokens): if !sessions.areSet(on: response) { sessions.start(tokens, on: &response) }
        case .takeBack: if !sessions.areSet(on: response) { sessions.end(on: &response) }
        }
    }

    /// Files are the same for everybody.
    private static func concerns(_ path: String) -> Bool {
        !path.hasPrefix("/assets/") && !path.hasPrefix("/photos/") && !path.hasPrefix("/map/")
            && path != "/v1/openapi.json" && path != "/v1/about"
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

extension GatewayContext {
    /// Takes on whom a verified access token names.
    mutating func adopt(_ claims: AccessTokenClaims) {
        caller.person = claims.sub
        caller.session = claims.sid
        caller.campus = claims.campus
        caller.roles = claims.roles ?? []
        caller.isSuspended = claims.suspended ?? false
        sessionExpiry = claims.exp
    }
}
