import DurableMessaging
import Postgres

// What keeping campuses apart takes of the table of spots.

extension ListingsSchema {
    /// Each spot that may be found says where its poster belongs (empty: nowhere; NULL: not known yet), which is kept so whatever teaches this
    /// service of people. Posting and moving take turns by the person's row.
    static let campuses = """
        CREATE EXTENSION IF NOT EXISTS btree_gist SCHEMA public;
        ALTER TABLE spots ADD COLUMN campus text;
        UPDATE spots SET campus = coalesce(people.campus, '')
        FROM people WHERE people.id = posted_by AND state IN ('free', 'claimed');

        CREATE FUNCTION spots_take_campus() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            SELECT coalesce(people.campus, '') INTO NEW.campus FROM people WHERE id = NEW.posted_by FOR SHARE;
            RETURN NEW;
        END $$;
        CREATE TRIGGER spots_take_campus BEFORE INSERT ON spots FOR EACH ROW EXECUTE FUNCTION spots_take_campus();

        CREATE FUNCTION people_move_spots() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            UPDATE spots SET campus = coalesce(NEW.campus, '')
            WHERE posted_by = NEW.id AND state IN ('free', 'claimed') AND campus IS DISTINCT FROM coalesce(NEW.campus, '');
            RETURN NULL;
        END $$;
        CREATE TRIGGER people_join_spots AFTER INSERT ON people FOR EACH ROW EXECUTE FUNCTION people_move_spots();
        CREATE TRIGGER people_move_spots AFTER UPDATE OF campus ON people
            FOR EACH ROW WHEN (OLD.campus IS DISTINCT FROM NEW.campus) EXECUTE FUNCTION people_move_spots();
        """
}

/// The indexes that find spots and things of one campus, which only a community needs that keeps its campuses apart: without them a map or a
/// list of somebody whose campus has few would read all those of the others first.
enum SpotCampusIndexes {
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
