package import FoundationEssentials
package import Postgres
import WireProtocol

/// What is done to a service's schema after a backup of it was restored, while the service does not run.
package enum Restoration {
    /// Starts a new epoch: whoever listens consumes anew, instead of taking new events for those that were seen under the same positions.
    /// - Parameter pool: on the service's schema, as the service's own role, which sees who else has its name.
    /// - Returns: The new epoch.
    /// - Throws: `ServiceError` with code `wrong_state` while the service runs: it may have given out events already.
    package static func newEpoch(of service: String, in pool: PostgresPool) async throws -> UUID {
        try await pool.transaction { transaction in
            let rows = try await transaction.query(
                """
                SELECT count(*) AS count FROM pg_stat_activity
                WHERE application_name = \(service) AND datname = current_database()
                """)
            guard try rows[0].get("count", as: Int64.self) == 0 else {
                throw ServiceError(
                    .wrongState, "\(service) runs. Stop it, restore the backup, begin a new epoch, and start it.")
            }
            let heads = try await transaction.query("UPDATE outbox_head SET epoch = gen_random_uuid() RETURNING epoch")
            guard let head = heads.first else { throw OutboxError.noHead }
            return try head.get("epoch")
        }
    }
}
