internal import Postgres
internal import WireProtocol

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Where statements go: a transaction, or the pool.
protocol Statements: Sendable {
    @discardableResult
    func query(_ query: SQLQuery) async throws -> PostgresRows
}

struct PostgresAccountStore: AccountStore {
    let statements: any Statements

    static let columns: SQLQuery =
        "id, email, name, username, region, photo, roles, version, joined_at"

    func account(with credentials: Credentials) async throws -> Account? {
        try await statements.query(
            """
            SELECT \(Self.columns) FROM accounts
            WHERE email_digest = \(credentials.emailDigest) AND password_hash = \(credentials.passwordHash)
            """
        ).first.map(Account.init)
    }

    func account(_ id: PersonID, locked: Bool) async throws -> Account? {
        let lock: SQLQuery = locked ? "FOR UPDATE" : ""
        return try await statements.query(
            "SELECT \(Self.columns) FROM accounts WHERE id = \(id.uuid) \(lock)"
        ).first.map(Account.init)
    }

    func add(_ account: Account, _ credentials: Credentials) async throws -> Bool {
        let profile = account.profile
        return try await usernameChecked {
            try await statements.query(
                """
                INSERT INTO accounts
                    (id, email, email_digest, password_hash, name, username, region, photo, roles, version, joined_at)
                VALUES (\(account.id.uuid), \(account.email.text), \(credentials.emailDigest), \(credentials.passwordHash),
                    \(profile.name), \(profile.username), \(profile.region), \(profile.photo),
                    \(account.roles.map(\.rawValue)), \(account.version), \(account.joinedAt))
                ON CONFLICT ON CONSTRAINT accounts_credentials DO NOTHING
                """
            ).affected == 1
        }
    }

    func save(_ account: Account) async throws {
        let profile = account.profile
        _ = try await usernameChecked {
            try await statements.query(
                """
                UPDATE accounts SET name = \(profile.name), username = \(profile.username), region = \(profile.region),
                    photo = \(profile.photo), version = \(account.version)
                WHERE id = \(account.id.uuid)
                """)
        }
    }

    private func usernameChecked<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as PostgresError where error.constraint == "accounts_username" {
            throw UsernameTaken()
        }
    }
}

extension Account {
    init(_ row: PostgresRow) throws {
        guard let email = EmailAddress(try row.get("email")) else {
            throw PostgresError(.unexpectedValue, debugDetail: "an email address that is none")
        }
        self.init(
            id: PersonID(try row.get("id")), email: email,
            profile: Profile(
                name: try row.get("name"), username: try row.get("username"), region: try row.get("region"),
                photo: try row.get("photo")),
            roles: Set(try row.get("roles", as: [String].self).compactMap(PersonRole.init)),
            joinedAt: try row.get("joined_at"), version: try row.get("version"))
    }
}
