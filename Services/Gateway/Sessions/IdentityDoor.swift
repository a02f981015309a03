import HTTPTypes
import Hummingbird
import NIOCore
import WireProtocol

/// Sends browsers to identity providers, and takes in whom those send back.
///
/// A browser is known again by a secret in a cookie; what it is for, and all that is secret between us and the provider, is auth's business.
/// Programs that ask for JSON get the same as data: they open the address themselves and pass on with what the provider sent them back.
struct IdentityDoor: Sendable {
    let backend: any Backend
    let sessions: WebSessions
    let community: Community
    let cookies: IdentityCookies

    init(backend: any Backend, sessions: WebSessions, community: Community) {
        self.backend = backend
        self.sessions = sessions
        self.community = community
        cookies = IdentityCookies(secure: community.isSecure)
    }

    /// `GET /v1/identity-providers/{id}/authorize`.
    func authorize(_ request: Request, _ context: GatewayContext) async throws -> Response {
        var reader = ParameterReader(path: context.parameters, query: request.uri.query)
        let (next, link) = try reader.read { ($0.text("next", maximum: 1000), $0.choice("link", of: Link.allCases)) }
        let browser = cookies.browser(of: request) ?? IdentityCookies.newSecret()
        let provider = context.parameters.get("id") ?? ""
        let start = IdentityStart(
            provider: provider, browser: browser, redirect: redirect(provider), next: LocalPath.from(next),
            link: link == .yes)
        // A provider that is asked for the first time may take its time.
        let found = try await backend.call(
            AuthMethods.startIdentity, Nothing(), start, as: context.caller, id: context.requestID, within: 8)
        var response =
            Self.wantsData(request) ? try Self.data(found) : Self.redirect(to: found.url)
        cookies.keep(browser: browser, on: &response)
        return response
    }

    /// `GET /v1/identity-providers/{id}/callback`.
    func comeBack(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let came = try read(request, context)
        // Twice the same is the same request: a double click is no second sign-in.
        let id = try Idempotency.requestID(form: came.state, doing: AuthMethods.finishIdentity.name, caller: .anonymous)
        let outcome = try await backend.call(
            AuthMethods.finishIdentity, Nothing(), came, as: context.caller, id: id, within: 20)
        guard !Self.wantsData(request) else { return try Self.data(outcome) }
        if let session = outcome.signedIn {
            let next = LocalPath.from(outcome.next) ?? LocalPath.landing
            return sessions.begin(session.tokens, of: session.person.id, for: request, to: next)
        }
        var response = Self.redirect(to: outcome.link ? "/me/identities/link" : "/join/with")
        cookies.keep(ticket: outcome.ticket ?? "", on: &response)
        return response
    }

    private func read(_ request: Request, _ context: GatewayContext) throws -> IdentityReturn {
        let provider = context.parameters.get("id") ?? ""
        var reader = ParameterReader(path: context.parameters, query: request.uri.query)
        let (state, code, error, issuer) = try reader.read {
            (
                $0.text("state", maximum: 100), $0.text("code", maximum: 2048), $0.text("error", maximum: 100),
                $0.text("iss", maximum: 300)
            )
        }
        guard let state, let browser = cookies.browser(of: request) else {
            throw ServiceError(.identityStale, "This did not begin in this browser. Begin again.")
        }
        return IdentityReturn(
            provider: provider, browser: browser, redirect: redirect(provider), state: state, code: code, error: error,
            issuer: issuer, device: WebSessions.device(of: request, in: context))
    }

    /// As the operator has entered it at the provider.
    private func redirect(_ provider: String) -> String {
        "\(community.publicURL)/v1/identity-providers/\(provider)/callback"
    }

    private enum Link: String, CaseIterable { case yes = "true" }

    static func isPassedByBrowsers(_ path: String) -> Bool {
        path.hasPrefix("/v1/identity-providers/") && (path.hasSuffix("/authorize") || path.hasSuffix("/callback"))
    }

    static func wantsData(_ request: Request) -> Bool {
        guard let accept = request.headers[.accept] else { return false }
        return accept.contains("application/json") && !accept.contains("text/html")
    }

    private static func data(_ value: some Encodable) throws -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: try WireJSON.encode(value))))
    }

    private static func redirect(to address: String) -> Response {
        Response(status: .seeOther, headers: [.location: address, .cacheControl: "no-store"])
    }
}

/// What a browser keeps while its person is at a provider, and until they have joined.
struct IdentityCookies: Sendable {
    let secure: Bool

    private var browserName: String { (secure ? "__Host-" : "") + "kampong_browser" }
    private var ticketName: String { (secure ? "__Host-" : "") + "kampong_ticket" }

    static func newSecret() -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64URL.encode((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// Nil where it is none that we made.
    func browser(of request: Request) -> String? {
        request.cookies[browserName].flatMap { Base64URL.decode($0.value)?.count == 32 ? $0.value : nil }
    }

    func ticket(of request: Request) -> String { request.cookies[ticketName]?.value ?? "" }

    /// Several windows at once have the same one.
    func keep(browser: String, on response: inout Response) { set(browserName, browser, 3600, &response) }
    func keep(ticket: String, on response: inout Response) { set(ticketName, ticket, 1800, &response) }
    func forgetTicket(on response: inout Response) { set(ticketName, "", 0, &response) }

    private func set(_ name: String, _ value: String, _ lifetime: Int, _ response: inout Response) {
        response.setCookie(
            Cookie(
                name: name, value: value, maxAge: lifetime, path: "/", secure: secure, httpOnly: true, sameSite: .lax))
    }
}
