import Glibc
import Logging
import Postgres
import Reactor
import TestKit
import Testing

@Suite struct LossTests {
    private func withCutter(
        _ configure: (inout PostgresConfiguration) -> Void = { _ in },
        _ body: (TestDatabase, PostgresPool, CommitCutter) async throws -> Void
    ) async throws {
        try await TestDatabase.with { database in
            _ = try await database.pool.query("CREATE TABLE things (n int8)")
            let cutter = try CommitCutter(to: database.url)
            let pool = try database.pool(url: cutter.url, configure)
            defer { cutter.stop() }
            try await body(database, pool, cutter)
            await pool.close()
        }
    }

    private func count(_ pool: PostgresPool) async throws -> Int {
        try await pool.query("SELECT FROM things").count
    }

    @Test func aTerminatedSessionIsReportedAndReplaced() async throws {
        try await TestDatabase.with({ $0.poolSize = 1 }) { database in
            let admin = try database.pool()
            let pool = database.pool
            let pid = try await pool.query("SELECT pg_backend_pid() AS pid")[0].get("pid", as: Int32.self)
            let running = Task {
                await postgresError { try await pool.query("SELECT pg_sleep(4) AS \(unescaped: database.schema)") }
            }
            try await database.isRunning(database.schema, seenBy: admin)
            _ = try await admin.query("SELECT pg_terminate_backend(\(pid))")
            // It commits by itself, so nobody can say whether it has.
            #expect(await running.value?.kind == .commitUnknown)
            let next = try await pool.query("SELECT pg_backend_pid() AS pid")[0].get("pid", as: Int32.self)
            #expect(next != pid)
            await admin.close()
        }
    }

    @Test func aConnectionThatIsFoundDeadWhileItIsGivenWorkTellsEachCallerOnce() async throws {
        try await TestDatabase.with({ $0.poolSize = 1 }) { database in
            let pool = database.pool
            let pid = try await pool.query("SELECT pg_backend_pid() AS pid")[0].get("pid", as: Int32.self)
            let elsewhere = Reactor(name: "elsewhere")
            let admin = PostgresPool(
                reactor: elsewhere,
                configuration: try PostgresConfiguration(url: database.url, schema: database.schema),
                logger: .quiet)
            _ = try await admin.query("SELECT 1")
            // The pool's thread sleeps while its session ends, and then sends before it looks.
            database.reactor.submit { usleep(700_000) }
            _ = try await admin.query("SELECT pg_terminate_backend(\(pid))")
            try await eventually("the session to end") {
                try await admin.query("SELECT FROM pg_stat_activity WHERE pid = \(pid)").isEmpty
            }
            let outcomes = await withTaskGroup(of: PostgresError?.self) { group in
                for _ in 0..<8 { group.addTask { await postgresError { _ = try await pool.query("SELECT 1") } } }
                for _ in 0..<8 { group.addTask { await postgresError { _ = try await pool.read("SELECT 1") } } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count == 16)
            #expect(outcomes.allSatisfy { $0 == nil || $0?.kind == .commitUnknown }, "\(outcomes)")
            #expect(try await pool.query("SELECT 1").count == 1)
            await admin.close()
            elsewhere.stop()
        }
    }

    @Test func readsAreAskedAgainElsewhere() async throws {
        try await TestDatabase.with({ $0.poolSize = 1 }) { database in
            let admin = try database.pool()
            let pool = database.pool
            let pid = try await pool.query("SELECT pg_backend_pid() AS pid")[0].get("pid", as: Int32.self)
            let running = Task {
                // Slow only in the session that will be terminated.
                try await pool.read(
                    """
                    SELECT CASE WHEN pg_backend_pid() = \(pid) THEN pg_sleep(4)::text END AS \(unescaped: database.schema),
                        pg_backend_pid() AS pid
                    """)
            }
            try await database.isRunning(database.schema, seenBy: admin)
            _ = try await admin.query("SELECT pg_terminate_backend(\(pid))")
            #expect(try await running.value[0].get("pid", as: Int32.self) != pid)
            await admin.close()
        }
    }

    @Test func aTransactionWhoseSessionIsTerminatedHasDoneNothing() async throws {
        try await TestDatabase.with { database in
            let admin = try database.pool()
            let pool = database.pool
            _ = try await pool.query("CREATE TABLE things (n int8)")
            let error = await postgresError {
                try await pool.transaction { transaction in
                    let pid = try await transaction.query("SELECT pg_backend_pid() AS pid")[0].get(
                        "pid", as: Int32.self)
                    try await transaction.query("INSERT INTO things VALUES (1)")
                    _ = try await admin.query("SELECT pg_terminate_backend(\(pid))")
                    try await transaction.query("INSERT INTO things VALUES (2)")
                }
            }
            #expect(error?.kind == .connectionLost && error?.isRetriable == true)
            #expect(try await count(pool) == 0)
            await admin.close()
        }
    }

    @Test(arguments: [CommitCutter.Moment.before, .after])
    func aCommitWhoseAnswerIsLostIsUnknown(moment: CommitCutter.Moment) async throws {
        try await withCutter { database, pool, cutter in
            _ = try await pool.query("SELECT 1")
            cutter.arm(moment)
            let error = await postgresError {
                try await pool.transaction { try await $0.query("INSERT INTO things VALUES (1)") }
            }
            #expect(error?.kind == .commitUnknown && error?.isRetriable == false && cutter.cuts == 1)
            // What really happened differs, which is the point.
            try await eventually("the server to have noticed") {
                try await count(database.pool) == (moment == .after ? 1 : 0)
            }
            #expect(try await pool.query("SELECT 1").count == 1)
        }
    }

    @Test func aDeadServerIsSaidToBeUnavailableAndItsReturnIsNoticed() async throws {
        try await TestDatabase.with { database in
            let port = FreePort.next()
            let pool = try database.pool(url: "postgres://postgres@127.0.0.1:\(port)/none") {
                $0.waitingTimeout = .milliseconds(500)
            }
            let start = ContinuousClock.now
            let error = await postgresError { _ = try await pool.query("SELECT 1") }
            #expect(error?.kind == .unavailable && error?.isRetriable == true)
            #expect(ContinuousClock.now - start < .seconds(15))
            #expect(error?.debugDetail.contains("refused") == true)
            await pool.close()
        }
    }

    @Test func everyConnectionLostAtOnceIsRecoveredFrom() async throws {
        try await withCutter({ $0.poolSize = 4 }) { _, pool, cutter in
            for _ in 0..<5 {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<40 { group.addTask { try await pool.read("SELECT pg_sleep(0.05)").count } }
                    try await eventually("connections to be cut") { await cutter.cutAll() > 0 }
                    #expect(try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 } == [1: 40])
                }
            }
            #expect(try await pool.read("SELECT 1").count == 1)
        }
    }

    @Test func namesAreLookedUpAndUnknownOnesReported() async throws {
        try await TestDatabase.with { database in
            let named = database.url.split(separator: "127.0.0.1").joined(separator: "localhost")
            let pool = try database.pool(url: named)
            #expect(try await pool.query("SELECT 1").count == 1)
            await pool.close()
            let nowhere = try database.pool(url: "postgres://postgres@no-such-host.invalid/db") {
                $0.waitingTimeout = .seconds(1)
            }
            let error = await postgresError { _ = try await nowhere.query("SELECT 1") }
            #expect(error?.kind == .unavailable)
            await nowhere.close()
        }
    }
}
