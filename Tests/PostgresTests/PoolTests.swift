import TestKit
import Testing

@testable import Postgres

@Suite struct PoolTests {
    @Test func whoComesFirstIsServedFirst() async throws {
        try await TestDatabase.with({ $0.poolSize = 1 }) { database in
            let pool = database.pool
            let order = Locked<[Int]>([])
            try await withThrowingTaskGroup(of: Void.self) { group in
                try await pool.transaction { transaction in
                    try await transaction.query("SELECT 1")
                }
                let (mayEnd, end) = AsyncStream.makeStream(of: Void.self)
                group.addTask {
                    try await pool.transaction { _ in for await _ in mayEnd {} }
                }
                try await eventually("the connection to be taken") {
                    await pool.isTaken
                }
                for number in 0..<20 {
                    group.addTask {
                        if number % 2 == 0 {
                            try await pool.transaction { _ in order.change { $0.append(number) } }
                        } else {
                            _ = try await pool.query("SELECT 1")
                            order.change { $0.append(number) }
                        }
                    }
                    try await eventually("number \(number) to wait") { await pool.waitingCount == number + 1 }
                }
                end.finish()
                try await group.waitForAll()
            }
            #expect(order.value.filter { $0 % 2 == 0 } == (0..<10).map { $0 * 2 })
            #expect(order.value.count == 20)
        }
    }

    /// Each goes on until both have had fifty turns, however fast the machine is; where one starves, the time limit says so.
    @Test(.timeLimit(.minutes(2))) func neitherStatementsNorTransactionsStarveTheOther() async throws {
        try await TestDatabase.with({ $0.poolSize = 2 }) { database in
            let pool = database.pool
            let isOver = Locked(false)
            let statements = Locked(0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        while !isOver.value {
                            _ = try await pool.query("SELECT pg_sleep(0.001)")
                            statements.change { $0 += 1 }
                        }
                    }
                }
                var transactions = 0
                while transactions < 50 || statements.value < 50 {
                    try await pool.transaction { try await $0.query("SELECT 1") }
                    transactions += 1
                }
                isOver.change { $0 = true }
                try await group.waitForAll()
            }
        }
    }

    @Test func waitingHasALimitInTimeAndInNumber() async throws {
        try await TestDatabase.with({
            $0.poolSize = 1
            $0.waitingTimeout = .seconds(3)
            $0.maxWaiting = 2
        }) { database in
            let pool = database.pool
            try await pool.transaction { transaction in
                try await transaction.query("SELECT 1")
                let waiting = (0..<2).map { _ in Task { await postgresError { _ = try await pool.query("SELECT 2") } } }
                try await eventually("the two to wait") { await pool.waitingCount == 2 }
                let third = await postgresError { _ = try await pool.query("SELECT 3") }
                #expect(third?.kind == .unavailable)
                let waitingStill = await pool.waitingCount
                #expect(waitingStill == 2, "the third was refused at once, before the others' time was over")
                for task in waiting { #expect(await task.value?.kind == .unavailable) }
            }
        }
    }

    @Test func closingFinishesWhatIsUnderWay() async throws {
        try await TestDatabase.with { database in
            let pool = database.pool
            _ = try await pool.query("CREATE TABLE things (n int8)")
            let (isUnderWay, begun) = AsyncStream.makeStream(of: Void.self)
            let transaction = Task {
                try await pool.transaction { transaction in
                    try await transaction.query("INSERT INTO things VALUES (1)")
                    begun.finish()
                    try await Task.sleep(for: .milliseconds(300))
                    try await transaction.query("INSERT INTO things VALUES (2)")
                }
            }
            for await _ in isUnderWay {}
            let admin = try database.pool()
            // With a line of its own before there is something to see.
            _ = try await admin.query("SELECT 1")
            let statement = Task { try await pool.query("SELECT pg_sleep(1), 7 AS \(unescaped: database.schema)") }
            try await database.isRunning(database.schema, seenBy: admin)
            await admin.close()
            await pool.close()
            #expect(try await statement.value[0].get(database.schema, as: Int.self) == 7)
            _ = try await transaction.value
            let late = await postgresError { _ = try await pool.query("SELECT 1") }
            #expect(late?.kind == .unavailable)
            let after = try database.pool()
            #expect(try await after.query("SELECT FROM things").count == 2)
            await after.close()
        }
    }

    @Test func runLastsUntilItIsCancelled() async throws {
        try await TestDatabase.with { database in
            let pool = try database.pool()
            let life = Task { try await pool.run() }
            #expect(try await pool.query("SELECT 1").count == 1)
            life.cancel()
            try await life.value
            let late = await postgresError { _ = try await pool.query("SELECT 1") }
            #expect(late?.kind == .unavailable)
        }
    }

    @Test func sessionsAreSetUpAsConfigured() async throws {
        try await TestDatabase.with({
            $0.statementTimeout = .milliseconds(1234)
            $0.role = "pg_monitor"
            $0.applicationName = "kampong tests"
        }) { database in
            let row = try #require(
                try await database.pool.query(
                    """
                    SELECT current_setting('search_path') AS path, current_setting('statement_timeout') AS timeout,
                        current_setting('TimeZone') AS zone, current_user AS role,
                        current_setting('application_name') AS name, current_setting('jit') AS jit
                    """
                ).first)
            #expect(try row.get("path") == "\(database.schema),public")
            #expect(try row.get("timeout") == "1234ms")
            #expect(try row.get("zone") == "UTC")
            #expect(try row.get("role") == "pg_monitor")
            #expect(try row.get("name") == "kampong tests")
            #expect(try row.get("jit") == "off")
        }
    }
}

extension PostgresPool {
    fileprivate var isTaken: Bool { connections.allSatisfy { $0.lease != nil } }
    fileprivate var waitingCount: Int { waiting.count }
}
