import WireProtocol

/// Keeps the session's tokens, and refreshes them once however many calls find them expired at the same time: a refresh
/// token is good for one use only.
actor TokenVault {
    private(set) var tokens: SessionTokens?
    private var refreshing: Task<SessionTokens, any Error>?
    private let exchange: @Sendable (String) async throws -> SessionTokens

    init(tokens: SessionTokens?, exchange: @escaping @Sendable (String) async throws -> SessionTokens) {
        self.tokens = tokens
        self.exchange = exchange
    }

    func store(_ tokens: SessionTokens?) { self.tokens = tokens }

    /// - Parameter accessToken: The one that was refused; when another call has replaced it meanwhile, that one's is returned.
    /// - Throws: `Problem` with status 401 when the session is over; the tokens are forgotten then.
    func refresh(insteadOf accessToken: String? = nil) async throws -> String {
        guard let tokens else { throw Self.signedOut }
        if let accessToken, tokens.accessToken != accessToken { return tokens.accessToken }
        let task = refreshing ?? Task { [exchange] in try await exchange(tokens.refreshToken) }
        refreshing = task
        defer { if refreshing == task { refreshing = nil } }
        do {
            let fresh = try await task.value
            self.tokens = fresh
            return fresh.accessToken
        } catch let problem as Problem where problem.status == 401 {
            self.tokens = nil
            throw problem
        }
    }

    static let signedOut = Problem(
        type: "about:blank", title: "Unauthorized", status: 401, code: .unauthenticated, detail: "Sign in first.",
        errors: [])
}
