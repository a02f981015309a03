/// Lets the roles that a service runs as read and change the rows of its tables, and nothing else; run by the tables' owner after its migrations.
///
/// Those roles are the ones that the owner's default privileges in this schema name (`deploy/postgres/service.sql`), which hold for tables that are
/// made later. This settles those that were there before, and the exceptions. Where no role is named, as in the schema of a test, nothing is done.
/// - Parameter appendOnly: tables of which rows may be added and read, and never changed or removed. What the schema remembers of its migrations
///   may only be read.
package func settlePrivileges(_ pool: PostgresPool, schema: String, appendOnly: [String] = []) async throws {
    guard ([schema] + appendOnly).allSatisfy(PostgresConfiguration.isPlainName) else {
        throw PostgresError(.misuse, debugDetail: "\(schema) or one of \(appendOnly) is not a plain lower-case name")
    }
    try await changingSchema(schema, in: pool) { transaction in
        let runners = try await transaction.query(
            """
            SELECT DISTINCT grantee::regrole::text AS role FROM pg_default_acl, aclexplode(defaclacl)
            WHERE defaclnamespace = to_regnamespace(\(schema)) AND defaclrole = current_user::regrole
                AND defaclobjtype = 'r' AND grantee <> 0 AND grantee <> defaclrole
            """)
        guard !runners.isEmpty else { return }
        let tables = try await owned(["r", "p"], of: schema, transaction)
        let sequences = try await owned(["S"], of: schema, transaction)
        for row in runners {
            let role: String = try row.get("role")
            var changes: [SQLQuery] = []
            if let tables {
                changes += [
                    "REVOKE ALL ON \(unescaped: tables) FROM \(unescaped: role)",
                    "GRANT SELECT, INSERT, UPDATE, DELETE ON \(unescaped: tables) TO \(unescaped: role)",
                ]
            }
            if let sequences {
                changes.append("GRANT USAGE ON SEQUENCE \(unescaped: sequences) TO \(unescaped: role)")
            }
            for table in appendOnly {
                changes.append(
                    """
                    REVOKE UPDATE, DELETE ON \(unescaped: schema).\(unescaped: table) FROM \(unescaped: role)
                    """)
            }
            changes.append(
                "REVOKE INSERT, UPDATE, DELETE ON \(unescaped: schema).schema_migrations FROM \(unescaped: role)")
            try await transaction.pipeline(changes)
        }
    }
}

/// The tables or sequences of a schema that belong to whoever asks, with commas between them; nil where there are none.
private func owned(_ kinds: [String], of schema: String, _ transaction: PostgresTransaction) async throws -> String? {
    try await transaction.query(
        """
        SELECT string_agg(oid::regclass::text, ', ' ORDER BY oid) AS names FROM pg_class
        WHERE relnamespace = to_regnamespace(\(schema)) AND relowner = current_user::regrole
            AND relkind::text = ANY(\(kinds))
        """
    )[0].get("names", as: String?.self)
}
