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
/// - Throws: `MigrationError` where history was changed; `PostgresError` where a step fails, which is then rolled back.
package func migrate(
    _ pool: PostgresPool, schema: String, component: String = "service", migrations: [Migration],
    logger: Logger
) async throws {
    guard PostgresConfiguration.isPlainName(schema) else {
        throw PostgresError(.misuse, debugDetail: "\(schema) is not a plain lower-case schema name")
    }
    let numbers = migrations.map(\.number)
    guard numbers == Array(1..<(numbers.count + 1)) else { throw MigrationError.misnumbered(numbers) }
    let history = MigrationHistory(schema: schema, component: component, migrations: migrations)
    let migrator = Migrator(pool: pool, history: history, logger: logger)
    while try await migrator.advance() {}
}

/// Holds a schema against `migrations`, for a role that may only read what the schema remembers of them.
/// - Throws: `MigrationError`: `.missing` where the schema is behind, and what `migrate` throws where history was changed.
package func requireMigrated(
    _ pool: PostgresPool, schema: String, component: String = "service", migrations: [Migration]
) async throws {
    let history = MigrationHistory(schema: schema, component: component, migrations: migrations)
    var missing = migrations[...]
    if try await pool.read(history.presence).first?.get("remembers", as: Bool.self) == true {
        missing = try history.missing(after: try await pool.read(history.steps))
    }
    if let step = missing.first { throw MigrationError.missing(number: step.number, name: step.name) }
}

/// What forbids going on with migrations.
package enum MigrationError: Error, Hashable, CustomStringConvertible {
    case misnumbered([Int])
    /// A step that the database has run reads differently now.
    case changed(number: Int, name: String)
    /// The database has run a step that this program does not know: the program is older than the database.
    case unknown(number: Int, name: String)
    /// The database has not run a step that this program needs, and the program may not run it.
    case missing(number: Int, name: String)

    package var description: String {
        switch self {
        case .misnumbered(let numbers): "migrations must be numbered 1, 2, 3 …, not \(numbers)"
        case .changed(let number, let name): "migration \(number) (\(name)) was changed after the database had run it"
        case .unknown(let number, let name):
            "the database has migration \(number) (\(name)), which this program does not know"
        case .missing(let number, let name):
            "the database lacks migration \(number) (\(name)), which its owner runs: the service's program with the verb migrate"
        }
    }
}

private struct Migrator: Sendable {
    let pool: PostgresPool
    let history: MigrationHistory
    let logger: Logger

    /// Runs all steps where none was run, else the next that is missing. False where nothing is left to run.
    func advance() async throws -> Bool {
        let (schema, migrations) = (history.schema, history.migrations)
        return try await changingSchema(schema, in: pool) { transaction in
            try await prepare(transaction)
            let missing = try history.missing(after: try await transaction.query(history.steps))
            for step in missing.count == migrations.count ? missing : missing.prefix(1) {
                // It may take minutes where tables are big.
                logger.info(
                    "migrating", metadata: ["schema": "\(schema)", "number": "\(step.number)", "name": "\(step.name)"])
                try await transaction.pipeline([script(step.sql), history.record(of: step)])
            }
            return missing.count > 1 && missing.count < migrations.count
        }
    }

    /// The schema and the table that remembers.
    private func prepare(_ transaction: PostgresTransaction) async throws {
        let known = try await transaction.query(history.presence)
        // Asked first: CREATE SCHEMA IF NOT EXISTS needs the right to create even where it exists.
        if known.isEmpty { try await transaction.query("CREATE SCHEMA \(unescaped: history.schema)") }
        guard try known.first?.get("remembers", as: Bool.self) != true else { return }
        try await transaction.query(history.table)
    }

    /// Several statements in one: the extended protocol takes only one at a time, PL/pgSQL's EXECUTE any number.
    private func script(_ sql: String) -> SQLQuery {
        var tag = "migration"
        while sql.contains("$\(tag)$") { tag += "_" }
        return .once("DO $do_\(tag)$ BEGIN EXECUTE $\(tag)$\(sql)$\(tag)$; END $do_\(tag)$")
    }
}

/// A transaction that changes a schema's tables: one at a time for each schema, however long it takes.
func changingSchema<Value: Sendable>(
    _ schema: String, in pool: PostgresPool, _ body: @Sendable (PostgresTransaction) async throws -> Value
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
