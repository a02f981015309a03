import Foundation
import WireProtocol

/// Keeps the session's tokens, and refreshes them once however many calls find them expired at the same time: a refresh
/// token is good for one use only.
actor TokenVault {
    typealias Exchange = @Sendable (_ refreshToken: String, _ key: String) async throws -> SessionTokens

    private(set) var tokens: SessionTokens?
    /// The idempotency key under which the present refresh token is exchanged, however often it takes: where the answer got lost, asking
    /// again is the same request, and not the reuse of a spent token, which ends the session. Random, and not made of the token: who has
    /// a copy of that must not get the answer.
    private var key = UUID().uuidString
    private var refreshing: Task<SessionTokens, any Error>?
    private let exchange: Exchange

    init(tokens: SessionTokens?, exchange: @escaping Exchange) {
        self.tokens = tokens
        self.exchange = exchange
    }

    func store(_ tokens: SessionTokens?) {
        if tokens?.refreshToken != self.tokens?.refreshToken { key = UUID().uuidString }
        self.tokens = tokens
    }

    /// - Parameter accessToken: The one that was refused; when another call has replaced it meanwhile, that one's is returned.
    /// - Throws: `Problem` with status 401 when the session is over; the tokens are forgotten then.
    func refresh(insteadOf accessToken: String? = nil) async throws -> String {
        guard let tokens else { throw Self.signedOut }
        if let accessToken, tokens.accessToken != accessToken { return tokens.accessToken }
        let task = refreshing ?? Task { [exchange, key] in try await exchange(tokens.refreshToken, key) }
        refreshing = task
        defer { if refreshing == task { refreshing = nil } }
        do {
            let fresh = try await task.value
            store(fresh)
            return fresh.accessToken
        } catch let problem as Problem where problem.status == 401 {
            store(nil)
            throw problem
        }
    }

    static let signedOut = Problem(
        type: "about:blank", title: "Unauthorized", status: 401, code: .unauthenticated, detail: "Sign in first.",
        errors: [])
}
