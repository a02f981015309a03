import FoundationEssentials
import Logging
package import Postgres
import Reactor
import Supervisor

/// A database of a test's own with the schema and the two roles of one service, as the scripts in `deploy/postgres` make them.
package struct Installation: Sendable {
    /// The name of the service, of its schema and of its role; `<service>_owner` owns the schema.
    package let service: String
    private let url: String
    private let reactor: Reactor

    /// Makes the database, empty, runs `body`, and drops it with its roles whatever happened.
    /// - Throws: `TestSetupError` where no server is there to test with, and what `body` throws.
    package static func with(_ body: (Installation) async throws -> Void) async throws {
        let server = try TestSetup.databaseURL()
        let service = "i_\(TestSetup.randomName())"
        let reactor = Reactor(name: "installation")
        let administrator = try AdministratorPool(url: server, reactor: reactor)
        let result: Result<Void, any Error>
        do {
            try await administrator.run("CREATE DATABASE \(unescaped: service)")
            let url = try DatabaseURL.replacing(server, database: service)
            result = .success(try await body(Installation(service: service, url: url, reactor: reactor)))
        } catch {
            result = .failure(error)
        }
        try? await administrator.run("DROP DATABASE IF EXISTS \(unescaped: service) WITH (FORCE)")
        for role in [service, "\(service)_owner"] {
            try? await administrator.run("DROP ROLE IF EXISTS \(unescaped: role)")
        }
        await administrator.close()
        await reactor.stopFromTask()
        try result.get()
    }

    /// Runs the scripts, as each start of an installation does.
    package func provision() async throws {
        let directory = try TemporaryDirectory("provision")
        let scripts = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "deploy/postgres")
        let child = try await ChildProcess.start(
            "/usr/bin/env",
            arguments: [
                "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", url,
                "-f", scripts.appending(path: "database.sql").path(),
                "-f", scripts.appending(path: "service.sql").path(),
            ],
            environment: [
                "PATH": "/usr/local/bin:/usr/bin:/bin", "SERVICE": service, "SERVICE_PASSWORD": Self.password,
                "OWNER_PASSWORD": Self.password,
            ], log: directory.file("log"))
        let exit = await child.exit()
        guard exit == .status(0) else { throw TestSetupError("psql \(exit): \(directory.read("log"))") }
    }

    package func asSuperuser(_ body: (PostgresPool) async throws -> Void) async throws { try await use(url, body) }

    /// As the owner of the tables.
    package func asOwner(_ body: (PostgresPool) async throws -> Void) async throws {
        try await use(DatabaseURL.replacing(url, user: "\(service)_owner", password: Self.password), body)
    }

    /// As the role that the service runs as.
    package func asService(_ body: (PostgresPool) async throws -> Void) async throws {
        try await use(DatabaseURL.replacing(url, user: service, password: Self.password), body)
    }

    /// Of both roles, in this test.
    package static let password = "secret"

    private func use(_ url: String, _ body: (PostgresPool) async throws -> Void) async throws {
        var configuration = try PostgresConfiguration(url: url, schema: service)
        configuration.poolSize = 1
        let pool = PostgresPool(reactor: reactor, configuration: configuration, logger: .quiet)
        let result: Result<Void, any Error>
        do { result = .success(try await body(pool)) } catch { result = .failure(error) }
        await pool.close()
        try result.get()
    }
}
