import Postgres
import TestKit

extension TestDatabase {
    static func with(
        _ configure: (inout PostgresConfiguration) -> Void = { _ in }, _ body: (TestDatabase) async throws -> Void
    ) async throws {
        try await with(migrations: [], configure: configure, body)
    }

    /// Another pool on the same schema, by whatever way to the database.
    func pool(
        url: String? = nil, _ configure: (inout PostgresConfiguration) -> Void = { _ in }
    ) throws -> PostgresPool {
        var configuration = try PostgresConfiguration(url: url ?? self.url, schema: schema)
        configure(&configuration)
        return PostgresPool(reactor: reactor, configuration: configuration, logger: .quiet)
    }

    /// Waits until the server works on a statement that contains `mark`.
    func isRunning(_ mark: String, seenBy other: PostgresPool) async throws {
        try await eventually("the statement to run") { try await runs(mark, other) }
    }

    func runs(_ mark: String, _ other: PostgresPool) async throws -> Bool {
        let like = "%\(mark)%"
        let rows = try await other.query(
            "SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE \(like)::text AND pid <> pg_backend_pid()"
        )
        return !rows.isEmpty
    }
}

/// The error of kind `PostgresError` that `body` throws.
func postgresError<Value>(_ body: () async throws -> Value) async -> PostgresError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? PostgresError
    }
}
