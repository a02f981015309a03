import FoundationEssentials
import Postgres
import WireProtocol

/// Where statements go: a transaction, or the pool.
protocol Statements: Sendable {
    @discardableResult
    func query(_ query: SQLQuery) async throws -> PostgresRows
}

struct PostgresAccountStore: AccountStore {
    let statements: any Statements
    let fields: FieldSeal
    let apart: Apartness

    static let columns: SQLQuery =
        """
        id, email, email_verified_at, name, username, region, photo, phone, bio, car_make, car_model, car_year, car_color, mode, campus, rating_sum,
        rating_count, phone_digest, phone_verified_at, roles, version, joined_at, suspended_at, nullif(suspended_until, 'infinity') AS suspended_until,
        suspension_reason
        """

    func account(with credentials: Credentials) async throws -> Account? {
        try await statements.query(
            """
            SELECT \(Self.columns) FROM accounts
            WHERE email_digest = \(credentials.emailDigest)
                AND password_hash IN (\(credentials.passwordHash), \(credentials.earlierHash ?? credentials.passwordHash))
            ORDER BY email_verified_at IS NULL, joined_at, id LIMIT 1
            """
        ).first.map { try Account($0, fields) }
    }

    func account(_ id: PersonID, locked: Bool) async throws -> Account? {
        let lock: SQLQuery = locked ? "FOR UPDATE" : ""
        return try await statements.query(
            "SELECT \(Self.columns) FROM accounts WHERE id = \(id.uuid) \(lock)"
        ).first.map { try Account($0, fields) }
    }

    func accounts(_ ids: [PersonID]) async throws -> [Account] {
        try await statements.query(
            "SELECT \(Self.columns) FROM accounts WHERE id = ANY(\(ids.map(\.uuid))) ORDER BY id"
        ).map { try Account($0, fields) }
    }

    func account(_ id: PersonID, for viewer: PersonID?) async throws -> Account? {
        try await statements.query(
            "SELECT \(Self.columns) FROM accounts WHERE id = \(id.uuid) \(apart.here(from: viewer))"
        ).first.map { try Account($0, fields) }
    }

    func add(_ account: Account, _ credentials: Credentials) async throws -> Bool {
        let profile = account.profile
        return try await usernameChecked {
            try await statements.query(
                """
                INSERT INTO accounts
                    (id, email, email_digest, password_hash, has_password, name, username, region, photo, roles, version,
                    joined_at)
                VALUES (\(account.id.uuid), \(account.email.text), \(credentials.emailDigest), \(credentials.passwordHash),
                    \(credentials.hasPassword), \(profile.name), \(profile.username), \(profile.region), \(profile.photo),
                    \(account.roles.map(\.rawValue)), \(account.version), \(account.joinedAt))
                ON CONFLICT ON CONSTRAINT accounts_credentials DO NOTHING
                """
            ).affected == 1
        }
    }

    func people(after: PersonID?, limit: Int) async throws -> [PersonSummary] {
        let onwards: SQLQuery = after.map { "WHERE id > \($0.uuid)" } ?? ""
        return try await statements.query(
            "SELECT \(PersonSummary.columns) FROM accounts \(onwards) ORDER BY id LIMIT \(limit)"
        ).map(PersonSummary.init)
    }

    func takenUsernames(among names: [String], besides person: PersonID?) async throws -> Set<String> {
        let rows = try await statements.query(
            """
            SELECT username FROM accounts
            WHERE username = ANY(\(names)) AND id IS DISTINCT FROM \(person?.uuid)
            """)
        return Set(try rows.map { try $0.get("username", as: String.self) })
    }

    func save(_ account: Account) async throws {
        let (profile, car) = (account.profile, account.profile.car)
        let proof = account.phoneProof
        let phone = try profile.phone.map { try fields.seal($0.text, field: Self.phoneField, of: account.id.uuid) }
        _ = try await usernameChecked {
            try await statements.query(
                """
                UPDATE accounts SET name = \(profile.name), username = \(profile.username), region = \(profile.region),
                    photo = \(profile.photo), phone = \(phone), bio = \(profile.bio), car_make = \(car?.make),
                    car_model = \(car?.model), car_year = \(car?.year), car_color = \(car?.color),
                    mode = \(profile.mode.rawValue), phone_digest = \(proof?.digest), phone_verified_at = \(proof?.since),
                    version = \(account.version)
                WHERE id = \(account.id.uuid)
                """)
        }
    }

    static let phoneField = "accounts.phone"

    private func usernameChecked<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as PostgresError where error.constraint == "accounts_username" {
            throw UsernameTaken()
        }
    }
}

extension Account {
    init(_ row: PostgresRow, _ fields: FieldSeal) throws {
        guard let email = EmailAddress(kept: try row.get("email")),
            let mode = DeliveryMode(rawValue: try row.get("mode"))
        else { throw PostgresError(.unexpectedValue, debugDetail: "an email address or a mode that is none") }
        let id: UUID = try row.get("id")
        let phone = try row.get("phone", as: [UInt8]?.self).map {
            try PhoneNumber(try fields.open($0, field: PostgresAccountStore.phoneField, of: id))
        }
        let car = PersonCar(
            make: try row.get("car_make"), model: try row.get("car_model"), year: try row.get("car_year"),
            color: try row.get("car_color"))
        self.init(
            id: PersonID(id), email: email, emailVerifiedAt: try row.get("email_verified_at"),
            profile: Profile(
                name: try row.get("name"), username: try row.get("username"), region: try row.get("region"),
                photo: try row.get("photo"), phone: phone, bio: try row.get("bio"), car: car == PersonCar() ? nil : car,
                mode: mode),
            campus: try row.get("campus"), reputation: try Reputation(row), phoneProof: try PhoneProof(row),
            roles: Set(try row.get("roles", as: [String].self).compactMap(PersonRole.init)),
            suspension: try Suspension(row),
            joinedAt: try row.get("joined_at"), version: try row.get("version"))
    }
}
