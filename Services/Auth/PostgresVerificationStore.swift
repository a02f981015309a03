import FoundationEssentials
import Postgres
import WireProtocol

/// The port for campus addresses.
protocol VerificationStore: Sendable {
    /// What there was since then, after waiting for what is being added.
    func tally(of person: PersonID, to digest: [UInt8], since: Date) async throws -> VerificationTally
    func add(_ verification: CampusVerification) async throws
    func verification(_ id: UUID) async throws -> CampusVerification?
    /// Counts one more attempt at the person's latest code, where it is still good.
    /// - Returns: Nil where there is none that may be tried.
    func attempt(by person: PersonID, now: Date, atMost: Int) async throws -> CampusVerification?
    /// - Returns: False where it was used before.
    func spend(_ id: UUID, at date: Date) async throws -> Bool
    /// - Throws: `CampusAddressTaken`.
    func keep(_ address: CampusAddress, of person: PersonID) async throws
    func prune(before: Date) async throws
}

/// Another account has verified the address.
struct CampusAddressTaken: Refusal {
    var serviceError: ServiceError {
        .invalid([FieldError("code", "address_taken", "Somebody else has verified this address.")])
    }
}

struct PostgresVerificationStore: VerificationStore {
    let statements: any Statements
    let fields: FieldSeal

    private var codes: PostgresCodes { PostgresCodes(statements: statements, table: "campus_verifications") }
    private static let columns: SQLQuery = "id, person, address, address_digest, campus, requested_at, expires_at"

    func tally(of person: PersonID, to digest: [UInt8], since: Date) async throws -> VerificationTally {
        try await codes.tally(of: person, to: digest, since: since)
    }

    func add(_ verification: CampusVerification) async throws {
        let sealed = try fields.seal(
            verification.email.text, field: Self.pendingField, of: verification.id)
        try await statements.query(
            """
            INSERT INTO campus_verifications (id, person, address, address_digest, campus, requested_at, expires_at)
            VALUES (\(verification.id), \(verification.person.uuid), \(sealed), \(verification.digest),
                \(verification.campus), \(verification.requestedAt), \(verification.expiresAt))
            """)
    }

    func verification(_ id: UUID) async throws -> CampusVerification? {
        try await statements.query("SELECT \(Self.columns) FROM campus_verifications WHERE id = \(id)").first.map(read)
    }

    func attempt(by person: PersonID, now: Date, atMost most: Int) async throws -> CampusVerification? {
        try await codes.attempt(by: person, now: now, atMost: most, returning: Self.columns).map(read)
    }

    func spend(_ id: UUID, at date: Date) async throws -> Bool { try await codes.spend(id, at: date) }

    func keep(_ address: CampusAddress, of person: PersonID) async throws {
        let sealed = try fields.seal(address.email.text, field: Self.field, of: person.uuid)
        do {
            try await statements.query(
                """
                UPDATE accounts SET campus = \(address.campus), campus_address = \(sealed), campus_digest = \(address.digest),
                    campus_since = \(address.verifiedAt)
                WHERE id = \(person.uuid)
                """)
        } catch let error as PostgresError where error.constraint == "accounts_campus_address" {
            throw CampusAddressTaken()
        }
    }

    func prune(before: Date) async throws { try await codes.prune(before: before) }

    private static let pendingField = "campus_verifications.address"
    static let field = "accounts.campus_address"

    private func read(_ row: PostgresRow) throws -> CampusVerification {
        let id: UUID = try row.get("id")
        let sealed: [UInt8] = try row.get("address")
        guard let email = EmailAddress(kept: try fields.open(sealed, field: Self.pendingField, of: id)) else {
            throw PostgresError(.unexpectedValue, debugDetail: "an email address that is none")
        }
        return CampusVerification(
            id: id, person: PersonID(try row.get("person", as: UUID.self)), email: email,
            digest: try row.get("address_digest"), campus: try row.get("campus"),
            requestedAt: try row.get("requested_at"), expiresAt: try row.get("expires_at"))
    }
}
