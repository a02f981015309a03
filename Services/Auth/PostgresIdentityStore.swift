import FoundationEssentials
import Postgres
import WireProtocol

struct PostgresIdentityStore: IdentityStore {
    let statements: any Statements
    let fields: FieldSeal

    private static let providedField = "identity_sign_ins.provided"
    private static let labelField = "identities.label"
    private static let columns: SQLQuery =
        "id, person, provider, issuer, digest, label, gives_name, linked_at, last_used_at"

    func begin(_ signIn: IdentitySignIn, from network: [UInt8], atMost count: Int, since: Date) async throws -> Bool {
        try await statements.query(
            """
            INSERT INTO identity_sign_ins (id, provider, person, next, network, started_at, expires_at)
            SELECT \(signIn.id), \(signIn.provider), \(signIn.person?.uuid), \(signIn.next), \(network),
                \(signIn.startedAt), \(signIn.expiresAt)
            WHERE (SELECT count(*) FROM identity_sign_ins WHERE network = \(network) AND started_at > \(since)) < \(count)
            """
        ).affected == 1
    }

    func signIn(_ id: UUID) async throws -> IdentitySignIn? {
        try await statements.query(
            """
            SELECT id, provider, person, next, started_at, expires_at, claimed_at, provided, used_at FROM identity_sign_ins
            WHERE id = \(id)
            """
        ).first.map { row in
            IdentitySignIn(
                id: try row.get("id"), provider: try row.get("provider"),
                person: try row.get("person", as: UUID?.self).map { PersonID($0) }, next: try row.get("next"),
                startedAt: try row.get("started_at"), expiresAt: try row.get("expires_at"),
                claimedAt: try row.get("claimed_at"),
                identity: try row.get("provided", as: [UInt8]?.self).map {
                    try WireJSON.decode(from: Array(try fields.open($0, field: Self.providedField, of: id).utf8))
                }, usedAt: try row.get("used_at"))
        }
    }

    func claim(_ id: UUID, now: Date) async throws -> Bool {
        try await statements.query(
            """
            UPDATE identity_sign_ins SET claimed_at = \(now)
            WHERE id = \(id) AND claimed_at IS NULL AND used_at IS NULL AND expires_at > \(now)
            """
        ).affected == 1
    }

    func keep(_ identity: ProvidedIdentity, of id: UUID, until: Date) async throws {
        let text = String(decoding: try WireJSON.encode(identity), as: UTF8.self)
        let sealed = try fields.seal(text, field: Self.providedField, of: id)
        try await statements.query(
            "UPDATE identity_sign_ins SET provided = \(sealed), expires_at = \(until) WHERE id = \(id)")
    }

    func use(_ id: UUID, now: Date) async throws -> Bool {
        try await statements.query(
            "UPDATE identity_sign_ins SET used_at = \(now) WHERE id = \(id) AND used_at IS NULL"
        ).affected == 1
    }

    func prune(before: Date) async throws {
        try await statements.query("DELETE FROM identity_sign_ins WHERE expires_at < \(before)")
    }

    // MARK: Linked

    func identity(_ digest: [UInt8], locked: Bool) async throws -> Identity? {
        let lock: SQLQuery = locked ? "FOR UPDATE" : ""
        return try await statements.query(
            "SELECT \(Self.columns) FROM identities WHERE digest = \(digest) \(lock)"
        ).first.map(identity)
    }

    func identities(of person: PersonID) async throws -> [Identity] {
        try await statements.query(
            "SELECT \(Self.columns) FROM identities WHERE person = \(person.uuid) ORDER BY linked_at, id"
        ).map(identity)
    }

    func add(_ identity: Identity) async throws -> Bool {
        let label = try sealed(identity)
        return try await statements.query(
            """
            INSERT INTO identities (\(Self.columns))
            VALUES (\(identity.id), \(identity.person.uuid), \(identity.provider), \(identity.issuer), \(identity.digest),
                \(label), \(identity.givesName), \(identity.since), \(identity.lastUsedAt))
            ON CONFLICT DO NOTHING
            """
        ).affected == 1
    }

    func save(_ identity: Identity) async throws {
        let label = try sealed(identity)
        try await statements.query(
            """
            UPDATE identities SET label = \(label), gives_name = \(identity.givesName),
                last_used_at = \(identity.lastUsedAt)
            WHERE id = \(identity.id)
            """)
    }

    func remove(_ identity: Identity) async throws {
        try await statements.query("DELETE FROM identities WHERE id = \(identity.id)")
    }

    func hasPassword(_ person: PersonID) async throws -> Bool {
        try await statements.query("SELECT has_password FROM accounts WHERE id = \(person.uuid)").first.map {
            try $0.get("has_password")
        } ?? false
    }

    func hasAccount(at emailDigest: [UInt8]) async throws -> Bool {
        try await statements.query(
            "SELECT FROM accounts WHERE email_digest = \(emailDigest) AND email_verified_at IS NOT NULL"
        ).first != nil
    }

    private func sealed(_ identity: Identity) throws -> [UInt8]? {
        try identity.label.map { try fields.seal($0, field: Self.labelField, of: identity.id) }
    }

    private func identity(_ row: PostgresRow) throws -> Identity {
        let id: UUID = try row.get("id")
        return Identity(
            id: id, person: PersonID(try row.get("person")), provider: try row.get("provider"),
            issuer: try row.get("issuer"), digest: try row.get("digest"),
            label: try row.get("label", as: [UInt8]?.self).map {
                try fields.open($0, field: Self.labelField, of: id)
            }, givesName: try row.get("gives_name"), since: try row.get("linked_at"),
            lastUsedAt: try row.get("last_used_at"))
    }
}
