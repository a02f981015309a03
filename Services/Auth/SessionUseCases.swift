import FoundationEssentials
import Logging
import Messaging
import WireProtocol

/// How long things last, in seconds.
struct SessionPolicy: Hashable, Sendable {
    /// An access token.
    var access: TimeInterval = 300
    /// A session that is not used.
    var idle: TimeInterval = 30 * 86_400
    /// A session, however often it is used: who has copied what a device has must not have it for ever.
    var absolute: TimeInterval = 180 * 86_400
    /// After a token was spent, during which its child is handed out again.
    var grace: TimeInterval = 10

    /// When a session ends that is used now.
    func end(ofSessionSince started: Date, usedAt now: Date) -> Date {
        min(now.addingTimeInterval(idle), started.addingTimeInterval(absolute))
    }
}

extension LoginSession {
    /// The same, as far as it may last at all: one that began before there was such a limit may say otherwise.
    fileprivate func limited(by policy: SessionPolicy) -> LoginSession {
        var limited = self
        limited.expiresAt = min(expiresAt, startedAt.addingTimeInterval(policy.absolute))
        return limited
    }
}

/// A session as it stands in a reply, from which its tokens are made: this is what the database remembers of the reply, and
/// no token is in it.
struct IssuedSession: Codable, Hashable, Sendable {
    var person: Person
    var roles: [PersonRole]
    var session: SessionID
    /// The session's seed, in base64url.
    var seed: String
    var generation: Int
    /// Unix seconds.
    var issuedAt: Int
    /// True where it is good for the person's own data alone.
    var suspended: Bool?

    init(_ account: Account, _ session: LoginSession, isSuspended: Bool, issuedAt: Date) {
        person = account.own
        roles = account.roles.sorted { $0.rawValue < $1.rawValue }
        self.session = session.id
        seed = Base64URL.encode(session.seed)
        generation = session.generation
        self.issuedAt = Int(issuedAt.timeIntervalSince1970)
        suspended = isSuspended ? true : nil
    }
}

/// What can be asked about sessions.
struct SessionUseCases: Sendable {
    let database: any AuthDatabase
    let secrets: AuthSecrets
    let policy: SessionPolicy
    let logger: Logger
    let now: @Sendable () -> Date

    /// Exchanges a refresh token for the next one.
    ///
    /// Judged by what can be read first: anybody may ask this, and only what spends a token or ends a session is worth a transaction and
    /// being remembered.
    /// - Throws: `unauthenticated`: the person has to sign in again.
    func refresh(_ form: Refresh, _ context: RequestContext) async throws -> IssuedSession {
        let signInAgain = ServiceError(.unauthenticated, "This session has ended. Sign in again.")
        let now = now()
        guard let token = RefreshToken(form.refreshToken),
            let session = try await database.stores.sessions.session(token.session)?.limited(by: policy)
        else { throw signInAgain }
        switch session.verdict(on: token, now: now, grace: policy.grace, secrets) {
        case .refuse:
            // Why the session has ended is said to who had it.
            if session.isOne(token, secrets) {
                try await database.stores.suspensions.require(session.person, at: now)
            }
            throw signInAgain
        case .repeatChild:
            guard let issued = try await database.stores.answer(session) else { throw signInAgain }
            return issued
        case .spend, .stolen:
            // The refusal is thrown after the commit: the end of a stolen session must not be rolled back with it.
            let outcome = try await database.command(context) { transaction in
                RefreshOutcome(issued: try await transaction.refresh(token, policy, secrets, logger, now))
            }
            guard let issued = outcome.issued else { throw signInAgain }
            return issued
        }
    }

    private struct RefreshOutcome: Codable, Sendable {
        var issued: IssuedSession?
    }

    /// Signs out here.
    func signOut(_ context: RequestContext) async throws {
        _ = try context.caller.requirePerson()
        guard let session = context.caller.session else { throw ServiceError(.unauthenticated, "Sign in first.") }
        try await end(.one(session), context)
    }

    /// Signs one device out. It does no harm to do so twice.
    func end(_ session: SessionID, _ context: RequestContext) async throws {
        let person = try context.caller.requirePerson()
        guard let found = try await database.stores.sessions.session(session), found.person == person else {
            throw ServiceError.notFound("session")
        }
        try await end(.one(session), context)
    }

    /// Signs out everywhere.
    func endAll(_ context: RequestContext) async throws { try await end(.all, context) }

    private func end(_ which: EndedSessions, _ context: RequestContext) async throws {
        let person = try context.caller.requirePerson()
        let now = now()
        _ = try await database.command(context) { transaction in
            try await transaction.end(which, of: person, now)
            return Nothing()
        }
    }

    func sessions(_ context: RequestContext) async throws -> Page<Session> {
        let person = try context.caller.requirePerson()
        let live = try await database.stores.sessions.live(of: person, now: now())
        return Page(items: live.map { $0.shown(to: context.caller.session) })
    }

    func revoked() async throws -> RevokedSessions {
        RevokedSessions(sessions: try await database.stores.sessions.revoked(now: now()))
    }
}

extension AuthTransaction {
    /// Opens a session of an account; of somebody who is suspended, one that is good for their own data alone. Only who has the
    /// credentials of the account comes here.
    /// - Parameters:
    ///   - device: what it calls itself, and in which language it asks: in that the person can be written to.
    ///   - passkey: with which they came in.
    func open(
        _ account: Account, device: DeviceParameters, with passkey: PasskeyID? = nil, _ policy: SessionPolicy,
        _ secrets: AuthSecrets, _ now: Date
    ) async throws -> IssuedSession {
        let suspension = try await stores.suspensions.suspensionAwaited(of: account.id)
        var generator = SystemRandomNumberGenerator()
        let session = LoginSession(
            id: .new(at: now), person: account.id, device: LoginSession.device(device.device),
            seed: (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }, generation: 0, startedAt: now,
            lastUsedAt: now, expiresAt: policy.end(ofSessionSince: now, usedAt: now),
            accessUntil: now.addingTimeInterval(policy.access))
        try await sessions.open(
            session, token: session.token(of: 0, secrets), language: device.language.map { Language.code($0) },
            passkey: passkey)
        return IssuedSession(account, session, isSuspended: suspension?.isActive(at: now) ?? false, issuedAt: now)
    }

    /// - Returns: Nil where the token is good for nothing.
    fileprivate func refresh(
        _ token: RefreshToken, _ policy: SessionPolicy, _ secrets: AuthSecrets, _ logger: Logger, _ now: Date
    ) async throws -> IssuedSession? {
        for _ in 0..<3 {
            guard let session = try await sessions.session(token.session)?.limited(by: policy) else { return nil }
            switch session.verdict(on: token, now: now, grace: policy.grace, secrets) {
            case .spend:
                var next = session
                next.generation += 1
                next.lastUsedAt = now
                next.expiresAt = policy.end(ofSessionSince: session.startedAt, usedAt: now)
                // The child may be handed out again until the grace is over.
                next.accessUntil = now.addingTimeInterval(policy.access + policy.grace)
                let child = next.token(of: next.generation, secrets)
                // Someone else was faster where it fails: look again, at what they left.
                if try await sessions.spend(token, to: next, child: child) { return try await stores.answer(next) }
            case .repeatChild:
                return try await stores.answer(session)
            case .stolen:
                logger.warning("a spent refresh token came again: its session ends")
                try await end(.one(session.id), of: session.person, now)
                return nil
            case .refuse:
                return nil
            }
        }
        return nil
    }

    func end(_ which: EndedSessions, of person: PersonID, _ now: Date) async throws {
        let ended = try await sessions.end(which, of: person, now: now)
        if !ended.isEmpty { publish(SessionsRevoked(sessions: ended), "person/\(person)") }
    }
}

extension AuthStores {
    /// What a refresh that spent a session's last token is answered with. Dated as of then, so that a lost answer is given again with the
    /// same bytes.
    fileprivate func answer(_ session: LoginSession) async throws -> IssuedSession? {
        try await accounts.account(session.person, locked: false).map {
            IssuedSession(
                $0, session, isSuspended: $0.suspension?.isActive(at: session.lastUsedAt) ?? false,
                issuedAt: session.lastUsedAt)
        }
    }
}
