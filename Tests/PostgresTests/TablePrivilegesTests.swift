import Logging
import Postgres
import TestKit
import Testing

/// Two roles of a service: the owner changes tables, the other only rows; and how a database comes there in which there was one.
@Suite struct TablePrivilegesTests {
    private static let steps = [
        Migration(
            1, "things and lines",
            """
            CREATE TABLE things (id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text);
            CREATE TABLE lines (id serial PRIMARY KEY, text text);
            CREATE FUNCTION twice(n int8) RETURNS int8 LANGUAGE sql AS $$ SELECT n * 2 $$;
            """)
    ]
    private static let later = steps + [Migration(2, "more", "CREATE TABLE more (n int8)")]

    private func bringUpToDate(_ it: Installation, to steps: [Migration] = Self.steps) async throws {
        try await it.asOwner { pool in
            try await migrate(pool, schema: it.service, migrations: steps, logger: .quiet)
            try await settlePrivileges(pool, schema: it.service, appendOnly: ["lines"])
        }
    }

    private static let allowed: [SQLQuery] = [
        "INSERT INTO things (name) VALUES ('one')", "UPDATE things SET name = 'two'", "DELETE FROM things",
        "INSERT INTO lines (text) VALUES ('one')", "SELECT id, text FROM lines", "SELECT twice(2)",
        "SELECT number FROM schema_migrations",
    ]
    private static let denied: [SQLQuery] = [
        "UPDATE lines SET text = ''", "DELETE FROM lines", "TRUNCATE lines", "DROP TABLE lines",
        "ALTER TABLE things ADD COLUMN n int8", "DROP TABLE things", "TRUNCATE things", "CREATE TABLE others ()",
        "CREATE TEMPORARY TABLE others ()", "CREATE INDEX ON things (name)", "DROP FUNCTION twice(int8)",
        "DELETE FROM schema_migrations", "UPDATE schema_migrations SET number = 7",
        "INSERT INTO schema_migrations VALUES ('service', 7, '', '')",
        "CREATE TRIGGER t BEFORE INSERT ON lines FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    ]

    private func expectOnlyRowsToChange(in it: Installation, besides more: [SQLQuery] = []) async throws {
        try await it.asService { pool in
            for statement in Self.allowed + more {
                let error = await postgresError { try await pool.query(statement) }
                #expect(error == nil, "\(statement.text)")
            }
            for statement in Self.denied {
                let error = await postgresError { try await pool.query(statement) }
                #expect(error?.sqlState == "42501", "\(statement.text)")
            }
        }
    }

    @Test func aNewInstallation() async throws {
        try await Installation.with { it in
            try await it.provision()
            try await bringUpToDate(it)
            try await expectOnlyRowsToChange(in: it)
            // What is made later is the service's to fill, even before anything is settled.
            try await it.asOwner { pool in
                try await migrate(pool, schema: it.service, migrations: Self.later, logger: .quiet)
            }
            try await expectOnlyRowsToChange(in: it, besides: ["INSERT INTO more VALUES (1)", "DELETE FROM more"])
        }
    }

    /// The service's own role had the schema and all that is in it.
    @Test func anInstallationOfBeforeIsUpgradedByItselfAndKeepsItsRows() async throws {
        try await Installation.with { it in
            try await it.asSuperuser { pool in
                for statement: SQLQuery in [
                    "CREATE ROLE \(unescaped: it.service) LOGIN PASSWORD '\(unescaped: Installation.password)'",
                    "CREATE SCHEMA \(unescaped: it.service) AUTHORIZATION \(unescaped: it.service)",
                    "GRANT CONNECT, TEMPORARY ON DATABASE \(unescaped: it.service) TO \(unescaped: it.service)",
                ] { _ = try await pool.query(statement) }
            }
            try await it.asService { pool in
                try await migrate(pool, schema: it.service, migrations: Self.steps, logger: .quiet)
                _ = try await pool.query("INSERT INTO lines (text) VALUES ('of before')")
            }
            for steps in [Self.later, Self.later] {
                try await it.provision()
                try await bringUpToDate(it, to: steps)
                try await expectOnlyRowsToChange(in: it, besides: ["INSERT INTO more VALUES (1)"])
            }
            try await it.asService { pool in
                try await requireMigrated(pool, schema: it.service, migrations: Self.later)
                #expect(try await pool.query("SELECT text FROM lines WHERE text = 'of before'").count == 1)
            }
        }
    }

    @Test func whatWasGivenOrTakenByHandIsSettledWithTheNextStart() async throws {
        try await Installation.with { it in
            try await it.provision()
            try await bringUpToDate(it)
            try await it.asOwner { pool in
                for statement: SQLQuery in [
                    "GRANT ALL ON lines, schema_migrations TO \(unescaped: it.service)",
                    "REVOKE ALL ON things FROM \(unescaped: it.service)",
                ] { _ = try await pool.query(statement) }
            }
            try await bringUpToDate(it)
            try await expectOnlyRowsToChange(in: it)
        }
    }

    @Test func whereNoRoleIsNamedNothingIsSettled() async throws {
        try await TestDatabase.with(migrations: Self.steps) { database in
            try await settlePrivileges(database.pool, schema: database.schema, appendOnly: ["lines"])
            let granted = try await database.pool.query(
                """
                SELECT count(*) AS n FROM pg_class
                WHERE relnamespace = to_regnamespace(\(database.schema)) AND relacl IS NOT NULL
                """)
            #expect(try granted[0].get("n", as: Int.self) == 0)
            let error = await postgresError {
                try await settlePrivileges(database.pool, schema: database.schema, appendOnly: ["lines; DROP TABLE x"])
            }
            #expect(error?.kind == .misuse)
        }
    }
}
