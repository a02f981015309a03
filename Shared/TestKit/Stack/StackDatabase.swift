import Postgres
import Reactor

/// A database of a stack's own, with a schema for each service, a role that owns it, and one that may change its rows and see no other, as
/// an installation has them (`deploy/postgres/service.sql`).
///
/// Not only a schema: advisory locks and extensions are the database's, and a service's schema has a fixed name.
struct StackDatabase: Sendable {
    let name: String
    /// As the tests' own user.
    let url: String
    private let server: String
    private let roles: [String]

    private static let prefix = "kampong_stack_"

    /// Makes it, and drops those of test runs that are over.
    /// - Parameter server: the URL of a database on another server than the tests' own.
    static func create(roles: [String], on server: String? = nil) async throws -> StackDatabase {
        let server = try server ?? TestSetup.databaseURL()
        let name = prefix + Owner.mark
        let database = StackDatabase(
            name: name, url: try DatabaseURL.replacing(server, database: name), server: server, roles: roles)
        try await withAdministrator(server) { pool in
            for row in try await pool.pool.query("SELECT datname::text AS name FROM pg_database") {
                let other: String = try row.get("name")
                if Owner.isGone(of: other, prefix: prefix) { try? await drop(other, roles: roles, pool) }
            }
            try await pool.run("CREATE DATABASE \(unescaped: name)")
            for role in roles.flatMap({ [$0, owner(of: $0)] }) {
                try await pool.run(
                    "CREATE ROLE \(unescaped: name)_\(unescaped: role) LOGIN PASSWORD '\(unescaped: name)'")
            }
        }
        try await withAdministrator(database.url) { pool in
            try await pool.run("REVOKE ALL ON DATABASE \(unescaped: name) FROM PUBLIC")
            for role in roles { try await database.makeSchema(role, pool) }
        }
        return database
    }

    /// The URL for a service.
    func url(of role: String) -> String {
        // The name was checked when the URL of the database was made from the same one.
        (try? DatabaseURL.replacing(url, user: "\(name)_\(role)", password: name)) ?? url
    }

    /// The URL for the owner of a service's tables.
    func ownerURL(of role: String) -> String { url(of: Self.owner(of: role)) }

    private static func owner(of role: String) -> String { "\(role)_owner" }

    /// How a service's role is answered to each statement: the SQLSTATE of a refusal, or nil. What the statements do is undone.
    func refusals(of statements: [String], by role: String) async throws -> [String?] {
        var refusals: [String?] = []
        try await Self.withAdministrator(url(of: role)) { session in
            for statement in statements {
                do {
                    try await session.pool.transaction { transaction in
                        try await transaction.query("\(unescaped: statement)")
                        throw Undone()
                    }
                } catch let error as PostgresError {
                    guard let state = error.sqlState else { throw error }
                    refusals.append(state)
                } catch is Undone {
                    refusals.append(nil)
                }
            }
        }
        return refusals
    }

    private struct Undone: Error {}

    /// Drops the database, whoever is connected to it, and its roles. Says nothing: what is left is dropped by a later run.
    func drop() async {
        try? await Self.withAdministrator(server) { try await Self.drop(name, roles: roles, $0) }
    }

    private func makeSchema(_ role: String, _ pool: AdministratorPool) async throws {
        for name in ["btree_gin", "btree_gist", "cube", "earthdistance", "pg_trgm", "citext", "unaccent"] {
            try await pool.run("CREATE EXTENSION IF NOT EXISTS \(unescaped: name) SCHEMA public")
        }
        let (runner, owner) = ("\(name)_\(role)", "\(name)_\(Self.owner(of: role))")
        let defaults = "ALTER DEFAULT PRIVILEGES FOR ROLE \(owner) IN SCHEMA \(role)"
        for statement in [
            "GRANT CONNECT ON DATABASE \(name) TO \(runner)",
            "GRANT CONNECT, TEMPORARY ON DATABASE \(name) TO \(owner)",
            "CREATE SCHEMA \(role) AUTHORIZATION \(owner)", "GRANT USAGE ON SCHEMA \(role) TO \(runner)",
            "\(defaults) GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO \(runner)",
            "\(defaults) GRANT USAGE ON SEQUENCES TO \(runner)",
        ] { try await pool.run("\(unescaped: statement)") }
    }

    private static func drop(_ name: String, roles: [String], _ pool: AdministratorPool) async throws {
        try await pool.run("DROP DATABASE IF EXISTS \(unescaped: name) WITH (FORCE)")
        for role in roles.flatMap({ [$0, owner(of: $0)] }) {
            try await pool.run("DROP ROLE IF EXISTS \(unescaped: name)_\(unescaped: role)")
        }
    }

    private static func withAdministrator(_ url: String, _ body: (AdministratorPool) async throws -> Void) async throws
    {
        let reactor = Reactor(name: "stack-db")
        let administrator = try AdministratorPool(url: url, reactor: reactor)
        let result: Result<Void, any Error>
        do { result = .success(try await body(administrator)) } catch { result = .failure(error) }
        await administrator.close()
        await reactor.stopFromTask()
        try result.get()
    }
}

/// Changes parts of a `postgres://` URL.
enum DatabaseURL {
    static func replacing(_ url: String, database: String? = nil, user: String? = nil, password: String? = nil) throws
        -> String
    {
        guard let scheme = ["postgres://", "postgresql://"].first(where: url.hasPrefix) else {
            throw TestSetupError("KAMPONG_TEST_DATABASE_URL must begin with postgres://.")
        }
        let rest = url.dropFirst(scheme.count)
        let query = rest.firstIndex(of: "?").map { rest[$0...] } ?? ""
        let plain = rest.dropLast(query.count)
        var authority = String(plain.prefix { $0 != "/" })
        if let user, let password {
            let host =
                authority.lastIndex(of: "@").map { String(authority[authority.index(after: $0)...]) } ?? authority
            authority = "\(user):\(password)@\(host)"
        }
        let path = database ?? String(plain.drop { $0 != "/" }.dropFirst())
        return "\(scheme)\(authority)/\(path)\(query)"
    }
}
