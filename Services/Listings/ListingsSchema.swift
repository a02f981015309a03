import People
import Postgres

/// The schema `listings`: numbered, append-only. What is here is never changed, only added to.
enum ListingsSchema {
    static let migrations = [
        Migration(1, "spots", spots),
        PeopleProjection.migration(number: 2),
        Migration(3, "what a person has now", present),
        Migration(4, "spots to forget", spotsToForget),
        PeopleProjection.snapshotMigration(number: 5),
        PeopleProjection.campusMigration(number: 6),
        Migration(7, "claims that are completed", completed),
        PeopleProjection.reputationMigration(number: 8),
        BlockProjection.migration(number: 9),
        PeopleErasure.migration(number: 10),
        Migration(11, "what is left of erased people", erased),
        SuspensionProjection.migration(number: 12),
        Migration(13, "spots that are hidden", hidden),
        Migration(14, "where the posters of spots belong", campuses),
        Migration(15, "one's observations in their order", observationsInOrder),
        Migration(16, "things that are rented", things),
        Migration(17, "agreements about things", agreements),
        Migration(18, "the days in which things are let", availableDays),
        Migration(19, "until when the two of an agreement talk", talks),
        Migration(20, "agreements of a person by their state", agreementsByState),
        Migration(21, "when agreements were accepted", acceptances),
        Migration(22, "which plates were tried by whom", plateTries),
        Migration(23, "the words of things", words),
        Migration(24, "what is said in agreements", sayings),
        Migration(25, "words however their accents are typed", foldedWords),
        Migration(26, "words of which two letters are typed", beginningsOfTwo),
        Migration(27, "the nearest things of a kind", nearestOfKind),
        SearchFolding.migration(number: 28),
        Migration(29, "words by the folding of all searches", wordsOfOneFolding),
        Migration(30, "what was read in calendars", calendarEntries),
        Migration(31, "who asks once for the same time", askingOnce),
        Migration(32, "the clocks of things and of their periods", zones),
    ]

    /// An archive has them page by page, in the order of the index or after sorting all of them for each page.
    private static let observationsInOrder = """
        DROP INDEX observations_of_person;
        CREATE INDEX observations_of_person ON observations (person, spot);
        """

    /// What is hidden is not in the indexes that maps and lists are read from: by moderators, or because its poster is suspended.
    private static let hidden = """
        ALTER TABLE spots
            ADD COLUMN hidden_at timestamptz,
            ADD COLUMN hidden_reason text,
            ADD COLUMN withheld boolean NOT NULL DEFAULT false,
            ADD COLUMN shown boolean NOT NULL GENERATED ALWAYS AS (hidden_at IS NULL AND NOT withheld) STORED,
            ADD CONSTRAINT spots_hidden_whole CHECK ((hidden_at IS NULL) = (hidden_reason IS NULL));
        DROP INDEX spots_newest_within, spots_nearest;
        CREATE INDEX spots_newest_within ON spots USING gist (map) WHERE state = 'free' AND shown;
        CREATE INDEX spots_nearest ON spots USING gist (globe) WHERE state = 'free' AND shown;
        CREATE INDEX spots_withheld ON spots (posted_by) WHERE withheld;
        """

    private static let erased = """
        CREATE INDEX observations_of_person ON observations (person);
        CREATE INDEX spots_photo ON spots (photo) WHERE photo IS NOT NULL;
        \(PeopleErasure.guarding("spots", columns: ["posted_by", "claimed_by"]))
        \(PeopleErasure.guarding("observations", columns: ["person"]))
        """

    private static let completed = """
        ALTER TABLE spots
            ADD COLUMN parked_at timestamptz,
            ADD CONSTRAINT spots_parked_who_claimed CHECK (parked_at IS NULL OR claimed_by IS NOT NULL);
        CREATE INDEX spots_next_to_settle ON spots (claimed_at) WHERE claimed_by IS NOT NULL AND parked_at IS NULL;
        """

    private static let spotsToForget = """
        CREATE INDEX spots_next_to_forget ON spots (expires_at) WHERE state IN ('expired', 'removed');
        """

    /// `map` is (longitude, latitude, milliseconds of the id), so that one index finds the newest within a box however
    /// many there are; `globe` is the point on the earth in metres, so that another finds the nearest. Both are written by
    /// the service, not generated: their functions need a search path that a restore does not have.
    private static let spots = """
        CREATE EXTENSION IF NOT EXISTS cube SCHEMA public;
        CREATE EXTENSION IF NOT EXISTS earthdistance SCHEMA public;

        CREATE TABLE spots (
            id uuid PRIMARY KEY,
            posted_by uuid NOT NULL,
            posted_at timestamptz NOT NULL,
            name text NOT NULL CHECK (name <> ''),
            kind text NOT NULL CHECK (kind IN ('street', 'garage', 'private')),
            latitude float8 NOT NULL CHECK (latitude BETWEEN -90 AND 90),
            longitude float8 NOT NULL CHECK (longitude BETWEEN -180 AND 180),
            photo text,
            price bigint CHECK (price > 0),
            currency text,
            expires_at timestamptz NOT NULL,
            state text NOT NULL CHECK (state IN ('free', 'claimed', 'expired', 'removed')),
            claimed_by uuid CHECK (claimed_by <> posted_by),
            claimed_at timestamptz,
            there integer NOT NULL CHECK (there >= 0),
            gone integer NOT NULL CHECK (gone >= 0),
            map cube NOT NULL,
            globe cube NOT NULL,
            CHECK ((price IS NULL) = (currency IS NULL)),
            CHECK ((state = 'claimed') = (claimed_by IS NOT NULL)),
            CHECK ((claimed_by IS NULL) = (claimed_at IS NULL))
        );
        CREATE INDEX spots_newest_within ON spots USING gist (map) WHERE state = 'free';
        CREATE INDEX spots_nearest ON spots USING gist (globe) WHERE state = 'free';
        CREATE INDEX spots_next_to_expire ON spots (expires_at) WHERE state = 'free';
        CREATE INDEX spots_of_poster ON spots (posted_by, id);
        CREATE INDEX spots_of_claimer ON spots (claimed_by, id) WHERE claimed_by IS NOT NULL;

        CREATE TABLE observations (
            spot uuid NOT NULL REFERENCES spots ON DELETE CASCADE,
            person uuid NOT NULL,
            state text NOT NULL CHECK (state IN ('there', 'gone')),
            seen_at timestamptz NOT NULL,
            PRIMARY KEY (spot, person)
        );
        """

    /// What a person has on the map and holds is counted at each post and claim, and few: their past, which only grows, is not to be
    /// read for it.
    private static let present = """
        CREATE INDEX spots_free_of_poster ON spots (posted_by, expires_at) WHERE state = 'free';
        CREATE INDEX spots_claims_of ON spots (claimed_by, claimed_at) WHERE claimed_by IS NOT NULL;
        DROP INDEX spots_of_claimer;
        """
}
