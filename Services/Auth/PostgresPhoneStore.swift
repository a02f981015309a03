import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

/// The port for telephone numbers that people show to be theirs.
protocol PhoneStore: Sendable {
    /// What there was since then, after waiting for what is being added.
    func tally(of person: PersonID, to digest: [UInt8], since: Date) async throws -> PhoneTally
    func add(_ verification: PhoneVerificationCase) async throws
    /// Notes that a text goes to a number.
    func count(_ text: UUID, to digest: [UInt8], at date: Date) async throws
    func verification(_ id: UUID) async throws -> PhoneVerificationCase?
    /// Counts one more attempt at the person's latest code, where it is still good.
    /// - Returns: Nil where there is none that may be tried.
    func attempt(by person: PersonID, now: Date, atMost: Int) async throws -> PhoneVerificationCase?
    /// - Returns: False where it was used before.
    func spend(_ id: UUID, at date: Date) async throws -> Bool
    /// Whose number it is; lets nobody else show that it is theirs until the end of this transaction.
    func lockedHolder(of digest: [UInt8]) async throws -> PersonID?
    func prune(before: Date) async throws
}

struct PostgresPhoneStore: PhoneStore {
    let statements: any Statements
    let fields: FieldSeal

    private var codes: PostgresCodes { PostgresCodes(statements: statements, table: "phone_verifications") }
    private static let columns: SQLQuery = "id, person, number, requested_at, expires_at"
    private static let field = "phone_verifications.number"

    func tally(of person: PersonID, to digest: [UInt8], since: Date) async throws -> PhoneTally {
        // One for all: the limit for everybody together counts what others are adding.
        try await statements.query(.lock("phone texts", "all"))
        let rows = try await statements.query(
            """
            SELECT
                (SELECT count(*) FROM phone_verifications WHERE person = \(person.uuid) AND requested_at > \(since))
                    AS person,
                (SELECT max(requested_at) FROM phone_verifications
                    WHERE person = \(person.uuid) AND requested_at > \(since)) AS latest,
                (SELECT count(*) FROM phone_texts WHERE digest = \(digest) AND sent_at > \(since)) AS number,
                (SELECT count(*) FROM phone_texts WHERE sent_at > \(since)) AS total
            """)
        return PhoneTally(
            ofPerson: try rows[0].get("person"), toNumber: try rows[0].get("number"), inAll: try rows[0].get("total"),
            latestOfPerson: try rows[0].get("latest"))
    }

    func add(_ verification: PhoneVerificationCase) async throws {
        let sealed = try fields.seal(verification.phone.text, field: Self.field, of: verification.id)
        try await statements.query(
            """
            INSERT INTO phone_verifications (id, person, number, requested_at, expires_at)
            VALUES (\(verification.id), \(verification.person.uuid), \(sealed), \(verification.requestedAt),
                \(verification.expiresAt))
            """)
    }

    func count(_ text: UUID, to digest: [UInt8], at date: Date) async throws {
        try await statements.query(
            "INSERT INTO phone_texts (id, digest, sent_at) VALUES (\(text), \(digest), \(date))")
    }

    func verification(_ id: UUID) async throws -> PhoneVerificationCase? {
        try await statements.query("SELECT \(Self.columns) FROM phone_verifications WHERE id = \(id)").first.map(read)
    }

    func attempt(by person: PersonID, now: Date, atMost most: Int) async throws -> PhoneVerificationCase? {
        try await codes.attempt(by: person, now: now, atMost: most, returning: Self.columns).map(read)
    }

    func spend(_ id: UUID, at date: Date) async throws -> Bool { try await codes.spend(id, at: date) }

    func lockedHolder(of digest: [UInt8]) async throws -> PersonID? {
        try await statements.query(.lock("phone", Base64URL.encode(digest)))
        return try await statements.query("SELECT id FROM accounts WHERE phone_digest = \(digest)").first.map {
            PersonID(try $0.get("id", as: UUID.self))
        }
    }

    func prune(before: Date) async throws {
        try await codes.prune(before: before)
        try await statements.query("DELETE FROM phone_texts WHERE sent_at < \(before)")
    }

    private func read(_ row: PostgresRow) throws -> PhoneVerificationCase {
        let id: UUID = try row.get("id")
        return PhoneVerificationCase(
            id: id, person: PersonID(try row.get("person", as: UUID.self)),
            phone: try PhoneNumber(try fields.open(try row.get("number"), field: Self.field, of: id)),
            requestedAt: try row.get("requested_at"), expiresAt: try row.get("expires_at"))
    }
}

extension PhoneProof {
    /// Nil where the number of an account is none that was shown to be theirs.
    init?(_ row: PostgresRow) throws {
        guard let digest = try row.get("phone_digest", as: [UInt8]?.self),
            let since = try row.get("phone_verified_at", as: Date?.self)
        else { return nil }
        self.init(digest: digest, since: since)
    }
}
