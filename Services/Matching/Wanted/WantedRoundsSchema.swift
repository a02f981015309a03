// What the rounds of standing searches need besides, in the schema `matching`.

extension MatchingSchema {
    /// Of a search, `seen_at` is until when what it told was seen, or is not counted, and `ask_at` is when it is asked whether anybody looks. `digesting` is how
    /// much of a digest is counted that is not told yet. `settle_at` is when what is there is looked at again where that is not at once, and `campus` is where its
    /// person belonged when that was decided last.
    ///
    /// Looks of one kind of thing are taken by themselves. What is looked at again though nobody has named it (`is_again`) waits for what is new.
    static let wantedRounds = """
        ALTER TABLE wanted
            ADD COLUMN seen_at timestamptz,
            ADD COLUMN ask_at timestamptz,
            ADD COLUMN digesting integer NOT NULL DEFAULT 0 CHECK (digesting >= 0),
            ADD COLUMN settle_at timestamptz,
            ADD COLUMN campus text;
        CREATE INDEX wanted_ask ON wanted (ask_at) WHERE ask_at IS NOT NULL AND state = 'live';

        CREATE INDEX hits_late ON hits (wanted) WHERE state = 'late';

        ALTER TABLE looks ADD COLUMN is_again boolean NOT NULL DEFAULT false;
        CREATE INDEX looks_due_of_kind ON looks (kind, is_again, due_at, id);
        DROP INDEX looks_due;

        -- Deliverers who are there already.
        INSERT INTO looks (kind, subject, at, due_at, is_again)
        SELECT 'availability', id, now(), '-infinity', true FROM availabilities
        WHERE state = 'available' AND taken < capacity AND is_listed;
        """

    /// `near_…` is the circle in which all lies that a search finds; empty where it has none, and of searches from before it was kept.
    static let wantedAround = """
        ALTER TABLE wanted
            ADD COLUMN near_latitude float8,
            ADD COLUMN near_longitude float8,
            ADD COLUMN near_radius integer,
            ADD CONSTRAINT wanted_near CHECK (num_nulls(near_latitude, near_longitude, near_radius) IN (0, 3));
        """

    /// All that a search finds has each key of `required`; empty, too, of searches from before it was kept. What is counted of a search changes with each thing
    /// that it finds: where its page has room, none of the indexes is written. Nothing asks for rows by what the long columns say, so that nothing is counted of
    /// them, which was half of the time that the table takes to analyze.
    static let wantedRequired = """
        ALTER TABLE wanted ADD COLUMN required text[] NOT NULL DEFAULT '{}';
        ALTER TABLE wanted
            SET (fillfactor = 70), ALTER COLUMN query SET STATISTICS 0, ALTER COLUMN keys SET STATISTICS 0,
            ALTER COLUMN required SET STATISTICS 0, ALTER COLUMN seeking SET STATISTICS 0;
        """

    /// `wanted_there` has what was there when a search began, as one list of ids: 500 take 9 KB, and as rows of `finds` 160 KB. Where others see the search each is a
    /// row nevertheless: by it drivers find who seeks along their way. `all_finds` has both.
    static let wantedThere = """
        CREATE TABLE wanted_there (
            wanted uuid NOT NULL REFERENCES wanted ON DELETE CASCADE,
            kind text NOT NULL,
            subjects uuid[] NOT NULL CHECK (cardinality(subjects) > 0),
            at timestamptz NOT NULL,
            PRIMARY KEY (wanted, kind)
        );
        -- Ids are not to be compressed, and nobody asks for a row by them.
        ALTER TABLE wanted_there ALTER COLUMN subjects SET STORAGE EXTERNAL, ALTER COLUMN subjects SET STATISTICS 0;
        INSERT INTO wanted_there (wanted, kind, subjects, at)
        SELECT finds.wanted, finds.kind, array_agg(finds.subject), max(finds.found_at)
        FROM finds JOIN wanted ON wanted.id = finds.wanted
        WHERE NOT finds.is_new AND NOT wanted.is_visible GROUP BY finds.wanted, finds.kind;
        DELETE FROM finds USING wanted_there AS listed
        WHERE finds.wanted = listed.wanted AND finds.kind = listed.kind AND NOT finds.is_new;

        CREATE VIEW all_finds AS
        SELECT wanted, kind, subject, found_at, is_new FROM finds
        UNION ALL
        SELECT began.wanted, began.kind, there.subject, began.at, false
        FROM wanted_there AS began CROSS JOIN unnest(began.subjects) AS there (subject)
        WHERE NOT EXISTS (
            SELECT FROM finds
            WHERE finds.wanted = began.wanted AND finds.kind = began.kind AND finds.subject = there.subject);
        """

    /// What is left to be written into an index later makes whoever comes last wait for all of it (100 ms, where each writes its own in half of one), and every
    /// reader read all of it. Whether something that was there is a find besides is looked up for each by itself: PostgreSQL takes a list for ten ids, and
    /// would compare each of a thousand with all that the search has found.
    static let keysAtOnce = """
        ALTER INDEX searchables_by_key SET (fastupdate = off);
        ALTER INDEX orders_waiting SET (fastupdate = off);
        ALTER INDEX orders_waiting_for SET (fastupdate = off);
        SELECT gin_clean_pending_list(name::regclass)
        FROM unnest(ARRAY['searchables_by_key', 'orders_waiting', 'orders_waiting_for']) AS name;

        CREATE OR REPLACE VIEW all_finds AS
        SELECT wanted, kind, subject, found_at, is_new FROM finds
        UNION ALL
        SELECT began.wanted, began.kind, there.subject, began.at, false
        FROM wanted_there AS began CROSS JOIN unnest(began.subjects) AS there (subject)
        WHERE NOT EXISTS (
            SELECT FROM finds
            WHERE finds.wanted = began.wanted AND finds.kind = began.kind AND finds.subject = there.subject OFFSET 0);
        """
}
