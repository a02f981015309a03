import FoundationEssentials
import Postgres
import WireProtocol

struct PostgresSessionStore: SessionStore {
    let statements: any Statements

    private static let columns: SQLQuery =
        "id, person, device, seed, generation, started_at, last_used_at, expires_at, access_until, ended_at, proven_at"

    func open(_ session: LoginSession, token: RefreshToken, language: String?, passkey: PasskeyID?) async throws {
        try await statements.query(
            """
            WITH kept AS (
                INSERT INTO languages (person, language)
                SELECT \(session.person.uuid), given FROM (SELECT \(language)::text AS given) AS said WHERE given IS NOT NULL
                ON CONFLICT (person) DO UPDATE SET language = excluded.language
                WHERE languages.language <> excluded.language
            )
            INSERT INTO sessions (id, person, device, seed, generation, token_digest, started_at, last_used_at, expires_at,
                access_until, language, passkey)
            VALUES (\(session.id.uuid), \(session.person.uuid), \(session.device), \(session.seed), \(session.generation),
                \(token.digest), \(session.startedAt), \(session.lastUsedAt), \(session.expiresAt),
                \(session.accessUntil), \(language), \(passkey?.uuid))
            """)
    }

    func session(_ id: SessionID) async throws -> LoginSession? {
        try await statements.query(
            "SELECT \(Self.columns) FROM sessions WHERE id = \(id.uuid)"
        ).first.map(LoginSession.init)
    }

    func spend(_ token: RefreshToken, to session: LoginSession, child: RefreshToken) async throws -> Bool {
        try await statements.query(
            """
            UPDATE sessions SET generation = \(session.generation), token_digest = \(child.digest),
                last_used_at = \(session.lastUsedAt), expires_at = \(session.expiresAt),
                access_until = greatest(access_until, \(session.accessUntil))
            WHERE id = \(session.id.uuid) AND token_digest = \(token.digest) AND ended_at IS NULL
            """
        ).affected == 1
    }

    func end(_ which: EndedSessions, of person: PersonID, now: Date) async throws -> [RevokedSessions.Revoked] {
        let condition: SQLQuery =
            switch which {
            case .one(let id): "AND id = \(id.uuid)"
            case .openedWith(let passkey, let but): "AND passkey = \(passkey.uuid) AND id IS DISTINCT FROM \(but?.uuid)"
            case .others(let but): "AND id IS DISTINCT FROM \(but?.uuid)"
            case .all: ""
            }
        return try await statements.query(
            """
            UPDATE sessions SET ended_at = \(now)
            WHERE person = \(person.uuid) AND ended_at IS NULL \(condition)
            RETURNING id, access_until
            """
        ).map(RevokedSessions.Revoked.init)
    }

    func prove(_ id: SessionID, of person: PersonID, at now: Date) async throws {
        try await statements.query(
            """
            UPDATE sessions SET proven_at = \(now)
            WHERE id = \(id.uuid) AND person = \(person.uuid) AND ended_at IS NULL
            """)
    }

    func live(of person: PersonID, now: Date) async throws -> [LoginSession] {
        try await statements.query(
            """
            SELECT \(Self.columns) FROM sessions
            WHERE person = \(person.uuid) AND ended_at IS NULL AND expires_at > \(now)
            ORDER BY last_used_at DESC, id LIMIT 100
            """
        ).map(LoginSession.init)
    }

    func revoked(now: Date) async throws -> [RevokedSessions.Revoked] {
        try await statements.query(
            """
            SELECT id, access_until FROM sessions WHERE ended_at IS NOT NULL AND access_until > \(now)
            UNION ALL SELECT id, access_until FROM revoked_sessions WHERE access_until > \(now)
            """
        ).map(RevokedSessions.Revoked.init)
    }

    func prune(now: Date, atMost count: Int) async throws -> PrunedSessions {
        let rows = try await statements.query(
            """
            DELETE FROM sessions WHERE id IN (
                SELECT id FROM sessions
                WHERE (ended_at IS NOT NULL AND access_until < \(now)) OR expires_at <= \(now)
                LIMIT \(count) FOR UPDATE SKIP LOCKED)
            RETURNING id, person, access_until, ended_at IS NULL AS expired
            """)
        var pruned = PrunedSessions(count: rows.count)
        for row in rows where try row.get("expired") {
            pruned.expired[PersonID(try row.get("person")), default: []].append(try RevokedSessions.Revoked(row))
        }
        return pruned
    }
}

extension LoginSession {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(
            id: SessionID(try row.get("id")), person: PersonID(try row.get("person")), device: try row.get("device"),
            seed: try row.get("seed"), generation: try row.get("generation"), startedAt: try row.get("started_at"),
            lastUsedAt: try row.get("last_used_at"), expiresAt: try row.get("expires_at"),
            accessUntil: try row.get("access_until"), endedAt: try row.get("ended_at"),
            provenAt: try row.get("proven_at"))
    }
}

extension RevokedSessions.Revoked {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(id: SessionID(try row.get("id")), until: try row.get("access_until"))
    }
}
