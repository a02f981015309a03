import Postgres
import TestKit
import Testing

@Suite struct PipelineTests {
    private func withNumbers(
        _ configure: (inout PostgresConfiguration) -> Void = { _ in }, _ body: (TestDatabase) async throws -> Void
    ) async throws {
        try await TestDatabase.with(configure) { database in
            _ = try await database.pool.query(
                "CREATE TABLE numbers (n int8 CONSTRAINT numbers_unique UNIQUE, CHECK (n < 1000000))")
            try await body(database)
        }
    }

    @Test(arguments: [true, false])
    func manyTravelTogetherAndEachGetsItsOwnAnswer(shared: Bool) async throws {
        try await withNumbers({ $0.poolSize = 3 }) { database in
            let pool = database.pool
            let sums = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<2000 {
                    group.addTask {
                        let query: SQLQuery = "SELECT \(number) + 1 AS next, \(String(number))::text AS text"
                        let rows = try await shared ? pool.read(query) : pool.query(query)
                        return try rows[0].get("next") == number + 1 && rows[0].get("text") == String(number)
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(sums == 2000)
        }
    }

    @Test(arguments: [true, false])
    func anErrorIsOnlyItsOwnQuerys(shared: Bool) async throws {
        try await withNumbers({ $0.poolSize = 1 }) { database in
            let pool = database.pool
            _ = try await pool.query("SELECT 1")  // the connection is there, so that all of the following share it
            let outcomes = try await withThrowingTaskGroup(of: (Int, Bool).self) { group in
                for number in 0..<300 {
                    group.addTask {
                        let query: SQLQuery = "SELECT \(number) AS n, 1 / (\(number) % 7) AS x"
                        do {
                            let rows = try await shared ? pool.read(query) : pool.query(query)
                            return (number, try rows[0].get("n") == number)
                        } catch let error as PostgresError {
                            #expect(error.sqlState == "22012")
                            return (number, false)
                        }
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            for number in 0..<300 { #expect(outcomes[number] == (number % 7 != 0), "\(number)") }
        }
    }

    @Test func whatIsPlannedAnewIsSoByItself() async throws {
        try await TestDatabase.with({ ($0.poolSize, $0.plansOnce) = (1, true) }) { database in
            let pool = database.pool
            let mode: SQLQuery = "SELECT current_setting('plan_cache_mode') AS mode, \(1) AS one"
            _ = try await pool.query("SELECT 1")  // so that all share one connection
            let modes = try await withThrowingTaskGroup(of: (Bool, String).self) { group in
                for number in 0..<200 {
                    let isAnew = number % 3 == 0
                    group.addTask { (isAnew, try await pool.read(isAnew ? mode.plannedAnew : mode)[0].get("mode")) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(modes.count == 200)
            for (isAnew, mode) in modes { #expect(mode == (isAnew ? "force_custom_plan" : "force_generic_plan")) }

            let answers: [String] = try await pool.transaction { transaction in
                let both = try await transaction.pipeline(["SELECT 'first' AS mode", mode.plannedAnew])
                return try both.map { try $0[0].get("mode") }
            }
            #expect(answers == ["first", "force_custom_plan"])
            #expect(try await pool.read(mode)[0].get("mode") == "force_generic_plan")
        }
    }

    @Test func aStatementThatAnswersIsCommitted() async throws {
        try await withNumbers { database in
            let pool = database.pool
            let other = try database.pool()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let inserted = try await pool.query("INSERT INTO numbers VALUES (\(number))")
                        let seen = try await other.query("SELECT FROM numbers WHERE n = \(number)")
                        #expect(inserted.affected == 1 && seen.count == 1)
                    }
                }
                try await group.waitForAll()
            }
            await other.close()
        }
    }

    @Test func whatFailsAtTheEndIsNotTakenForDone() async throws {
        try await withNumbers { database in
            _ = try await database.pool.query(
                """
                CREATE TABLE late (n int, CONSTRAINT late_once UNIQUE (n) DEFERRABLE INITIALLY DEFERRED)
                """)
            _ = try await database.pool.query("INSERT INTO late VALUES (1)")
            for _ in 0..<2 {
                let error = await postgresError { _ = try await database.pool.query("INSERT INTO late VALUES (1)") }
                #expect(error?.kind == .server && error?.constraint == "late_once")
            }
            #expect(try await database.pool.query("SELECT n FROM late").count == 1)
        }
    }

    @Test func errorsNameTheConstraintAndLeakNothing() async throws {
        try await withNumbers { database in
            _ = try await database.pool.query("INSERT INTO numbers VALUES (\(4711))")
            let twice = await postgresError {
                _ = try await database.pool.query("INSERT INTO numbers VALUES (\(4711))")
            }
            #expect(twice?.kind == .server && twice?.sqlState == SQLState.uniqueViolation)
            #expect(twice?.constraint == "numbers_unique" && twice?.table == "numbers")
            #expect(twice.map { !"\($0)".contains("4711") && $0.debugDetail.contains("4711") } == true)
            #expect(twice?.isRetriable == false)
            let checked = await postgresError {
                _ = try await database.pool.query("INSERT INTO numbers VALUES (\(2_000_000))")
            }
            #expect(checked?.sqlState == SQLState.checkViolation && checked?.constraint == "numbers_n_check")
            let wrong = await postgresError { _ = try await database.pool.query("SELEC 1") }
            #expect(wrong?.sqlState == "42601" && wrong?.isRetriable == false)
            // The mistake is not kept as a prepared statement, and the next is served.
            #expect(try await database.pool.query("SELECT 1 AS one").count == 1)
        }
    }

    @Test func moreStatementsThanAreKeptPrepared() async throws {
        try await withNumbers({
            $0.preparedStatements = 4
            $0.poolSize = 1
        }) { database in
            for _ in 0..<3 {
                for number in 0..<10 {
                    let rows = try await database.pool.query("SELECT \(number) AS v\(unescaped: String(number))")
                    #expect(try rows[0].get("v\(number)") == number)
                }
            }
            let kept = try await database.pool.query("SELECT count(*) AS n FROM pg_prepared_statements")
            #expect(try kept[0].get("n", as: Int.self) <= 4)
        }
    }

    @Test func statementsThatTheServerForgotArePreparedAnew() async throws {
        try await withNumbers({ $0.poolSize = 1 }) { database in
            #expect(try await database.pool.query("SELECT \(1) AS v").count == 1)
            _ = try await database.pool.query("DEALLOCATE ALL")
            #expect(try await database.pool.query("SELECT \(1) AS v").count == 1)
        }
    }

    @Test func aTableThatChangedItsShapeIsReadAnew() async throws {
        try await withNumbers({ $0.poolSize = 1 }) { database in
            _ = try await database.pool.query("INSERT INTO numbers VALUES (1)")
            #expect(try await database.pool.query("SELECT * FROM numbers").columns == ["n"])
            _ = try await database.pool.query("ALTER TABLE numbers ADD COLUMN m int")
            #expect(try await database.pool.query("SELECT * FROM numbers").columns == ["n", "m"])
        }
    }

    @Test func answersOfMegabytesAndParametersOfMegabytes() async throws {
        try await withNumbers { database in
            let pool = database.pool
            let long = String(repeating: "x", count: 3_000_000)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let rows = try await pool.read("SELECT \(long)::text AS v, length(\(long)::text) AS l")
                        #expect(try rows[0].get("v", as: String.self).utf8.count == 3_000_000)
                        #expect(try rows[0].get("l", as: Int.self) == 3_000_000)
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
