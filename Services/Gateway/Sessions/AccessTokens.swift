import Crypto
package import FoundationEssentials
import JWTKit
package import Logging
import ServiceLifecycle
import Synchronization
package import WireProtocol

/// Verifies access tokens with auth's public keys, and knows which sessions were ended before their tokens run out.
///
/// Any task may call it. A token that was found good is remembered, so that a busy person costs one signature check in minutes.
package final class AccessTokens: AccessTokenVerifier {
    private struct State {
        /// Nil until auth has answered for the first time.
        var keys: JWTKeyCollection?
        var known: Set<String> = []
        var revoked: [SessionID: Date] = [:]
        var verified: [String: AccessTokenClaims] = [:]
        /// The first part of tokens that were good, and the key that it names.
        var heads: [Substring: String] = [:]
        var lookup: Task<Void, any Error>?
        var lastLookup: Date?
    }

    private let state = Mutex(State())
    private let backend: any Backend
    private let logger: Logger
    private let clock: @Sendable () -> Date
    private let ended: @Sendable (Set<SessionID>) -> Void
    private let reloads: AsyncStream<Void>
    private let reloadSignal: AsyncStream<Void>.Continuation

    /// An unknown key is looked up at most this often.
    private static let pause: TimeInterval = 5
    /// Clocks of two machines differ a little.
    private static let leeway = 5
    private static let mostVerified = 20_000
    private static let mostHeads = 16
    private static let longest = 4096

    /// - Parameter ended: told of the sessions that were ended, however that became known.
    package init(
        backend: any Backend, logger: Logger, clock: @escaping @Sendable () -> Date = { Date() },
        ended: @escaping @Sendable (Set<SessionID>) -> Void = { _ in }
    ) {
        self.backend = backend
        self.logger = logger
        self.clock = clock
        self.ended = ended
        (reloads, reloadSignal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        reloadSignal.yield()
    }

    /// Whether auth's keys are known.
    package var isReady: Bool { state.withLock { $0.keys != nil } }

    // MARK: Verifying

    package func verify(_ token: String) async throws(AccessTokenError) -> AccessTokenClaims {
        guard token.utf8.count < Self.longest else { throw .invalid }
        if let claims = state.withLock({ $0.verified[token] }) { return try check(claims) }
        // All tokens of one key begin alike: what was read once of a good one need not be read again.
        let head = token.prefix { $0 != "." }
        guard let kid = state.withLock({ $0.heads[head] }) ?? Header(of: token)?.key
        else { throw .invalid }
        if !isKnown(kid) { try await lookUp() }
        guard isKnown(kid), let keys = state.withLock({ $0.keys }),
            let claims = try? await keys.verify(token, as: Payload.self).claims
        else { throw .invalid }
        guard claims.iss == AccessTokenClaims.issuer, claims.aud == AccessTokenClaims.audience else { throw .invalid }
        state.withLock { state in
            if state.verified.count >= Self.mostVerified { state.verified.removeAll() }
            state.verified[token] = claims
            if state.heads.count >= Self.mostHeads { state.heads.removeAll() }
            state.heads[Substring(String(head))] = kid
        }
        return try check(claims)
    }

    /// What may change about a token whose signature is good.
    private func check(_ claims: AccessTokenClaims) throws(AccessTokenError) -> AccessTokenClaims {
        if state.withLock({ $0.revoked[claims.sid] }) != nil { throw .revoked }
        guard claims.exp > Int(clock().timeIntervalSince1970) - Self.leeway else { throw .expired }
        return claims
    }

    private func isKnown(_ kid: String) -> Bool { state.withLock { $0.known.contains(kid) } }

    /// Asks auth for its keys, once for all who want to know, and not again and again for tokens that somebody made up.
    private func lookUp() async throws(AccessTokenError) {
        let now = clock()
        let task = state.withLock { state -> Task<Void, any Error>? in
            if let lookup = state.lookup { return lookup }
            if state.keys != nil, let last = state.lastLookup, now.timeIntervalSince(last) < Self.pause { return nil }
            state.lastLookup = now
            let task = Task { try await self.loadKeys() }
            state.lookup = task
            return task
        }
        guard let task else { return }
        let result = await task.result
        state.withLock { if $0.lookup == task { $0.lookup = nil } }
        do { try result.get() } catch {
            throw .unavailable(
                ServiceError(.unavailable, "The session cannot be checked at the moment.", retryAfter: 2))
        }
    }

    // MARK: What auth says

    private func loadKeys() async throws {
        await adopt(try await backend.call(AuthMethods.signingKeys, Nothing(), Nothing()))
    }

    /// Takes auth's present keys in place of all former ones.
    package func adopt(_ keys: SigningKeys) async {
        let collection = JWTKeyCollection()
        var known: Set<String> = []
        for key in keys.keys where key.kty == "OKP" && key.crv == "Ed25519" {
            guard let publicKey = try? EdDSA.PublicKey(x: key.x, curve: .ed25519) else { continue }
            await collection.add(eddsa: publicKey, kid: JWKIdentifier(string: key.kid))
            known.insert(key.kid)
        }
        state.withLock { state in
            state.keys = collection
            state.known = known
            state.verified.removeAll()
        }
    }

    /// Refuses the tokens of these sessions from now on.
    package func revoke(_ sessions: [RevokedSessions.Revoked]) {
        let now = clock()
        state.withLock { state in
            state.revoked = state.revoked.filter { $0.value > now }
            for session in sessions where session.until > now { state.revoked[session.id] = session.until }
        }
        ended(Set(sessions.map(\.id)))
    }

    /// Asks auth for everything again: events may have been missed.
    package func reload() { reloadSignal.yield() }
}

extension AccessTokens: Service {
    package func run() async throws {
        try await cancelWhenGracefulShutdown {
            for await _ in self.reloads { try await self.load() }
        }
    }

    private func load() async throws {
        var pause = Duration.milliseconds(200)
        while true {
            do {
                let revoked = try await backend.call(AuthMethods.revokedSessions, Nothing(), Nothing())
                revoke(revoked.sessions)
                return try await loadKeys()
            } catch  where !(error is CancellationError) {
                logger.notice("auth cannot be asked for its keys yet", metadata: ["reason": "\(error)"])
            }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(5))
        }
    }
}

/// The first part of a token: which key it says it was signed with.
private struct Header: Decodable {
    var alg: String?
    var kid: String?

    /// Nil where it is signed in another way than auth does.
    var key: String? { alg == "EdDSA" ? kid : nil }

    init?(of token: String) {
        guard let part = token.split(separator: ".").first, let bytes = Base64URL.decode(part),
            let header = try? WireJSON.decode(Header.self, from: bytes)
        else { return nil }
        self = header
    }
}

/// The claims as the library reads them; what they must say is checked above, with a clock that tests can set.
private struct Payload: JWTPayload {
    let claims: AccessTokenClaims

    init(from decoder: any Decoder) throws { claims = try AccessTokenClaims(from: decoder) }
    func encode(to encoder: any Encoder) throws { try claims.encode(to: encoder) }
    func verify(using algorithm: some JWTAlgorithm) throws {}
}
