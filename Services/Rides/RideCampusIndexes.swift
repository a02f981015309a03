import DurableMessaging
import Postgres

/// The indexes that find rides of one campus, which only a community needs that keeps its campuses apart: without them a list for somebody whose
/// campus has few would read all those of the others first.
enum RideCampusIndexes {
    private static let making: [SQLQuery] = [
        "CREATE INDEX IF NOT EXISTS rides_soonest_of_campus ON rides (campus, departs_at, id) WHERE listed",
        """
        CREATE INDEX IF NOT EXISTS ride_regions_soonest_of_campus
        ON ride_regions (campus, region, direction, departs_at, ride) INCLUDE (leaves_by, driver)
        """,
    ]
    private static let dropping: [SQLQuery] = [
        "DROP INDEX IF EXISTS rides_soonest_of_campus, ride_regions_soonest_of_campus"
    ]

    /// Makes or drops them, as the operator has chosen. With a million rides it takes some seconds, in which nothing can be posted.
    static func settle(_ areNeeded: Bool, in database: Database) async throws {
        try await database.transaction { transaction in
            // Replicas that start together take turns.
            try await transaction.pipeline(
                ["SET LOCAL statement_timeout = 0", "SET LOCAL lock_timeout = 0", .lock("indexes", "campus")]
                    + (areNeeded ? making : dropping))
        }
    }
}
