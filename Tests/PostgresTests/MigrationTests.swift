import Logging
import Postgres
import TestKit
import Testing

@Suite struct MigrationTests {
    private static let steps = [
        Migration(
            1, "things", "CREATE TABLE things (n int8); INSERT INTO things VALUES (1); CREATE INDEX ON things (n);"),
        Migration(
            2, "a function",
            """
            CREATE FUNCTION twice(n int8) RETURNS int8 LANGUAGE sql AS $$ SELECT n * 2 $$;
            DO $migration$ BEGIN PERFORM 1; END $migration$;
            UPDATE things SET n = twice(n); -- it's "quoted"
            """),
    ]

    private func run(_ database: TestDatabase, _ migrations: [Migration], component: String = "service") async throws {
        try await migrate(
            database.pool, schema: database.schema, component: component, migrations: migrations,
            logger: Logger(label: "test"))
    }

    /// As a service asks that may not run them itself.
    @Test func aSchemaThatIsBehindAheadOrChangedIsNotTakenForOneThatIsUpToDate() async throws {
        try await TestDatabase.with { database in
            func require(_ steps: [Migration]) async throws {
                try await requireMigrated(database.pool, schema: database.schema, migrations: steps)
            }
            await #expect(throws: MigrationError.missing(number: 1, name: "things")) { try await require(Self.steps) }
            try await run(database, Array(Self.steps.prefix(1)))
            await #expect(throws: MigrationError.missing(number: 2, name: "a function")) {
                try await require(Self.steps)
            }
            try await run(database, Self.steps)
            try await require(Self.steps)
            await #expect(throws: MigrationError.unknown(number: 2, name: "a function")) {
                try await require(Array(Self.steps.prefix(1)))
            }
            var changed = Self.steps
            changed[0] = Migration(1, "things", "CREATE TABLE things (n int4)")
            await #expect(throws: MigrationError.changed(number: 1, name: "things")) { try await require(changed) }
            await #expect(throws: MigrationError.missing(number: 1, name: "things")) {
                try await requireMigrated(database.pool, schema: "nowhere", migrations: Self.steps)
            }
        }
    }

    private func value(_ database: TestDatabase) async throws -> [Int] {
        try await database.pool.query("SELECT n FROM things").map { try $0.get("n") }
    }

    @Test func eachRunsOnce() async throws {
        try await TestDatabase.with { database in
            try await run(database, Array(Self.steps.prefix(1)))
            try await run(database, Self.steps)
            try await run(database, Self.steps)
            #expect(try await value(database) == [2])
            try await run(database, [Migration(1, "other", "CREATE TABLE others ()")], component: "library")
            let done = try await database.pool.query("SELECT FROM schema_migrations")
            #expect(done.count == 3)
        }
    }

    /// How many transactions the steps that are there were run in.
    private func transactions(_ database: TestDatabase) async throws -> Int {
        try await database.pool.query("SELECT count(DISTINCT xmin::text) AS n FROM schema_migrations")[0].get("n")
    }

    @Test func aNewSchemaTakesAllInOneTransactionAndALaterOneTakesEachInItsOwn() async throws {
        let later =
            Self.steps + [Migration(3, "more", "CREATE TABLE more ()"), Migration(4, "most", "CREATE TABLE most ()")]
        try await TestDatabase.with { database in
            try await run(database, Self.steps)
            #expect(try await transactions(database) == 1)
            try await run(database, later)
            #expect(try await transactions(database) == 3)
        }
        // One by one, as a community that was there from the beginning took them, the same comes of it.
        try await TestDatabase.with { database in
            for count in 1...later.count { try await run(database, Array(later.prefix(count))) }
            #expect(try await transactions(database) == later.count)
            #expect(try await value(database) == [2])
        }
    }

    @Test func aStepThatFailsInANewSchemaLeavesNothingOfAnyStep() async throws {
        try await TestDatabase.with { database in
            let broken = Migration(3, "broken", "SELECT 1 / 0;")
            let error = await postgresError { try await run(database, Self.steps + [broken]) }
            #expect(error?.sqlState == "22012")
            let left = try await database.pool.query("SELECT FROM pg_tables WHERE schemaname = current_schema()")
            #expect(left.isEmpty)
            try await run(database, Self.steps)
            #expect(try await value(database) == [2])
        }
    }

    @Test func theSchemaIsMadeWhereItIsMissing() async throws {
        try await TestDatabase.with { database in
            _ = try await database.pool.query("DROP SCHEMA \(unescaped: database.schema)")
            try await run(database, Self.steps)
            #expect(try await value(database) == [2])
        }
    }

    @Test func manyAtOnceRunEachOnce() async throws {
        try await TestDatabase.with { database in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<6 { group.addTask { try await run(database, Self.steps) } }
                try await group.waitForAll()
            }
            #expect(try await value(database) == [2])
        }
    }

    @Test func historyMayNotChange() async throws {
        try await TestDatabase.with { database in
            try await run(database, Self.steps)
            var changed = Self.steps
            changed[0] = Migration(1, "things", "CREATE TABLE things (n int4)")
            await #expect(throws: MigrationError.changed(number: 1, name: "things")) {
                try await run(database, changed)
            }
            await #expect(throws: MigrationError.unknown(number: 2, name: "a function")) {
                try await run(database, Array(Self.steps.prefix(1)))
            }
            await #expect(throws: MigrationError.misnumbered([1, 3])) {
                try await run(database, [Self.steps[0], Migration(3, "", "")])
            }
        }
    }

    @Test func aStepThatFailsLeavesNothing() async throws {
        try await TestDatabase.with { database in
            let broken = Migration(2, "broken", "CREATE TABLE half (n int8); SELECT 1 / 0;")
            try await run(database, [Self.steps[0]])
            let error = await postgresError { try await run(database, [Self.steps[0], broken]) }
            #expect(error?.sqlState == "22012")
            #expect(try await value(database) == [1])
            let half = try await database.pool.query(
                "SELECT FROM pg_tables WHERE tablename = 'half' AND schemaname = current_schema()")
            #expect(half.isEmpty)
            try await run(database, Self.steps)
            #expect(try await value(database) == [2])
        }
    }
}
