import People
import Postgres

/// The schema `matching`: numbered, append-only. What is here is never changed, only added to.
enum MatchingSchema {
    static let migrations = [
        Community.migration(number: 1),
        Migration(2, "availabilities", availabilities),
        Migration(3, "orders", orders),
        Migration(4, "matches", matches),
        Migration(5, "rounds of matching", rounds),
        Migration(6, "ways, and where deliverers are", ways),
        Migration(7, "lists of deliveries", lists),
        Migration(8, "what rounds of matching look at", looks),
        Migration(9, "who is at a restaurant", presence),
        Migration(10, "standing searches", wanted),
        Migration(11, "seeking", seeking),
        Migration(12, "standing searches for deliverers", searched),
        Migration(13, "rounds of standing searches", wantedRounds),
        Migration(14, "who seeks on which campus", seekingCampuses),
        Migration(15, "where standing searches look", wantedAround),
        Migration(16, "what standing searches require", wantedRequired),
        Migration(17, "what was there when a search began", wantedThere),
        Migration(18, "indexes of many keys are written at once", keysAtOnce),
    ]

    /// SQL of triggers that write into each row of a table where its person belongs: empty for nowhere.
    /// - Parameters:
    ///   - column: of the person.
    ///   - campus: the column that says it.
    ///   - isOpen: of which rows that still matters.
    static func campus(
        of table: String, _ column: String, as campus: String = "campus", where isOpen: String
    ) -> String {
        """
        CREATE FUNCTION \(table)_take_campus() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            SELECT coalesce(people.campus, '') INTO NEW.\(campus) FROM people WHERE id = NEW.\(column) FOR SHARE;
            RETURN NEW;
        END $$;
        CREATE TRIGGER \(table)_take_campus BEFORE INSERT ON \(table)
            FOR EACH ROW EXECUTE FUNCTION \(table)_take_campus();

        CREATE FUNCTION people_move_\(table)() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            -- In the order in which everybody locks them.
            PERFORM id FROM \(table) WHERE \(column) = NEW.id AND \(isOpen) ORDER BY id FOR NO KEY UPDATE;
            UPDATE \(table) SET \(campus) = coalesce(NEW.campus, '')
            WHERE \(column) = NEW.id AND \(isOpen) AND \(campus) IS DISTINCT FROM coalesce(NEW.campus, '');
            RETURN NULL;
        END $$;
        CREATE TRIGGER people_join_\(table) AFTER INSERT ON people
            FOR EACH ROW EXECUTE FUNCTION people_move_\(table)();
        CREATE TRIGGER people_move_\(table) AFTER UPDATE OF campus ON people
            FOR EACH ROW WHEN (OLD.campus IS DISTINCT FROM NEW.campus) EXECUTE FUNCTION people_move_\(table)();
        """
    }

    /// SQL of the columns of a place.
    static func place(_ prefix: String, id: String, required: Bool = false) -> String {
        """
        \(id) uuid\(required ? " NOT NULL" : ""),
        \(prefix)_name text NOT NULL,
        \(prefix)_address text,
        \(prefix)_latitude float8 NOT NULL CHECK (\(prefix)_latitude BETWEEN -90 AND 90),
        \(prefix)_longitude float8 NOT NULL CHECK (\(prefix)_longitude BETWEEN -180 AND 180),
        """
    }
}
