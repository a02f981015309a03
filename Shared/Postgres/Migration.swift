package import Logging

/// One step in the life of a schema. Steps are only ever added: a database that has run one remembers its checksum.
package struct Migration: Hashable, Sendable {
    package let number: Int
    package let name: String
    /// Any number of statements, run in one transaction, that of this step or of a whole new schema; unqualified names land in the schema.
    package let sql: String

    package init(_ number: Int, _ name: String, _ sql: String) {
        self.number = number
        self.name = name
        self.sql = sql
    }
}

/// Brings `schema` to the last of `migrations`, creating it where it is missing. May be called by many processes at once.
///
/// Where none of them was run yet, all are, in one transaction: nothing is there that they could lock or take long over. Else each has a
/// transaction of its own, so that what a long one has done stays when the next one fails.
/// - Parameters:
///   - component: separate numbering for what shares a schema (a library's own tables beside the service's).
///   - willRun: Called before each step that is missing, which may take minutes where tables are big.
/// - Throws: `MigrationError` where history was changed; `PostgresError` where a step fails, which is then rolled back.
package func migrate(
    _ pool: PostgresPool, schema: String, component: String = "service", migrations: [Migration],
    willRun: @escaping @Sendable (Migration) -> Void = { _ in }, logger: Logger
) async throws {
    guard PostgresConfiguration.isPlainName(schema) else {
        throw PostgresError(.misuse, debugDetail: "\(schema) is not a plain lower-case schema name")
    }
    let numbers = migrations.map(\.number)
    guard numbers == Array(1..<(numbers.count + 1)) else { throw MigrationError.misnumbered(numbers) }
    let migrator = Migrator(
        pool: pool, schema: schema, component: component, migrations: migrations, willRun: willRun, logger: logger)
    while try await migrator.advance() {}
}

/// What forbids going on with migrations.
package enum MigrationError: Error, Hashable, CustomStringConvertible {
    case misnumbered([Int])
    /// A step that the database has run reads differently now.
    case changed(number: Int, name: String)
    /// The database has run a step that this program does not know: the program is older than the database.
    case unknown(number: Int, name: String)

    package var description: String {
        switch self {
        case .misnumbered(let numbers): "migrations must be numbered 1, 2, 3 …, not \(numbers)"
        case .changed(let number, let name): "migration \(number) (\(name)) was changed after the database had run it"
        case .unknown(let number, let name):
            "the database has migration \(number) (\(name)), which this program does not know"
        }
    }
}

private struct Migrator: Sendable {
    let pool: PostgresPool
    let schema: String
    let component: String
    let migrations: [Migration]
    let willRun: @Sendable (Migration) -> Void
    let logger: Logger

    /// Runs all steps where none was run, else the next that is missing. False where nothing is left to run.
    func advance() async throws -> Bool {
        try await locked { transaction in
            try await prepare(transaction)
            let missing = try await pending(transaction)
            for step in missing.count == migrations.count ? missing : missing.prefix(1) {
                willRun(step)
                try await transaction.pipeline([script(step.sql), record(of: step)])
                logger.info(
                    "migrated", metadata: ["schema": "\(schema)", "number": "\(step.number)", "name": "\(step.name)"])
            }
            return missing.count > 1 && missing.count < migrations.count
        }
    }

    /// The schema and the table that remembers.
    private func prepare(_ transaction: PostgresTransaction) async throws {
        let known = try await transaction.query(
            """
            SELECT to_regclass(quote_ident(nspname) || '.schema_migrations') IS NOT NULL AS remembers
            FROM pg_namespace WHERE nspname = \(schema)
            """)
        // Asked first: CREATE SCHEMA IF NOT EXISTS needs the right to create even where it exists.
        if known.isEmpty { try await transaction.query("CREATE SCHEMA \(unescaped: schema)") }
        guard try known.first?.get("remembers", as: Bool.self) != true else { return }
        try await transaction.query(
            """
            CREATE TABLE \(unescaped: schema).schema_migrations (
                component text NOT NULL, number int NOT NULL, name text NOT NULL, checksum text NOT NULL,
                applied_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (component, number))
            """)
    }

    private func record(of step: Migration) -> SQLQuery {
        """
        INSERT INTO \(unescaped: schema).schema_migrations (component, number, name, checksum)
        VALUES (\(component), \(step.number), \(step.name), encode(sha256(convert_to(\(step.sql), 'UTF8')), 'hex'))
        """
    }

    /// What was not run yet, in order.
    private func pending(_ transaction: PostgresTransaction) async throws -> ArraySlice<Migration> {
        let rows = try await transaction.query(
            """
            SELECT done.number, done.name, done.checksum = encode(sha256(convert_to(known.sql, 'UTF8')), 'hex') AS same
            FROM \(unescaped: schema).schema_migrations done
            LEFT JOIN unnest(\(migrations.map(\.number)), \(migrations.map(\.sql))::text[]) AS known (number, sql)
                USING (number)
            WHERE done.component = \(component)
            ORDER BY done.number
            """)
        for row in rows {
            let (number, name) = (try row.get("number", as: Int.self), try row.get("name", as: String.self))
            switch try row.get("same", as: Bool?.self) {
            case nil: throw MigrationError.unknown(number: number, name: name)
            case false?: throw MigrationError.changed(number: number, name: name)
            case true?: continue
            }
        }
        return migrations.dropFirst(rows.count)
    }

    /// Several statements in one: the extended protocol takes only one at a time, PL/pgSQL's EXECUTE any number.
    private func script(_ sql: String) -> SQLQuery {
        var tag = "migration"
        while sql.contains("$\(tag)$") { tag += "_" }
        return .once("DO $do_\(tag)$ BEGIN EXECUTE $\(tag)$\(sql)$\(tag)$; END $do_\(tag)$")
    }

    /// One migrator at a time for each schema; however long it takes.
    private func locked<Value: Sendable>(
        _ body: @Sendable (PostgresTransaction) async throws -> Value
    ) async throws -> Value {
        try await pool.transaction(
            patience: .seconds(3600),
            withLast: { transaction in
                try await transaction.pipeline([
                    "SET LOCAL statement_timeout = 0", "SET LOCAL lock_timeout = 0",
                    "SELECT pg_advisory_xact_lock(hashtextextended('kampong migrations ' || \(schema), 0))",
                ])
                return (try await body(transaction), [])
            })
    }
}
