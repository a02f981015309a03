package import Configuration
package import Logging
package import Postgres
package import Reactor

// Two roles: one owns a service's schema and changes its tables, the other is the service's and changes their rows.

extension Database {
    /// Brings a service's schema up to date, and says what the service may do with its tables, as their owner: what its program does when it is
    /// started with the verb `migrate`. Reads `database.url`.
    /// - Parameters:
    ///   - migrations: the service's own tables.
    ///   - appendOnly: those of them of which the service may add rows, and change or remove none.
    ///   - finishing: Called when all of them are there, with the right to change them.
    package static func migrate(
        config: ConfigReader, schema: String, migrations: [Migration], appendOnly: [String] = [], reactor: Reactor,
        logger: Logger, finishing: @Sendable (Database) async throws -> Void = { _ in }
    ) async throws {
        let url = try config.requiredString(forKey: "database.url", isSecret: true)
        let pool = PostgresPool(
            reactor: reactor, configuration: try PostgresConfiguration(url: url, schema: schema), logger: logger)
        // Nothing is published, and no request kept: any key will do.
        let database = Database(
            pool: pool, service: schema, digestKey: Array(repeating: 0, count: 32), logger: logger)
        do {
            try await database.migrate(migrations)
            try await finishing(database)
            try await settlePrivileges(pool, schema: schema, appendOnly: appendOnly)
        } catch {
            await pool.close()
            throw error
        }
        await pool.close()
    }

    /// Brings the common tables and then the service's own up to date.
    package func migrate(_ migrations: [Migration]) async throws {
        let schema = pool.configuration.schema
        try await whenTheServerIsThere {
            try await Postgres.migrate(
                pool, schema: schema, component: DurableMessagingSchema.component,
                migrations: DurableMessagingSchema.migrations, logger: logger)
            try await Postgres.migrate(pool, schema: schema, migrations: migrations, logger: logger)
        }
    }

    /// Makes sure that both are, without the right to change them.
    func requireMigrated(_ migrations: [Migration]) async throws {
        let schema = pool.configuration.schema
        try await whenTheServerIsThere {
            try await Postgres.requireMigrated(
                pool, schema: schema, component: DurableMessagingSchema.component,
                migrations: DurableMessagingSchema.migrations)
            try await Postgres.requireMigrated(pool, schema: schema, migrations: migrations)
        }
    }

    private func whenTheServerIsThere(_ body: () async throws -> Void) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            do {
                return try await body()
            } catch let error as PostgresError where error.isRetriable && ContinuousClock.now < deadline {
                logger.warning("the database is not there yet", metadata: ["reason": "\(error.debugDetail)"])
                try await Task.sleep(for: .milliseconds(500))
            }
        }
    }
}
