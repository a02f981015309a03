import Postgres
import ServiceLifecycle

/// The pool in the life of a service.
struct PoolService: Service, CustomStringConvertible {
    let pool: PostgresPool
    var description: String { "database" }
    func run() async throws {
        try await cancelWhenGracefulShutdown { try await pool.run() }
    }
}
