import Postgres
import TestKit
import Testing

@Suite struct TransactionTests {
    private struct Refusal: Error {}

    private func withThings(_ body: (PostgresPool) async throws -> Void) async throws {
        try await TestDatabase.with { database in
            _ = try await database.pool.query("CREATE TABLE things (n int8 PRIMARY KEY)")
            try await body(database.pool)
        }
    }

    private func count(_ pool: PostgresPool) async throws -> Int { try await pool.query("SELECT FROM things").count }

    @Test func allOrNothing() async throws {
        try await withThings { pool in
            let sum = try await pool.transaction { transaction in
                try await transaction.query("INSERT INTO things VALUES (1)")
                return try await transaction.pipeline([
                    "INSERT INTO things VALUES (2)", "INSERT INTO things VALUES (3)",
                    "SELECT sum(n)::int8 AS sum FROM things",
                ])[2][0].get("sum", as: Int.self)
            }
            #expect(sum == 6)
            await #expect(throws: Refusal.self) {
                try await pool.transaction { transaction in
                    try await transaction.query("INSERT INTO things VALUES (4)")
                    throw Refusal()
                }
            }
            #expect(try await count(pool) == 3)
        }
    }

    @Test func anErrorSaysWhichOfTheStatementsItWas() async throws {
        try await withThings { pool in
            for (number, statements) in [
                ["INSERT INTO things VALUES (1)", "SELECT 1"],
                ["SELECT 1", "SELECT 2", "INSERT INTO things VALUES (1)"],
            ]
            .enumerated() {
                _ = try? await pool.query("INSERT INTO things VALUES (1)")
                let error = await #expect(throws: PostgresError.self) {
                    try await pool.transaction { transaction in
                        try await transaction.pipeline(statements.map { "\(unescaped: $0)" })
                    }
                }
                #expect(error?.statement == number * 2 && error?.sqlState == SQLState.uniqueViolation)
            }
        }
    }

    @Test func nobodySeesItBeforeItIsCommitted() async throws {
        try await withThings { pool in
            try await pool.transaction { transaction in
                try await transaction.query("INSERT INTO things VALUES (1)")
                let seen = try await count(pool)
                #expect(seen == 0)
            }
            #expect(try await count(pool) == 1)
        }
    }

    @Test func anErrorInAPipelineEndsTheTransaction() async throws {
        try await withThings { pool in
            let error = await postgresError {
                try await pool.transaction { transaction in
                    try await transaction.pipeline([
                        "INSERT INTO things VALUES (1)", "INSERT INTO things VALUES (1)",
                        "INSERT INTO things VALUES (2)",
                    ])
                }
            }
            let left = try await count(pool)
            #expect(error?.constraint == "things_pkey")
            #expect(left == 0)
        }
    }

    @Test func anErrorThatWasOverlookedIsNoCommit() async throws {
        try await withThings { pool in
            let error = await postgresError {
                try await pool.transaction { transaction in
                    try await transaction.query("INSERT INTO things VALUES (1)")
                    _ = try? await transaction.query("SELECT 1 / 0")
                }
            }
            let left = try await count(pool)
            #expect(error?.sqlState == "25P02")
            #expect(left == 0)
        }
    }

    @Test func aConstraintThatIsCheckedAtCommit() async throws {
        try await withThings { pool in
            _ = try await pool.query(
                "CREATE TABLE parts (thing int8 CONSTRAINT of_a_thing REFERENCES things DEFERRABLE INITIALLY DEFERRED)")
            let error = await postgresError {
                try await pool.transaction { try await $0.query("INSERT INTO parts VALUES (9)") }
            }
            #expect(error?.kind == .server && error?.constraint == "of_a_thing")
            #expect(try await count(pool) == 0)
        }
    }

    @Test func deadlocksAreFoundAndMayBeRetried() async throws {
        try await withThings { pool in
            _ = try await pool.query("INSERT INTO things VALUES (1), (2)")
            let locked = Locked(0)
            let errors = await withTaskGroup(of: PostgresError?.self) { group in
                for (first, second) in [(1, 2), (2, 1)] {
                    group.addTask {
                        await postgresError {
                            try await pool.transaction { transaction in
                                try await transaction.query("SELECT FROM things WHERE n = \(first) FOR UPDATE")
                                locked.change { $0 += 1 }
                                try await eventually("both to have their first lock") { locked.value == 2 }
                                try await transaction.query("SELECT FROM things WHERE n = \(second) FOR UPDATE")
                            }
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let deadlock = errors.compactMap { $0 }
            #expect(deadlock.count == 1)
            #expect(deadlock.first?.sqlState == SQLState.deadlockDetected && deadlock.first?.isRetriable == true)
        }
    }

    /// Sent again by itself, what goes with COMMIT would be committed elsewhere, and the rest of the transaction lost.
    @Test func whatGoesWithCommitStaysInItsTransaction() async throws {
        try await withThings { pool in
            let insert = { @Sendable (number: Int) -> SQLQuery in "INSERT INTO things VALUES (\(number))" }
            let error = await postgresError {
                try await pool.transaction(withLast: { transaction in
                    try await transaction.query(insert(1))
                    try await transaction.query("DEALLOCATE ALL")
                    return ((), [insert(2)])
                })
            }
            #expect(error?.sqlState == "26000" && error?.isRetriable == true)
            #expect(try await count(pool) == 0)
            // And the connection is whole: it is used by everybody again.
            for number in 3...6 { _ = try await pool.query(insert(number)) }
            #expect(try await count(pool) == 4)
        }
    }

    @Test func aStatementThatAMigrationMadeOutdatedIsPreparedAnew() async throws {
        try await TestDatabase.with({ $0.poolSize = 1 }) { database in
            let pool = database.pool
            _ = try await pool.query("CREATE TABLE things (n int8)")
            _ = try await pool.query("INSERT INTO things VALUES (7)")
            let read: @Sendable () async throws -> PostgresRows = {
                try await pool.transaction { try await $0.query("SELECT n FROM things") }
            }
            #expect(try await read()[0].get("n", as: Int.self) == 7)
            _ = try await pool.query("ALTER TABLE things ALTER n TYPE text")
            let error = await postgresError(read)
            #expect(error?.sqlState == "0A000" && error?.isRetriable == true)
            #expect(try await read()[0].get("n", as: String.self) == "7")
            // Outside of a transaction nobody notices.
            _ = try await pool.query("ALTER TABLE things ALTER n TYPE int8 USING n::int8")
            #expect(try await pool.query("SELECT n FROM things")[0].get("n", as: Int.self) == 7)
            _ = try await pool.query("ALTER TABLE things ALTER n TYPE int4")
            #expect(try await pool.read("SELECT n FROM things")[0].get("n", as: Int32.self) == 7)
            // What the server cannot do at all has the same code, and is no better the next time.
            for _ in 0..<2 {
                let unsupported = await postgresError {
                    try await pool.transaction { try await $0.query("SELECT count(*) FROM things FOR UPDATE") }
                }
                #expect(unsupported?.sqlState == "0A000" && unsupported?.isRetriable == false)
            }
        }
    }

    @Test func aTransactionThatIsOverTakesNothing() async throws {
        try await withThings { pool in
            let kept = try await pool.transaction { transaction in
                try await transaction.query("SELECT 1")
                return transaction
            }
            let error = await postgresError { try await kept.query("INSERT INTO things VALUES (1)") }
            #expect(error?.kind == .misuse)
            try await pool.transaction { _ in }  // one without statements needs no server
            #expect(try await count(pool) == 0)
        }
    }
}
