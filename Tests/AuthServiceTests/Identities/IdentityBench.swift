import Foundation
import Synchronization
import TestKit
import WireProtocol

@testable import AuthService

/// Auth with one identity provider, and a browser that goes there and back.
struct IdentityBench: Sendable {
    let auth: AuthBench
    let provider: ProviderDouble

    static let redirect = "https://share.example.org/v1/identity-providers/campus/callback"
    static let browser = Base64URL.encode(Array(repeating: 7, count: 32))

    static func run(
        _ configure: @Sendable @escaping (inout AuthConfiguration, ProviderDouble) -> Void = { _, _ in },
        _ test: @Sendable @escaping (IdentityBench) async throws -> Void
    ) async throws {
        try await ProviderDouble.run { provider in
            try await AuthBench.run({ configuration in
                configuration.identities.providers = [provider.settings]
                configure(&configuration, provider)
            }) { try await test(IdentityBench(auth: $0, provider: provider)) }
        }
    }

    /// What the address says to which the browser is sent.
    struct Way: Sendable {
        var query: [String: String]
        var state: String { query["state"] ?? "" }
        var nonce: String { query["nonce"] ?? "" }
        var challenge: String { query["code_challenge"] ?? "" }
    }

    func start(
        link: Bool = false, next: String? = nil, browser: String = browser,
        as caller: Caller = Caller(address: "203.0.113.7")
    ) async throws -> Way {
        let found = try await auth.call(
            AuthMethods.startIdentity, Nothing(),
            IdentityStart(
                provider: "campus", browser: browser, redirect: Self.redirect, next: next, link: link), as: caller)
        let items = URLComponents(string: found.url)?.queryItems ?? []
        return Way(query: Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 }))
    }

    /// The provider lets somebody in, and gives a code.
    func agree(
        _ way: Way, sub: String = "24400320", _ more: [String: any Sendable] = ["name": "Maya Tan"]
    ) -> String {
        let code = UUID().uuidString
        let (issuer, clock) = (provider.issuer, auth.clock)
        provider.state.withLock {
            $0.grants[code] = .init(challenge: way.challenge) {
                let now = clock.now.timeIntervalSince1970
                let claims: [String: Any] = [
                    "iss": issuer, "sub": sub, "aud": "kampong", "exp": now + 300, "iat": now, "nonce": way.nonce,
                ]
                return claims.merging(more) { _, new in new }
            }
        }
        return code
    }

    func finish(
        _ way: Way, code: String?, error: String? = nil, issuer: String? = nil, browser: String = browser,
        as caller: Caller = Caller(address: "203.0.113.7"), id: UUID = .version7()
    ) async throws -> IdentityOutcome {
        try await auth.call(
            AuthMethods.finishIdentity, Nothing(),
            IdentityReturn(
                provider: "campus", browser: browser, redirect: Self.redirect, state: way.state, code: code,
                error: error, issuer: issuer ?? provider.issuer, device: DeviceParameters(device: "A browser")),
            as: caller, id: id)
    }

    /// There and back.
    func visit(
        sub: String = "24400320", _ more: [String: any Sendable] = ["name": "Maya Tan"]
    ) async throws -> IdentityOutcome {
        let way = try await start()
        return try await finish(way, code: agree(way, sub: sub, more))
    }

    func proposal(_ ticket: String?, as caller: Caller = .anonymous) async throws -> IdentityProposal {
        try await auth.call(
            AuthMethods.identityProposal, Nothing(), IdentityTicket(ticket: ticket ?? ""), as: caller)
    }

    func signUp(
        _ ticket: String?, email: String = "maya@example.org", name: String? = nil, username: String? = nil,
        language: String? = nil, id: UUID = .version7()
    ) async throws -> NewAccount {
        try await auth.call(
            AuthMethods.signUpWithIdentity, DeviceParameters(device: "A browser", language: language),
            IdentitySignUp(ticket: ticket ?? "", email: email, name: name, username: username), id: id)
    }

    /// In a session that has just begun, as the next one.
    func link(_ ticket: String?, as caller: Caller) async throws -> LinkedIdentity {
        let caller = try await auth.fresh(try caller.requirePerson())
        return try await auth.call(
            AuthMethods.linkIdentity, Nothing(), IdentityTicket(ticket: ticket ?? ""), as: caller)
    }

    func unlink(as caller: Caller) async throws {
        let caller = try await auth.fresh(try caller.requirePerson())
        let _: Nothing = try await auth.call(
            AuthMethods.unlinkIdentity, IdentityProviderReference(id: "campus"), Nothing(), as: caller)
    }

    func linked(_ caller: Caller) async throws -> [LinkedIdentity] {
        try await auth.call(AuthMethods.identities, Nothing(), Nothing(), as: caller).items
    }
}
