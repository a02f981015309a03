import DurableMessaging
import FoundationEssentials
import Postgres

struct PostgresSigningKeyStore: SigningKeyStore {
    let statements: any Statements

    func keys() async throws -> [SigningKey] {
        try await statements.query(
            "SELECT id, public_key, sealed, signs_from FROM signing_keys ORDER BY signs_from, id"
        ).map(SigningKey.init)
    }

    func keysLocked() async throws -> [SigningKey] {
        // A statement of its own: what follows must see what the one before us committed.
        try await statements.query(.lock("signing keys", "all"))
        return try await keys()
    }

    func add(_ key: SigningKey) async throws {
        try await statements.query(
            """
            INSERT INTO signing_keys (id, public_key, sealed, signs_from)
            VALUES (\(key.id), \(key.publicKey), \(key.sealed), \(key.signsFrom))
            """)
    }

    func remove(_ keys: [SigningKey]) async throws {
        try await statements.query("DELETE FROM signing_keys WHERE id = ANY(\(keys.map(\.id)))")
    }
}

extension SigningKey {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(
            id: try row.get("id"), publicKey: try row.get("public_key"), sealed: try row.get("sealed"),
            signsFrom: try row.get("signs_from"))
    }
}
