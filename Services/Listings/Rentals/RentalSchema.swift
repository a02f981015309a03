import People

// The tables of things and agreements, in the schema `listings`.

extension ListingsSchema {
    /// `globe` is made of the field of the grid in which a thing lies, never of its door: distances are computed from it. It is written by the
    /// service, as that of spots. A list is read from the index that has its order; all of them leave out what others do not find.
    static let things = """
        CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;

        CREATE TABLE things (
            id uuid PRIMARY KEY,
            kind text NOT NULL CHECK (kind IN ('car', 'space', 'parking')),
            owner uuid NOT NULL,
            posted_at timestamptz NOT NULL,
            state text NOT NULL CHECK (state IN ('draft', 'listed', 'withdrawn')),
            title text NOT NULL,
            description text,
            brand text,
            model text,
            plate bytea,
            plate_digest bytea,
            size integer CHECK (size > 0),
            region text,
            place text,
            address text,
            latitude float8 CHECK (latitude BETWEEN -90 AND 90),
            longitude float8 CHECK (longitude BETWEEN -180 AND 180),
            globe cube,
            photos text[] NOT NULL,
            price bigint NOT NULL CHECK (price >= 0),
            currency text,
            unit text NOT NULL CHECK (unit IN ('day', 'hour')),
            longest integer CHECK (longest > 0),
            cancellation text NOT NULL CHECK (cancellation IN ('flexible', 'moderate', 'strict')),
            is_instant boolean NOT NULL,
            zone text NOT NULL,
            hidden_at timestamptz,
            hidden_reason text,
            withheld boolean NOT NULL DEFAULT false,
            campus text,
            newness bigint NOT NULL,
            listed boolean NOT NULL
                GENERATED ALWAYS AS (state = 'listed' AND hidden_at IS NULL AND NOT withheld) STORED,
            quarter text NOT NULL GENERATED ALWAYS AS (coalesce(region, '')) STORED,
            words text NOT NULL GENERATED ALWAYS AS (lower(title || ' ' || coalesce(description, ''))) STORED,
            CHECK ((price > 0) = (currency IS NOT NULL)),
            CHECK ((plate IS NULL) = (plate_digest IS NULL)),
            CHECK ((latitude IS NULL) = (longitude IS NULL)),
            CHECK ((latitude IS NULL) = (globe IS NULL)),
            CHECK ((hidden_at IS NULL) = (hidden_reason IS NULL)),
            CHECK (state <> 'listed' OR title <> '')
        );
        CREATE UNIQUE INDEX things_plate ON things (plate_digest) WHERE state = 'listed';
        CREATE INDEX things_of_owner ON things (owner, id);
        CREATE INDEX things_newest ON things (newness, id) WHERE listed;
        CREATE INDEX things_newest_of_kind ON things (kind, newness, id) WHERE listed;
        CREATE INDEX things_newest_of_model ON things (brand, model, newness, id) WHERE listed AND kind = 'car';
        CREATE INDEX things_newest_of_region ON things (quarter, kind, newness, id) WHERE listed;
        CREATE INDEX things_by_price ON things (kind, price, id) WHERE listed;
        CREATE INDEX things_by_region ON things (kind, quarter, id) WHERE listed;
        CREATE INDEX things_nearest ON things USING gist (globe) WHERE listed;
        CREATE INDEX things_words ON things USING gin (words gin_trgm_ops) WHERE listed;
        CREATE INDEX things_beginnings ON things USING gin (to_tsvector('simple', words)) WHERE listed;
        CREATE INDEX things_photos ON things USING gin (photos);
        CREATE INDEX things_withheld ON things (owner) WHERE withheld;
        \(PeopleErasure.guarding("things", columns: ["owner"]))

        CREATE FUNCTION things_take_campus() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            SELECT coalesce(people.campus, '') INTO NEW.campus FROM people WHERE id = NEW.owner FOR SHARE;
            RETURN NEW;
        END $$;
        CREATE TRIGGER things_take_campus BEFORE INSERT ON things FOR EACH ROW EXECUTE FUNCTION things_take_campus();

        CREATE FUNCTION people_move_things() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            UPDATE things SET campus = coalesce(NEW.campus, '')
            WHERE owner = NEW.id AND campus IS DISTINCT FROM coalesce(NEW.campus, '');
            RETURN NULL;
        END $$;
        CREATE TRIGGER people_join_things AFTER INSERT ON people FOR EACH ROW EXECUTE FUNCTION people_move_things();
        CREATE TRIGGER people_move_things AFTER UPDATE OF campus ON people
            FOR EACH ROW WHEN (OLD.campus IS DISTINCT FROM NEW.campus) EXECUTE FUNCTION people_move_things();
        """

    /// The first and the last day on which a thing is let, in its own time.
    static let availableDays = """
        ALTER TABLE things
            ADD COLUMN available_from date,
            ADD COLUMN available_until date,
            ADD CONSTRAINT things_available_in_order CHECK (available_from <= available_until);
        """

    /// Until when the two of what is over may write to each other about it; gone when that was told. Lists may be of one thing.
    static let talks = """
        ALTER TABLE rentals ADD COLUMN talk_until timestamptz;
        UPDATE rentals SET talk_until = changed_at + interval '3 days' WHERE state IN ('returned', 'noShow', 'settled');
        CREATE INDEX rentals_talk_ends ON rentals (talk_until) WHERE talk_until IS NOT NULL;
        CREATE INDEX rentals_talking ON rentals (thing, renter) WHERE talk_until IS NOT NULL;
        DROP INDEX rentals_of_thing;
        CREATE INDEX rentals_of_thing ON rentals (thing, id);
        """

    /// Lists of one state, what is called off of somebody, and whom rounds have to look at: without these all of a person's past is read. Moderators' names
    /// are found by what they settled.
    static let agreementsByState = """
        CREATE INDEX rentals_of_owner_by_state ON rentals (owner, state, id);
        CREATE INDEX rentals_of_renter_by_state ON rentals (renter, state, id);
        CREATE INDEX rentals_settled ON rentals (changed_by) WHERE state = 'settled';
        """

    /// When its owner agreed: of what was called off or lapsed, only what was agreed can be disputed.
    static let acceptances = """
        ALTER TABLE rentals ADD COLUMN accepted_at timestamptz;
        UPDATE rentals SET accepted_at = changed_at WHERE state = 'accepted';
        """

    /// Nobody waits twice for an answer about the same time. What was asked for before this was so stays as it is, until it ends.
    static let askingOnce = """
        ALTER TABLE rentals
            ADD COLUMN asks_once boolean NOT NULL DEFAULT false,
            ADD CONSTRAINT rentals_asked_once
                EXCLUDE USING gist (thing WITH =, renter WITH =, tstzrange(starts_at, ends_at) WITH &&)
                WHERE (asks_once AND state = 'requested');
        """

    /// What the two say with whatever they do, not only what they show: `reason` is that of the state alone, and what was said of an earlier one went with
    /// it. Of a dispute more may be said, at most so often.
    static let sayings = """
        ALTER TABLE rental_evidence
            ADD COLUMN number integer NOT NULL DEFAULT 1,
            DROP CONSTRAINT rental_evidence_pkey,
            DROP CONSTRAINT rental_evidence_act_check,
            ADD PRIMARY KEY (rental, act, role, number),
            ADD CONSTRAINT rental_evidence_act_check CHECK (act IN ('accept', 'decline', 'cancel', 'handOver', 'giveBack',
                'reportNoShow', 'dispute', 'explain')),
            ADD CONSTRAINT rental_evidence_bounded CHECK (number BETWEEN 1 AND CASE act WHEN 'explain' THEN 5 ELSE 1 END);
        INSERT INTO rental_evidence (rental, role, act, photos, note, made_at)
        SELECT id, CASE changed_by WHEN owner THEN 'owner' ELSE 'renter' END,
            CASE state WHEN 'accepted' THEN 'accept' WHEN 'declined' THEN 'decline' WHEN 'cancelled' THEN 'cancel'
                WHEN 'noShow' THEN 'reportNoShow' ELSE 'dispute' END,
            '{}', reason, changed_at
        FROM rentals
        WHERE state IN ('accepted', 'declined', 'cancelled', 'noShow', 'disputed') AND reason IS NOT NULL
            AND changed_by IN (owner, renter);
        """

    /// Which plates somebody has given in the last day, as digests: whoever tries many of them would learn which cars are shared here.
    static let plateTries = """
        CREATE TABLE plate_tries (
            person uuid NOT NULL,
            plate bytea NOT NULL,
            tried_at timestamptz NOT NULL,
            PRIMARY KEY (person, plate)
        );
        CREATE INDEX plate_tries_over ON plate_tries (tried_at);
        \(PeopleErasure.guarding("plate_tries", columns: ["person"]))
        """

    /// `occupied` is what nobody else can have: agreements that hold their period, and dates that owners have blocked. One constraint for both; the
    /// rows of agreements are kept by a trigger, so that no statement forgets them.
    static let agreements = """
        CREATE TABLE rentals (
            id uuid PRIMARY KEY,
            thing uuid NOT NULL REFERENCES things,
            kind text NOT NULL,
            title text NOT NULL,
            photo text,
            owner uuid NOT NULL,
            renter uuid NOT NULL CHECK (renter <> owner),
            starts text NOT NULL,
            until text NOT NULL,
            zone text NOT NULL,
            starts_at timestamptz NOT NULL,
            ends_at timestamptz NOT NULL,
            units integer NOT NULL CHECK (units > 0),
            price bigint NOT NULL CHECK (price >= 0),
            currency text,
            unit text NOT NULL,
            longest integer,
            cancellation text NOT NULL,
            is_instant boolean NOT NULL,
            message text,
            requested_at timestamptz NOT NULL,
            answer_by timestamptz NOT NULL,
            state text NOT NULL CHECK (state IN ('requested', 'accepted', 'handedOver', 'returned', 'declined',
                'lapsed', 'cancelled', 'noShow', 'disputed', 'settled')),
            changed_at timestamptz NOT NULL,
            changed_by uuid,
            reason text,
            share integer NOT NULL CHECK (share BETWEEN 0 AND 100),
            holds boolean NOT NULL,
            due_at timestamptz,
            remind_at timestamptz,
            CHECK (starts_at < ends_at),
            CHECK (state NOT IN ('accepted', 'handedOver') OR holds),
            CHECK (NOT holds OR state IN ('requested', 'accepted', 'handedOver', 'disputed'))
        );
        CREATE INDEX rentals_of_owner ON rentals (owner, id);
        CREATE INDEX rentals_of_renter ON rentals (renter, id);
        CREATE INDEX rentals_waiting ON rentals (renter) WHERE state = 'requested';
        CREATE INDEX rentals_running ON rentals (thing, renter)
            WHERE state IN ('requested', 'accepted', 'handedOver', 'disputed');
        CREATE INDEX rentals_disputed ON rentals (id) WHERE state = 'disputed';
        CREATE INDEX rentals_of_thing ON rentals (thing);
        CREATE INDEX rentals_due ON rentals (due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX rentals_to_remind ON rentals (remind_at) WHERE remind_at IS NOT NULL;
        CREATE INDEX rentals_photo ON rentals (photo) WHERE photo IS NOT NULL;
        \(PeopleErasure.guarding("rentals", columns: ["owner", "renter"]))

        CREATE TABLE rental_evidence (
            rental uuid NOT NULL REFERENCES rentals ON DELETE CASCADE,
            role text NOT NULL CHECK (role IN ('owner', 'renter')),
            act text NOT NULL CHECK (act IN ('handOver', 'giveBack')),
            photos text[] NOT NULL,
            note text,
            made_at timestamptz NOT NULL,
            PRIMARY KEY (rental, act, role)
        );
        CREATE INDEX rental_evidence_photos ON rental_evidence USING gin (photos);

        CREATE TABLE occupied (
            id uuid PRIMARY KEY,
            thing uuid NOT NULL REFERENCES things ON DELETE CASCADE,
            rental uuid UNIQUE REFERENCES rentals ON DELETE CASCADE,
            starts text NOT NULL,
            until text NOT NULL,
            period tstzrange NOT NULL CHECK (NOT isempty(period)),
            CONSTRAINT occupied_once EXCLUDE USING gist (thing WITH =, period WITH &&)
        );

        CREATE FUNCTION rentals_occupy() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF NEW.holds AND (TG_OP = 'INSERT' OR NOT OLD.holds) THEN
                INSERT INTO occupied (id, thing, rental, starts, until, period)
                VALUES (NEW.id, NEW.thing, NEW.id, NEW.starts, NEW.until, tstzrange(NEW.starts_at, NEW.ends_at));
            ELSIF TG_OP = 'UPDATE' AND OLD.holds AND NOT NEW.holds THEN
                DELETE FROM occupied WHERE rental = NEW.id;
            END IF;
            RETURN NULL;
        END $$;
        CREATE TRIGGER rentals_begin AFTER INSERT ON rentals FOR EACH ROW EXECUTE FUNCTION rentals_occupy();
        CREATE TRIGGER rentals_occupy AFTER UPDATE OF holds ON rentals FOR EACH ROW
            WHEN (OLD.holds <> NEW.holds) EXECUTE FUNCTION rentals_occupy();
        """

    /// By their kind first: without it half to three quarters of what lay nearest were looked at in vain. In one field of the grid lie as many as a
    /// neighbourhood has, all at one distance; which of them come first says their id, and whose they are whoever is not shown them, so that the index
    /// answers without a look at hundreds of rows.
    static let nearestOfKind = """
        DROP INDEX things_nearest;
        CREATE INDEX things_nearest ON things USING gist (kind, globe) INCLUDE (id, owner) WHERE listed;
        """
}
