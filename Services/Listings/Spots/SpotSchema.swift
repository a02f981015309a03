import People

// The tables of spots, in the schema `listings`.

extension ListingsSchema {
    /// An archive has them page by page, in the order of the index or after sorting all of them for each page.
    static let observationsInOrder = """
        DROP INDEX observations_of_person;
        CREATE INDEX observations_of_person ON observations (person, spot);
        """

    /// What is hidden is not in the indexes that maps and lists are read from: by moderators, or because its poster is suspended.
    static let hidden = """
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

    static let erased = """
        CREATE INDEX observations_of_person ON observations (person);
        CREATE INDEX spots_photo ON spots (photo) WHERE photo IS NOT NULL;
        \(PeopleErasure.guarding("spots", columns: ["posted_by", "claimed_by"]))
        \(PeopleErasure.guarding("observations", columns: ["person"]))
        """

    static let completed = """
        ALTER TABLE spots
            ADD COLUMN parked_at timestamptz,
            ADD CONSTRAINT spots_parked_who_claimed CHECK (parked_at IS NULL OR claimed_by IS NOT NULL);
        CREATE INDEX spots_next_to_settle ON spots (claimed_at) WHERE claimed_by IS NOT NULL AND parked_at IS NULL;
        """

    static let spotsToForget = """
        CREATE INDEX spots_next_to_forget ON spots (expires_at) WHERE state IN ('expired', 'removed');
        """

    /// `map` is (longitude, latitude, milliseconds of the id), so that one index finds the newest within a box however
    /// many there are; `globe` is the point on the earth in metres, so that another finds the nearest. Both are written by
    /// the service, not generated: their functions need a search path that a restore does not have.
    static let spots = """
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
    static let present = """
        CREATE INDEX spots_free_of_poster ON spots (posted_by, expires_at) WHERE state = 'free';
        CREATE INDEX spots_claims_of ON spots (claimed_by, claimed_at) WHERE claimed_by IS NOT NULL;
        DROP INDEX spots_of_claimer;
        """

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
