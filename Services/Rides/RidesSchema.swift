import People
import Postgres

/// The schema `rides`: numbered, append-only. What is here is never changed, only added to.
enum RidesSchema {
    static let migrations = [
        Community.migration(number: 1),
        Migration(2, "rides", rides),
        Migration(3, "seats in rides", seats),
        Migration(4, "rides of a region", regions),
        Migration(5, "rides that are saved", saved),
        Migration(6, "what was read in calendars", calendarEntries),
        Migration(7, "ways along streets, and seats for friends", streets),
        Migration(8, "outward and return", returns),
        Migration(9, "rides of each week", series),
    ]

    /// A ride stays on the list when it was removed, and says so there.
    private static let saved = """
        CREATE TABLE saved_rides (
            person uuid NOT NULL,
            ride uuid NOT NULL REFERENCES rides ON DELETE CASCADE,
            saved_at timestamptz NOT NULL,
            PRIMARY KEY (person, ride)
        );
        CREATE INDEX saved_rides_latest ON saved_rides (person, saved_at, ride);
        CREATE INDEX saved_rides_of_ride ON saved_rides (ride);
        \(PeopleErasure.guarding("saved_rides", columns: ["person"]))
        """

    /// What was last read of each entry of somebody's calendar elsewhere, so that it can be said when that changed and how often. `entry` is the
    /// ride that the person drives, or the request for the seat that they have: neither is ever deleted but with a person.
    private static let calendarEntries = """
        CREATE TABLE calendar_entries (
            person uuid NOT NULL,
            entry uuid NOT NULL,
            content text NOT NULL,
            sequence integer NOT NULL DEFAULT 0 CHECK (sequence >= 0),
            changed_at timestamptz NOT NULL,
            PRIMARY KEY (person, entry)
        );
        \(PeopleErasure.guarding("calendar_entries", columns: ["person"]))
        """
}
