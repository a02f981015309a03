import People

// Searches for rides that others may see, in the schema `matching`.

extension MatchingSchema {
    /// `seeking` is what others may know of a search; its person shows it where it is there. `regions_due` is when rides is asked again for regions that are not known,
    /// `announce_due` when drivers are told of it. Lists are ordered by when somebody wants to have left: all by `wanted_sought`, those of a region by the index of its
    /// direction. Those along a ride are found by `finds_of_subject`.
    ///
    /// `invitations` has whom the driver of a ride has invited. `announcements` has of which searches the driver of a ride was told. Of a search that is gone it counts for a
    /// day more, so that nobody is told more often by who removes it and looks anew.
    static let seeking = """
        ALTER TABLE wanted
            ADD COLUMN seeking jsonb CHECK (jsonb_typeof(seeking) = 'object' AND octet_length(seeking::text) <= 8192),
            ADD COLUMN is_visible boolean NOT NULL GENERATED ALWAYS AS (seeking IS NOT NULL) STORED,
            ADD COLUMN seeks_from text GENERATED ALWAYS AS (seeking #>> '{from,region}') STORED,
            ADD COLUMN seeks_to text GENERATED ALWAYS AS (seeking #>> '{to,region}') STORED,
            ADD COLUMN seeks_before timestamptz,
            ADD COLUMN regions_due timestamptz,
            ADD COLUMN announce_due timestamptz,
            ADD CONSTRAINT wanted_seeks CHECK ((seeking IS NULL) = (seeks_before IS NULL)),
            ADD CONSTRAINT wanted_shows CHECK (seeking IS NOT NULL OR num_nonnulls(regions_due, announce_due) = 0);
        CREATE INDEX wanted_sought ON wanted (seeks_before, id) WHERE is_visible AND state = 'live';
        CREATE INDEX wanted_sought_from ON wanted (seeks_from, seeks_before, id) WHERE is_visible AND state = 'live';
        CREATE INDEX wanted_sought_to ON wanted (seeks_to, seeks_before, id) WHERE is_visible AND state = 'live';
        CREATE INDEX wanted_regions_due ON wanted (regions_due) WHERE regions_due IS NOT NULL AND state = 'live';
        CREATE INDEX wanted_announce_due ON wanted (announce_due) WHERE announce_due IS NOT NULL AND state = 'live';

        CREATE TABLE invitations (
            ride uuid NOT NULL,
            wanted uuid NOT NULL REFERENCES wanted ON DELETE CASCADE,
            driver uuid NOT NULL,
            at timestamptz NOT NULL,
            PRIMARY KEY (ride, wanted)
        );
        CREATE INDEX invitations_of_wanted ON invitations (wanted);
        CREATE INDEX invitations_of_driver ON invitations (driver, at);
        \(PeopleErasure.guarding("invitations", columns: ["driver"]))

        CREATE TABLE announcements (
            ride uuid NOT NULL,
            wanted uuid REFERENCES wanted ON DELETE SET NULL,
            at timestamptz NOT NULL,
            CONSTRAINT announcements_once UNIQUE (ride, wanted)
        );
        CREATE INDEX announcements_of_wanted ON announcements (wanted);
        CREATE INDEX announcements_lately ON announcements (ride, at);
        CREATE INDEX announcements_left ON announcements (at) WHERE wanted IS NULL;
        """

    /// `seeks_campus` is where the person of a search belongs. Where campuses are kept apart, lists are of one campus: they read nobody of another.
    static let seekingCampuses = """
        ALTER TABLE wanted ADD COLUMN seeks_campus text;
        \(campus(of: "wanted", "person", as: "seeks_campus", where: "state <> 'ended'"))
        CREATE INDEX wanted_sought_there ON wanted (seeks_campus, seeks_before, id) WHERE is_visible AND state = 'live';
        CREATE INDEX wanted_sought_there_from ON wanted (seeks_campus, seeks_from, seeks_before, id)
            WHERE is_visible AND state = 'live';
        CREATE INDEX wanted_sought_there_to ON wanted (seeks_campus, seeks_to, seeks_before, id)
            WHERE is_visible AND state = 'live';
        UPDATE wanted SET seeks_campus = coalesce(people.campus, '') FROM people
        WHERE people.id = wanted.person AND wanted.state <> 'ended';
        """
}
