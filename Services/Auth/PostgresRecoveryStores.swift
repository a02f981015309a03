import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

struct PostgresCredentialStore: CredentialStore {
    let statements: any Statements
    let fields: FieldSeal

    func account(at emailDigest: [UInt8]) async throws -> CredentialedAccount? {
        try await statements.query(
            """
            SELECT \(PostgresAccountStore.columns), password_hash FROM accounts
            WHERE email_digest = \(emailDigest) AND email_verified_at IS NOT NULL
            """
        ).first.map { try CredentialedAccount($0, fields) }
    }

    func account(_ id: PersonID, locked: Bool) async throws -> CredentialedAccount? {
        let lock: SQLQuery = locked ? "FOR UPDATE" : ""
        return try await statements.query(
            "SELECT \(PostgresAccountStore.columns), password_hash FROM accounts WHERE id = \(id.uuid) \(lock)"
        ).first.map { try CredentialedAccount($0, fields) }
    }

    func setPassword(_ hash: [UInt8], of id: PersonID) async throws {
        do {
            try await statements.query(
                "UPDATE accounts SET password_hash = \(hash), has_password = true WHERE id = \(id.uuid)")
        } catch let error as PostgresError where error.constraint == "accounts_credentials" {
            throw PasswordInUse()
        }
    }
}

extension CredentialedAccount {
    fileprivate init(_ row: PostgresRow, _ fields: FieldSeal) throws {
        self.init(account: try Account(row, fields), passwordHash: try row.get("password_hash"))
    }
}

struct PostgresPasswordResetStore: PasswordResetStore {
    let statements: any Statements

    func tally(of emailDigest: [UInt8], from network: [UInt8], since: Date) async throws -> (email: Int, network: Int) {
        // The network's lock always comes first, so that nobody waits in a circle.
        for key in [network, emailDigest] {
            try await statements.query(.lock("password reset", Base64URL.encode(key)))
        }
        let rows = try await statements.query(
            """
            SELECT count(*) FILTER (WHERE email_digest = \(emailDigest)) AS email,
                count(*) FILTER (WHERE network = \(network)) AS network
            FROM password_resets
            WHERE requested_at > \(since) AND (email_digest = \(emailDigest) OR network = \(network))
            """)
        return (try rows[0].get("email"), try rows[0].get("network"))
    }

    func add(_ reset: PasswordResetCase, from network: [UInt8]) async throws {
        try await statements.query(
            """
            INSERT INTO password_resets (id, email_digest, network, requested_at, expires_at)
            VALUES (\(reset.id), \(reset.emailDigest), \(network), \(reset.requestedAt), \(reset.expiresAt))
            """)
    }

    func reset(_ id: UUID) async throws -> PasswordResetCase? {
        try await statements.query(
            "SELECT id, email_digest, requested_at, expires_at FROM password_resets WHERE id = \(id)"
        ).first.map { row in
            PasswordResetCase(
                id: try row.get("id"), emailDigest: try row.get("email_digest"),
                requestedAt: try row.get("requested_at"), expiresAt: try row.get("expires_at"))
        }
    }

    func use(_ id: UUID, for account: PersonID) async throws -> Bool {
        try await statements.query(
            """
            INSERT INTO password_reset_uses (reset, account) VALUES (\(id), \(account.uuid)) ON CONFLICT DO NOTHING
            """
        ).affected == 1
    }

    func prune(before: Date) async throws {
        try await statements.query("DELETE FROM password_resets WHERE requested_at < \(before)")
    }
}

struct PostgresOutgoingMailStore: OutgoingMailStore {
    let statements: any Statements

    func add(_ mail: OutgoingMail, dueAt: Date) async throws {
        try await statements.query(
            """
            INSERT INTO outgoing_mails (id, kind, language, due_at, expires_at)
            VALUES (\(mail.id), \(mail.kind.rawValue), \(mail.language), \(dueAt), \(mail.expiresAt))
            """)
    }

    func claim(atMost count: Int, now: Date, lease: Date) async throws -> [OutgoingMail] {
        try await statements.query(
            """
            UPDATE outgoing_mails SET due_at = \(lease), attempts = attempts + 1
            WHERE id IN (
                SELECT id FROM outgoing_mails WHERE due_at <= \(now) ORDER BY due_at LIMIT \(count)
                FOR UPDATE SKIP LOCKED)
            RETURNING id, kind, language, attempts, expires_at
            """
        ).map { row in
            guard let kind = OutgoingMail.Kind(rawValue: try row.get("kind")) else {
                throw PostgresError(.unexpectedValue, debugDetail: "a kind of mail that there is not")
            }
            return OutgoingMail(
                id: try row.get("id"), kind: kind, language: try row.get("language"), attempts: try row.get("attempts"),
                expiresAt: try row.get("expires_at"))
        }
    }

    func remove(_ id: UUID) async throws {
        try await statements.query("DELETE FROM outgoing_mails WHERE id = \(id)")
    }

    func postpone(_ mail: OutgoingMail, to date: Date) async throws {
        try await statements.query(
            "UPDATE outgoing_mails SET due_at = \(date) WHERE id = \(mail.id) AND attempts = \(mail.attempts)")
    }
}
