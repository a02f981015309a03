import WireProtocol

/// Refreshes each refresh token once, however many requests of a page come with it at the same time, and keeps the answer for
/// those that were already under way with the old one.
actor SessionRefresher {
    /// As long as auth gives the same answer again.
    private static let keeps = Duration.seconds(8)

    private struct Entry {
        let task: Task<SignedIn, any Error>
        let since: ContinuousClock.Instant
    }

    private let backend: any Backend
    private let clock = ContinuousClock()
    private var entries: [String: Entry] = [:]

    init(backend: any Backend) { self.backend = backend }

    /// - Parameter limit: how often may be tried; asked only where auth is asked.
    func refresh(_ token: String, within limit: RefreshLimit) async throws -> SignedIn {
        let now = clock.now
        entries = entries.filter { now - $0.value.since < Self.keeps }
        if let entry = entries[token] { return try await entry.task.value }
        try limit.take()
        // A task of its own: it serves several requests, and must not be cancelled with the first of them.
        let task = Task { [backend] in
            try await backend.call(AuthMethods.refresh, Nothing(), Refresh(refreshToken: token))
        }
        entries[token] = Entry(task: task, since: now)
        do {
            let signedIn = try await task.value
            limit.giveBack()
            return signedIn
        } catch {
            entries[token] = nil
            throw error
        }
    }
}

/// Holds back whoever comes with refresh tokens that are none. A good token costs nothing: many people may share an address.
struct RefreshLimit: Sendable {
    let limits: RateLimits
    let context: GatewayContext

    /// - Throws: `tooManyRequests`.
    func take() throws(ServiceError) { try limits.check(.signIn, for: context) }
    func giveBack() { limits.giveBack(.signIn, for: context) }
}
