import FIDO2
import FoundationEssentials
import Postgres
import WireProtocol

struct PostgresPasskeyStore: PasskeyStore {
    let statements: any Statements

    private static let columns: SQLQuery =
        "id, person, host, credential, algorithm, public_key, transports, name, counter, eligible, backed_up, added_at, last_used_at"

    func passkeys(of person: PersonID) async throws -> [KeptPasskey] {
        try await statements.query(
            "SELECT \(Self.columns) FROM passkeys WHERE person = \(person.uuid) ORDER BY added_at, id"
        ).map(KeptPasskey.init)
    }

    func passkey(credential: [UInt8], locked: Bool) async throws -> KeptPasskey? {
        let lock: SQLQuery = locked ? "FOR UPDATE" : ""
        return try await statements.query(
            "SELECT \(Self.columns) FROM passkeys WHERE credential = \(credential) \(lock)"
        ).first.map(KeptPasskey.init)
    }

    func locked(_ id: PasskeyID, of person: PersonID) async throws -> KeptPasskey? {
        try await statements.query(
            "SELECT \(Self.columns) FROM passkeys WHERE id = \(id.uuid) AND person = \(person.uuid) FOR UPDATE"
        ).first.map(KeptPasskey.init)
    }

    func add(_ passkey: KeptPasskey) async throws -> Bool {
        try await statements.query(
            """
            INSERT INTO passkeys (\(Self.columns))
            VALUES (\(passkey.id.uuid), \(passkey.person.uuid), \(passkey.host), \(passkey.credential),
                \(Int(passkey.key.algorithm.rawValue)), \(passkey.key.bytes), \(passkey.transports), \(passkey.name),
                \(Int(passkey.counter)), \(passkey.isEligible), \(passkey.isBackedUp), \(passkey.addedAt),
                \(passkey.lastUsedAt))
            ON CONFLICT (credential) DO NOTHING
            """
        ).affected == 1
    }

    func save(_ passkey: KeptPasskey) async throws {
        try await statements.query(
            """
            UPDATE passkeys SET name = \(passkey.name), counter = \(Int(passkey.counter)),
                backed_up = \(passkey.isBackedUp), last_used_at = \(passkey.lastUsedAt)
            WHERE id = \(passkey.id.uuid)
            """)
    }

    func remove(_ id: PasskeyID) async throws {
        try await statements.query("DELETE FROM passkeys WHERE id = \(id.uuid)")
    }

    func removeAll(of person: PersonID) async throws -> Int {
        try await statements.query("DELETE FROM passkeys WHERE person = \(person.uuid)").affected
    }

    func use(_ challenge: PasskeyChallenge) async throws -> Bool {
        try await statements.query(
            """
            INSERT INTO passkey_challenges (id, forgotten_at) VALUES (\(challenge.id), \(challenge.forgottenAt))
            ON CONFLICT DO NOTHING
            """
        ).affected == 1
    }

    func adopt(host: String) async throws {
        try await statements.query("UPDATE passkeys SET host = \(host) WHERE host IS NULL")
    }

    func prune(now: Date) async throws {
        try await statements.query("DELETE FROM passkey_challenges WHERE forgotten_at < \(now)")
    }
}

extension KeptPasskey {
    fileprivate init(_ row: PostgresRow) throws {
        let number: Int = try row.get("algorithm")
        guard let algorithm = Int32(exactly: number).flatMap(FIDO2.Algorithm.init) else {
            throw PostgresError(.unexpectedValue, debugDetail: "\(number) is no algorithm of passkeys")
        }
        let counter: Int = try row.get("counter")
        self.init(
            id: PasskeyID(try row.get("id")), person: PersonID(try row.get("person")),
            host: try row.get("host"), credential: try row.get("credential"),
            key: FIDO2.PublicKey(algorithm: algorithm, bytes: try row.get("public_key")),
            transports: try row.get("transports"), name: try row.get("name"), counter: UInt32(clamping: counter),
            isEligible: try row.get("eligible"), isBackedUp: try row.get("backed_up"),
            addedAt: try row.get("added_at"), lastUsedAt: try row.get("last_used_at"))
    }
}
