package import Logging
package import Postgres
package import Reactor
import Supervisor

/// A schema of its own on the real PostgreSQL, with a reactor and a pool, for one test.
package struct TestDatabase: Sendable {
    package let reactor: Reactor
    /// The tests' database, as `KAMPONG_TEST_DATABASE_URL` names it.
    package let url: String
    package let schema: String
    /// Its search path begins with the schema.
    package let pool: PostgresPool

    /// Makes the schema, runs `body`, and drops the schema whatever happened.
    ///
    /// - Parameters:
    ///   - migrations: Run before `body`.
    ///   - configure: Changes how the pool is configured.
    /// - Throws: `TestSetupError` where no database is there to test with, and what `body` throws.
    package static func with<Result>(
        migrations: [Migration] = [], configure: (inout PostgresConfiguration) -> Void = { _ in },
        isolation: isolated (any Actor)? = #isolation, _ body: (TestDatabase) async throws -> Result
    ) async throws -> Result {
        let url = try TestSetup.databaseURL()
        let reactor = Reactor(name: "test")
        let schema = "t_\(TestSetup.randomName())"
        let administrator = try AdministratorPool(url: url, reactor: reactor)
        var configuration = try Self.configuration(url: url, schema: schema)
        configure(&configuration)
        let database = TestDatabase(
            reactor: reactor, url: url, schema: schema,
            pool: PostgresPool(reactor: reactor, configuration: configuration, logger: .quiet))
        let result: Swift.Result<Result, any Error>
        do {
            try await administrator.run("CREATE SCHEMA \(unescaped: schema)")
            if !migrations.isEmpty {
                try await migrate(database.pool, schema: schema, migrations: migrations, logger: .quiet)
            }
            result = .success(try await body(database))
        } catch {
            result = .failure(error)
        }
        await database.pool.close()
        // What the test failed by says more than a schema that stayed.
        try? await administrator.run("DROP SCHEMA IF EXISTS \(unescaped: schema) CASCADE")
        await administrator.close()
        await reactor.stopFromTask()
        return try result.get()
    }

    private static func configuration(url: String, schema: String) throws -> PostgresConfiguration {
        var configuration = try PostgresConfiguration(url: url, schema: schema)
        configuration.poolSize = 4
        // Hundreds that come at once on a busy machine take their turns, and none is turned away.
        configuration.waitingTimeout = .seconds(40)
        return configuration
    }

    /// Another pool on the same schema, as a second process would have; close it before the test ends.
    package func anotherPool(configure: (inout PostgresConfiguration) -> Void = { _ in }) throws -> PostgresPool {
        var configuration = try Self.configuration(url: url, schema: schema)
        configure(&configuration)
        return PostgresPool(reactor: reactor, configuration: configuration, logger: .quiet)
    }
}

/// One connection for making and dropping things, patient with a busy machine.
struct AdministratorPool {
    let pool: PostgresPool

    init(url: String, reactor: Reactor) throws {
        var configuration = try PostgresConfiguration(url: url, schema: "public")
        configuration.poolSize = 1
        configuration.statementTimeout = .seconds(60)
        configuration.lockTimeout = .seconds(30)
        pool = PostgresPool(reactor: reactor, configuration: configuration, logger: .quiet)
    }

    func run(_ statement: SQLQuery) async throws { _ = try await pool.query(statement) }

    func close() async { await pool.close() }
}

extension Reactor {
    /// `stop()` joins a thread, which no task may wait for on that thread itself or should on the shared pool for long.
    func stopFromTask() async {
        await withCheckedContinuation { continuation in
            BackgroundThread.start {
                self.stop()
                continuation.resume()
            }
        }
    }
}

extension Logger {
    /// Says nothing; for helpers whose log nobody reads.
    package static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
