import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

struct PostgresAddressStore: AddressStore {
    let statements: any Statements
    let fields: FieldSeal

    private var codes: PostgresCodes { PostgresCodes(statements: statements, table: "email_verifications") }
    private static let columns: SQLQuery =
        "id, person, address, address_digest, password_hash, replaces, requested_at, expires_at"
    private static let pendingField = "email_verifications.address"
    private static let leftField = "left_addresses.address"

    func tally(of person: PersonID, to digest: [UInt8], since: Date) async throws -> VerificationTally {
        try await codes.tally(of: person, to: digest, since: since)
    }

    func add(_ verification: AddressVerification) async throws {
        let sealed = try fields.seal(verification.email.text, field: Self.pendingField, of: verification.id)
        try await statements.query(
            """
            INSERT INTO email_verifications (id, person, address, address_digest, password_hash, replaces, requested_at,
                expires_at)
            VALUES (\(verification.id), \(verification.person.uuid), \(sealed), \(verification.digest),
                \(verification.passwordHash), \(verification.replaces), \(verification.requestedAt),
                \(verification.expiresAt))
            """)
    }

    func verification(_ id: UUID) async throws -> AddressVerification? {
        try await statements.query("SELECT \(Self.columns) FROM email_verifications WHERE id = \(id)").first.map(read)
    }

    func attempt(by person: PersonID, now: Date, atMost most: Int) async throws -> AddressVerification? {
        try await codes.attempt(by: person, now: now, atMost: most, returning: Self.columns).map(read)
    }

    func spend(_ id: UUID, at date: Date) async throws -> Bool { try await codes.spend(id, at: date) }

    func lock(_ digest: [UInt8], for person: PersonID) async throws -> [PersonID] {
        try await statements.query(.lock("email address", Base64URL.encode(digest)))
        // In the order of their ids: of two who show each other's addresses, neither waits for the other in a circle.
        return try await statements.query(
            """
            SELECT id FROM accounts
            WHERE id = \(person.uuid) OR (email_digest = \(digest) AND email_verified_at IS NOT NULL)
            ORDER BY id FOR UPDATE
            """
        ).map { PersonID(try $0.get("id")) }.filter { $0 != person }
    }

    func lose(_ person: PersonID) async throws {
        try await statements.query(
            "UPDATE accounts SET email_verified_at = NULL, version = version + 1 WHERE id = \(person.uuid)")
    }

    func keep(_ verification: AddressVerification, at date: Date) async throws {
        do {
            try await statements.query(
                """
                UPDATE accounts SET email = \(verification.email.text), email_digest = \(verification.digest),
                    password_hash = \(verification.passwordHash), email_verified_at = \(date), version = version + 1
                WHERE id = \(verification.person.uuid)
                """)
        } catch let error as PostgresError where error.constraint == "accounts_credentials" {
            throw AddressInUse()
        }
    }

    func vouch(for person: PersonID, at date: Date) async throws {
        let rows = try await statements.query("SELECT email_digest FROM accounts WHERE id = \(person.uuid)")
        guard let digest = try rows.first?.get("email_digest", as: [UInt8].self),
            try await lock(digest, for: person).isEmpty
        else { return }
        try await statements.query("UPDATE accounts SET email_verified_at = \(date) WHERE id = \(person.uuid)")
    }

    func keep(left address: EmailAddress, for mail: UUID) async throws {
        let sealed = try fields.seal(address.text, field: Self.leftField, of: mail)
        try await statements.query("INSERT INTO left_addresses (mail, address) VALUES (\(mail), \(sealed))")
    }

    func left(for mail: UUID) async throws -> EmailAddress? {
        try await statements.query("SELECT address FROM left_addresses WHERE mail = \(mail)").first.flatMap {
            EmailAddress(kept: try fields.open($0.get("address"), field: Self.leftField, of: mail))
        }
    }

    func removeAll(of person: PersonID) async throws {
        try await statements.query("DELETE FROM email_verifications WHERE person = \(person.uuid) AND used_at IS NULL")
    }

    func prune(before: Date) async throws { try await codes.prune(before: before) }

    private func read(_ row: PostgresRow) throws -> AddressVerification {
        let id: UUID = try row.get("id")
        let sealed: [UInt8] = try row.get("address")
        guard let email = EmailAddress(kept: try fields.open(sealed, field: Self.pendingField, of: id)) else {
            throw PostgresError(.unexpectedValue, debugDetail: "an email address that is none")
        }
        return AddressVerification(
            id: id, person: PersonID(try row.get("person", as: UUID.self)), email: email,
            digest: try row.get("address_digest"), passwordHash: try row.get("password_hash"),
            replaces: try row.get("replaces"), requestedAt: try row.get("requested_at"),
            expiresAt: try row.get("expires_at"))
    }
}
