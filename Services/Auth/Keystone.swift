import Argon2
import Logging
import Postgres

/// What ties a database to its secrets file and to the cost of its password hashes.
struct Keystone {
    let statements: any Statements

    /// Notes both on first start; afterwards the database's word counts.
    /// - Returns: What a password hash costs here. It can't be changed while accounts are found by their hashes.
    /// - Throws: `SecretsProblem` where the database belongs to another secrets file.
    func settle(_ secrets: AuthSecrets, path: String, cost: Argon2.Cost, logger: Logger) async throws -> Argon2.Cost {
        try await statements.query(
            """
            INSERT INTO keystone (fingerprint, argon2_operations, argon2_memory)
            VALUES (\(secrets.fingerprint), \(cost.operations), \(cost.memoryBytes))
            ON CONFLICT DO NOTHING
            """)
        let rows = try await statements.query("SELECT fingerprint, argon2_operations, argon2_memory FROM keystone")
        guard let row = rows.first, try row.get("fingerprint", as: [UInt8].self) == secrets.fingerprint else {
            throw SecretsProblem(
                "The secrets file \(path) does not belong to this database: restore the one from its backup.")
        }
        let settled = Argon2.Cost(
            operations: try row.get("argon2_operations"), memoryBytes: try row.get("argon2_memory"))
        if settled != cost {
            logger.warning(
                "the cost of password hashes stays what it was when this database was made",
                metadata: ["passes": "\(settled.operations)", "bytes": "\(settled.memoryBytes)"])
        }
        return settled
    }
}
