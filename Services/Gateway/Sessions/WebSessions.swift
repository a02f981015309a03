package import FoundationEssentials
package import Hummingbird
package import WireProtocol

/// A session that a browser holds in cookies.
package struct WebSession: Hashable, Sendable {
    package var id: SessionID
    package var person: PersonID
    /// For the field `csrf` of every form, and the header `X-CSRF-Token` of scripts.
    package var csrfToken: String

    package init(id: SessionID, person: PersonID, csrfToken: String) {
        self.id = id
        self.person = person
        self.csrfToken = csrfToken
    }
}

/// Sessions of the web pages: tokens in cookies that scripts cannot read, refreshed when they run out.
package struct WebSessions: Sendable {
    private let backend: any Backend
    private let refresher: SessionRefresher
    private let secure: Bool
    let tokens: any AccessTokenVerifier
    let csrf: CSRF
    let keptForms: KeptFormCookie
    /// How long a browser keeps the refresh token; auth decides how long it is good for.
    private static let refreshLifetime = 60 * 24 * 3600

    package init(backend: any Backend, tokens: any AccessTokenVerifier, csrf: CSRF, secure: Bool) {
        self.backend = backend
        self.tokens = tokens
        self.csrf = csrf
        self.secure = secure
        keptForms = KeptFormCookie(secure: secure)
        refresher = SessionRefresher(backend: backend)
    }

    package var accessCookie: String { (secure ? "__Host-" : "") + "kampong_access" }
    package var refreshCookie: String { (secure ? "__Host-" : "") + "kampong_refresh" }

    // MARK: For pages

    /// Signs in, once for each `id`; follow with `start(_:on:)` on the response.
    package func signIn(
        _ body: SignIn, for request: Request, in context: GatewayContext, id: UUID
    ) async throws -> SignedIn {
        try await backend.call(
            AuthMethods.signIn, Self.device(of: request, in: context), body, as: context.caller, id: id)
    }

    /// The same with a passkey.
    package func signIn(
        _ body: PasskeySignIn, for request: Request, in context: GatewayContext, id: UUID
    ) async throws -> SignedIn {
        try await backend.call(
            AuthMethods.signInWithPasskey, Self.device(of: request, in: context), body, as: context.caller, id: id)
    }

    /// Makes an account, once for each `id`; follow with `start(_:on:)` on the response.
    package func signUp(
        _ body: SignUp, for request: Request, in context: GatewayContext, id: UUID
    ) async throws -> NewAccount {
        try await backend.call(
            AuthMethods.signUp, Self.device(of: request, in: context), body, as: context.caller, id: id)
    }

    /// Ends the session at auth; follow with `end(on:)` on the response. A session that is dead already is no error.
    package func signOut(in context: GatewayContext) async throws {
        guard context.caller.session != nil else { return }
        do {
            _ = try await backend.call(
                AuthMethods.signOut, Nothing(), Nothing(), as: context.caller, id: context.requestID)
        } catch let error as ServiceError where error.code == .unauthenticated {}
    }

    /// Gives the browser the cookies of a session.
    package func start(_ tokens: SessionTokens, on response: inout Response) {
        response.setCookie(cookie(accessCookie, tokens.accessToken, lifetime: tokens.expiresIn))
        response.setCookie(cookie(refreshCookie, tokens.refreshToken, lifetime: Self.refreshLifetime))
    }

    /// Takes the cookies back.
    package func end(on response: inout Response) {
        response.setCookie(cookie(accessCookie, "", lifetime: 0))
        response.setCookie(cookie(refreshCookie, "", lifetime: 0))
    }

    /// Whether the handler has given cookies of a session, or taken them back.
    func areSet(on response: Response) -> Bool {
        response.headers[values: .setCookie].contains { $0.hasPrefix("\(refreshCookie)=") }
    }

    private func cookie(_ name: String, _ value: String, lifetime: Int) -> Cookie {
        Cookie(name: name, value: value, maxAge: lifetime, path: "/", secure: secure, httpOnly: true, sameSite: .lax)
    }

    static func device(of request: Request, in context: GatewayContext) -> DeviceParameters {
        // The language that was chosen on our pages, before that of the browser: in it the person is written to.
        let chosen = request.cookies[Languages.cookie]?.value
        return DeviceParameters(
            device: request.headers[.userAgent].map { String($0.unicodeScalars.prefix(200)) },
            language: chosen ?? context.languages.first)
    }

    // MARK: For the middleware

    /// What the cookies of a request come to.
    enum Outcome {
        case none
        case session(AccessTokenClaims, renewed: SessionTokens?)
        /// The session is dead: take the cookies back. Where auth has said why, that is what the person is told.
        case dead(ServiceError?)
        /// It could not be told, because auth is away.
        case unknown(ServiceError)
    }

    func resolve(_ request: Request, within limit: RefreshLimit) async -> Outcome {
        let cookies = request.cookies
        if let access = cookies[accessCookie]?.value, !access.isEmpty {
            do { return .session(try await tokens.verify(access), renewed: nil) } catch {
                if case .unavailable(let reason) = error { return .unknown(reason) }
            }
        }
        guard let refresh = cookies[refreshCookie]?.value, !refresh.isEmpty else {
            return cookies[accessCookie] == nil ? .none : .dead(nil)
        }
        do {
            let renewed = try await refresher.refresh(refresh, within: limit).tokens
            return .session(try await tokens.verify(renewed.accessToken), renewed: renewed)
        } catch let error as ServiceError {
            return [.unavailable, .outcomeUnknown, .internalError, .tooManyRequests].contains(error.code)
                ? .unknown(error) : .dead(error.code == .suspended ? error : nil)
        } catch let error as AccessTokenError {
            if case .unavailable(let reason) = error { return .unknown(reason) }
            return .dead(nil)
        } catch {
            return .unknown(ServiceError(.unavailable, "The session could not be checked.", retryAfter: 1))
        }
    }
}
