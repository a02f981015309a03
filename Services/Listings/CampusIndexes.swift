import DurableMessaging
import Postgres

/// The indexes that find spots and things of one campus, which only a community needs that keeps its campuses apart: without them a map or a
/// list of somebody whose campus has few would read all those of the others first.
enum CampusIndexes {
    private static let making: [SQLQuery] = [
        """
        CREATE INDEX IF NOT EXISTS spots_newest_of_campus ON spots USING gist (campus, map) WHERE state = 'free' AND shown
        """,
        """
        CREATE INDEX IF NOT EXISTS spots_nearest_of_campus ON spots USING gist (campus, globe)
        WHERE state = 'free' AND shown
        """,
        """
        CREATE INDEX IF NOT EXISTS things_newest_of_campus ON things (campus, kind, newness, id) WHERE listed
        """,
        """
        CREATE INDEX IF NOT EXISTS things_by_price_of_campus ON things (campus, kind, price, id) WHERE listed
        """,
        """
        CREATE INDEX IF NOT EXISTS things_by_region_of_campus ON things (campus, kind, quarter, id) WHERE listed
        """,
        """
        CREATE INDEX IF NOT EXISTS things_nearest_of_campus ON things USING gist (campus, globe) WHERE listed
        """,
    ]
    private static let dropping: [SQLQuery] = [
        "DROP INDEX IF EXISTS spots_newest_of_campus, spots_nearest_of_campus",
        """
        DROP INDEX IF EXISTS things_newest_of_campus, things_by_price_of_campus, things_by_region_of_campus,
            things_nearest_of_campus
        """,
    ]

    /// Makes or drops them, as the operator has chosen. With a million spots it takes a minute or two, in which nothing can be posted.
    static func settle(_ areNeeded: Bool, in database: Database) async throws {
        try await database.transaction { transaction in
            // Replicas that start together take turns.
            try await transaction.pipeline(
                ["SET LOCAL statement_timeout = 0", "SET LOCAL lock_timeout = 0", .lock("indexes", "campus")]
                    + (areNeeded ? making : dropping))
        }
    }
}
