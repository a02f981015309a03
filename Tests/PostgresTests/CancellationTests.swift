import Postgres
import TestKit
import Testing

@Suite struct CancellationTests {
    @Test(arguments: [true, false])
    func aCancelledTasksStatementIsStoppedOnTheServer(shared: Bool) async throws {
        try await TestDatabase.with({ $0.poolSize = 1 }) { database in
            let admin = try database.pool()
            let pool = database.pool
            let mark = "mark_\(database.schema)"
            let task = Task {
                let query: SQLQuery = "SELECT pg_sleep(60) AS \(unescaped: mark)"
                return await postgresError { _ = try await shared ? pool.read(query) : pool.query(query) }
            }
            try await database.isRunning(mark, seenBy: admin)
            let start = ContinuousClock.now
            task.cancel()
            #expect(await task.value?.kind == .cancelled)
            #expect(ContinuousClock.now - start < .seconds(30))
            #expect(try await !database.runs(mark, admin))
            #expect(try await pool.query("SELECT 1").count == 1)
            await admin.close()
        }
    }

    @Test func theStatementsBehindACancelledOneAreAnswered() async throws {
        try await TestDatabase.with({ $0.poolSize = 1 }) { database in
            let admin = try database.pool()
            let pool = database.pool
            _ = try await pool.query("CREATE TABLE done (n int8)")
            for round in 0..<10 {
                let mark = "mark_\(round)_\(database.schema)"
                let slow = Task { try await pool.query("SELECT pg_sleep(4) AS \(unescaped: mark)") }
                try await database.isRunning(mark, seenBy: admin)
                let behind = Task {
                    try await withThrowingTaskGroup(of: Int.self) { group in
                        for number in 0..<20 {
                            group.addTask { try await pool.query("INSERT INTO done VALUES (\(number))").affected }
                        }
                        return try await group.reduce(0, +)
                    }
                }
                try await Task.sleep(for: .milliseconds(5))
                slow.cancel()
                #expect(try await behind.value == 20)
                await #expect(throws: PostgresError.self) { try await slow.value }
            }
            let count = try await pool.query("SELECT count(*) AS n FROM done")
            #expect(try count[0].get("n", as: Int.self) == 200)
            await admin.close()
        }
    }

    @Test func whoWaitsForAConnectionCanBeCancelled() async throws {
        try await TestDatabase.with({ $0.poolSize = 1 }) { database in
            let pool = database.pool
            try await pool.transaction { transaction in
                try await transaction.query("SELECT 1")
                for _ in 0..<2 {
                    let waiting = Task { await postgresError { _ = try await pool.query("SELECT 2") } }
                    let wanting = Task {
                        await postgresError { try await pool.transaction { try await $0.query("SELECT 3") } }
                    }
                    try await Task.sleep(for: .milliseconds(50))
                    waiting.cancel()
                    wanting.cancel()
                    #expect(await waiting.value?.kind == .cancelled)
                    #expect(await wanting.value?.kind == .cancelled)
                }
            }
            #expect(try await pool.query("SELECT 1").count == 1)
        }
    }

    @Test func aCancelledTransactionIsRolledBack() async throws {
        try await TestDatabase.with { database in
            let pool = database.pool
            _ = try await pool.query("CREATE TABLE done (n int8)")
            let mark = "mark_\(database.schema)"
            let task = Task {
                try await pool.transaction { transaction in
                    try await transaction.query("INSERT INTO done VALUES (1)")
                    try await transaction.query("SELECT pg_sleep(4) AS \(unescaped: mark)")
                }
            }
            let admin = try database.pool()
            try await database.isRunning(mark, seenBy: admin)
            await admin.close()
            task.cancel()
            let error = await postgresError { _ = try await task.value }
            #expect(error?.kind == .cancelled)
            #expect(try await pool.query("SELECT FROM done").isEmpty)
        }
    }

    @Test func statementsAndLocksTakeNoLongerThanAllowed() async throws {
        try await TestDatabase.with({
            $0.statementTimeout = .seconds(1)
            $0.lockTimeout = .milliseconds(300)
        }) { database in
            let pool = database.pool
            let slow = await postgresError { _ = try await pool.query("SELECT pg_sleep(3)") }
            #expect(slow?.kind == .timeout && slow?.sqlState == SQLState.queryCanceled && slow?.isRetriable == true)
            _ = try await pool.query("CREATE TABLE things (n int8)")
            _ = try await pool.query("INSERT INTO things VALUES (1)")
            try await pool.transaction { transaction in
                try await transaction.query("SELECT FROM things FOR UPDATE")
                let locked = await postgresError { _ = try await pool.query("UPDATE things SET n = 2") }
                #expect(locked?.kind == .timeout && locked?.sqlState == SQLState.lockNotAvailable)
            }
        }
    }
}
