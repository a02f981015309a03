public import Foundation
public import WireProtocol

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A community's HTTP interface as Swift calls: typed bodies, one refresh for all who need it, retries that never do a thing twice.
///
/// One client is one signed-in person (or nobody yet). It may be used from any task. Every call throws `Problem` when Kampong
/// refused, with its stable code and field errors, or `Unreachable` when no answer came.
public final class KampongClient: Sendable {
    /// The community's address, as `https://kampong.example`.
    public let baseURL: URL
    let transport: Transport
    let vault: TokenVault

    /// - Parameters:
    ///   - tokens: A session from an earlier run; see ``tokens``.
    ///   - retry: What is done when no answer came or the answer is "try again"; safe, because every command carries a key.
    public init(
        baseURL: URL, tokens: SessionTokens? = nil, retry: RetryPolicy = .standard,
        configuration: URLSessionConfiguration = KampongClient.defaultConfiguration
    ) {
        self.baseURL = baseURL
        let transport = Transport(baseURL: baseURL, retry: retry, session: URLSession(configuration: configuration))
        self.transport = transport
        vault = TokenVault(tokens: tokens) { refreshToken, key in
            try await transport.send(
                .post, "v1/sessions/refresh", body: Refresh(refreshToken: refreshToken), key: key, as: SignedIn.self
            ).tokens
        }
    }

    /// No cookies, no cache on disk, and room for many calls at once.
    public static var defaultConfiguration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpMaximumConnectionsPerHost = 64
        configuration.timeoutIntervalForRequest = 20
        return configuration
    }

    /// The present session, to be kept in the device's secure store; nil when signed out.
    public var tokens: SessionTokens? {
        get async { await vault.tokens }
    }

    /// Ends the connections; the client is of no use afterwards.
    public func close() { transport.session.invalidateAndCancel() }

    // MARK: Calls on behalf of the person

    /// Sends with the access token; when that has expired, refreshes it once and sends again with the same idempotency key.
    func call<Reply: Decodable & Sendable>(
        _ verb: Verb, _ path: String, query: [URLQueryItem] = [], body: (any Encodable & Sendable)? = nil,
        key: String? = nil, as type: Reply.Type = Reply.self
    ) async throws -> Reply {
        let key = key ?? (verb == .get ? nil : UUID().uuidString)
        return try await transport.send(
            verb, path, query: query, body: body, key: key, token: await vault.tokens?.accessToken, renew: renew,
            as: type)
    }

    /// Exchanges an access token that was refused.
    var renew: Transport.Renewal {
        { [vault] in try await vault.refresh(insteadOf: $0) }
    }
}

/// No answer came from the community's server.
public struct Unreachable: Error, Sendable, CustomStringConvertible {
    /// Whether the command may have taken effect all the same. Ask again with the same idempotency key.
    public var outcomeUnknown: Bool
    public var reason: String

    public init(outcomeUnknown: Bool, reason: String) {
        self.outcomeUnknown = outcomeUnknown
        self.reason = reason
    }

    public var description: String { "no answer (\(reason))" }
}

/// When and how often a call is made again with the same idempotency key.
public struct RetryPolicy: Sendable {
    public var attempts: Int
    /// Doubles with every attempt; a `Retry-After` of the server counts instead where it is longer.
    public var firstWait: Duration
    public var longestWait: Duration

    public init(attempts: Int, firstWait: Duration = .milliseconds(200), longestWait: Duration = .seconds(5)) {
        self.attempts = attempts
        self.firstWait = firstWait
        self.longestWait = longestWait
    }

    public static let standard = RetryPolicy(attempts: 5)
    /// Every failure is the caller's to handle.
    public static let never = RetryPolicy(attempts: 1)

    func wait(after attempt: Int, retryAfter: Int?) -> Duration {
        let own = firstWait * (1 << min(attempt, 10))
        return min(longestWait, max(own, .seconds(retryAfter ?? 0)))
    }
}
