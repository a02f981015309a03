import People

// What rounds need, and lists, in the schema `matching`.

extension MatchingSchema {
    /// `marks` says where a round has to look. Triggers make them in the transaction that makes something possible: an order that waits, a hand that is free, or
    /// terms that are others. So nothing waits that nobody looks at, whatever commits first. Full hands mark as well: whether anybody is at a restaurant
    /// is told by rounds (`restaurants_told` has where somebody is, as others have heard).
    ///
    /// `restaurants` has those where somebody was lately, and until when the last of them said to be there: what nobody can deliver from any more is left
    /// out of lists, and forgotten by the rounds.
    static let rounds = """
        CREATE TABLE marks (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            area bigint NOT NULL
        );
        CREATE INDEX marks_of_area ON marks (area, id);

        CREATE FUNCTION orders_mark() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO marks (area) SELECT unnest(NEW.areas);
            RETURN NULL;
        END $$;
        CREATE TRIGGER orders_mark AFTER INSERT OR UPDATE ON orders
            FOR EACH ROW WHEN (NEW.state = 'waiting') EXECUTE FUNCTION orders_mark();

        CREATE FUNCTION availabilities_mark() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO marks (area) VALUES (NEW.area);
            IF TG_OP = 'UPDATE' AND OLD.area <> NEW.area THEN
                INSERT INTO marks (area) VALUES (OLD.area);
            END IF;
            RETURN NULL;
        END $$;
        CREATE TRIGGER availabilities_begin_mark AFTER INSERT ON availabilities
            FOR EACH ROW EXECUTE FUNCTION availabilities_mark();
        CREATE TRIGGER availabilities_mark AFTER UPDATE ON availabilities
            FOR EACH ROW WHEN (
                NEW.taken < OLD.taken
                OR (OLD.taken < OLD.capacity) <> (NEW.taken < NEW.capacity)
                OR (OLD.state, OLD.capacity, OLD.until, OLD.is_listed, OLD.area, OLD.restaurant, OLD.drop_latitude,
                    OLD.drop_longitude, OLD.detour, OLD.least_fee, OLD.campus)
                IS DISTINCT FROM (NEW.state, NEW.capacity, NEW.until, NEW.is_listed, NEW.area, NEW.restaurant,
                    NEW.drop_latitude, NEW.drop_longitude, NEW.detour, NEW.least_fee, NEW.campus))
            EXECUTE FUNCTION availabilities_mark();

        CREATE TABLE restaurants (
            id uuid PRIMARY KEY,
            name text NOT NULL,
            address text,
            latitude float8 NOT NULL,
            longitude float8 NOT NULL,
            globe cube NOT NULL,
            until timestamptz NOT NULL
        );
        CREATE INDEX restaurants_near ON restaurants USING gist (globe);
        CREATE INDEX restaurants_by_name ON restaurants (name, id);
        CREATE INDEX restaurants_until ON restaurants (until);

        CREATE FUNCTION availabilities_open_restaurant() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO restaurants (id, name, address, latitude, longitude, globe, until)
            VALUES (NEW.restaurant, NEW.restaurant_name, NEW.restaurant_address, NEW.restaurant_latitude,
                NEW.restaurant_longitude, NEW.globe, NEW.until)
            ON CONFLICT (id) DO UPDATE
            SET name = excluded.name, address = excluded.address, latitude = excluded.latitude,
                longitude = excluded.longitude, globe = excluded.globe, until = excluded.until
            WHERE restaurants.until < excluded.until;
            RETURN NULL;
        END $$;
        CREATE TRIGGER availabilities_open_restaurant AFTER INSERT ON availabilities
            FOR EACH ROW EXECUTE FUNCTION availabilities_open_restaurant();
        CREATE TRIGGER availabilities_keep_restaurant AFTER UPDATE ON availabilities
            FOR EACH ROW WHEN ((OLD.restaurant, OLD.until) IS DISTINCT FROM (NEW.restaurant, NEW.until))
            EXECUTE FUNCTION availabilities_open_restaurant();

        CREATE TABLE restaurants_told (
            restaurant uuid NOT NULL,
            campus text NOT NULL,
            area bigint NOT NULL,
            place jsonb NOT NULL,
            PRIMARY KEY (restaurant, campus)
        );
        CREATE INDEX restaurants_told_of_area ON restaurants_told (area);

        CREATE TABLE credits (
            person uuid PRIMARY KEY,
            credit float8 NOT NULL,
            as_of timestamptz NOT NULL
        );
        \(PeopleErasure.guarding("credits", columns: ["person"]))
        """

    /// `hops` has how long ways on foot are, as Places says it. One that is to be asked for has a time for it, and the area where it is waited for.
    ///
    /// `positions` has the last point of who shows where they are, and of nothing before: it is in no log of the database and no backup, and goes as soon as
    /// it is not shown any more.
    static let ways = """
        CREATE TABLE hops (
            one uuid NOT NULL,
            other uuid NOT NULL CHECK (other <> one),
            one_latitude float8 NOT NULL,
            one_longitude float8 NOT NULL,
            other_latitude float8 NOT NULL,
            other_longitude float8 NOT NULL,
            area bigint NOT NULL,
            metres integer,
            along_streets boolean,
            asked_at timestamptz,
            due_at timestamptz,
            PRIMARY KEY (one, other),
            CHECK ((metres IS NULL) = (along_streets IS NULL)),
            CHECK ((metres IS NULL) = (due_at IS NOT NULL))
        );
        CREATE INDEX hops_due ON hops (due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX hops_asked ON hops (asked_at) WHERE due_at IS NULL;

        CREATE UNLOGGED TABLE positions (
            match uuid PRIMARY KEY REFERENCES matches ON DELETE CASCADE,
            latitude float8 NOT NULL,
            longitude float8 NOT NULL,
            accuracy integer,
            at timestamptz NOT NULL,
            told_at timestamptz NOT NULL
        ) WITH (fillfactor = 50);
        CREATE INDEX positions_at ON positions (at);

        CREATE FUNCTION matches_hide() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            DELETE FROM positions WHERE match = NEW.id;
            RETURN NULL;
        END $$;
        CREATE TRIGGER matches_hide AFTER UPDATE ON matches
            FOR EACH ROW WHEN (OLD.is_shared AND (NEW.state <> 'pickedUp' OR NOT NEW.is_shared))
            EXECUTE FUNCTION matches_hide();
        """

    /// By which rounds find what is due and who is free, and lists what is somebody's. Nobody has many hands or orders that are not over: these have indexes of their own,
    /// so that no list of them reads all of a person's past.
    static let lists = """
        CREATE INDEX availabilities_free ON availabilities (area, id) WHERE state = 'available' AND taken < capacity;
        CREATE INDEX availabilities_here ON availabilities (restaurant, id)
            WHERE state = 'available' AND taken < capacity AND is_listed;
        CREATE INDEX availabilities_of_person ON availabilities (person, id);
        CREATE INDEX availabilities_due ON availabilities (due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX availabilities_remind ON availabilities (remind_at) WHERE remind_at IS NOT NULL;

        CREATE INDEX orders_waiting ON orders USING gin (areas) WHERE state = 'waiting';
        CREATE INDEX orders_of_orderer ON orders (orderer, id);
        CREATE INDEX orders_running ON orders (orderer, id) WHERE state IN ('waiting', 'asking', 'offered', 'matched');
        CREATE INDEX orders_due ON orders (due_at) WHERE due_at IS NOT NULL;

        CREATE INDEX matches_of_order ON matches ("order", id);
        CREATE INDEX matches_of_orderer ON matches (orderer, id);
        CREATE INDEX matches_of_deliverer ON matches (deliverer, id);
        CREATE INDEX matches_running_of_orderer ON matches (orderer, id)
            WHERE state IN ('offered', 'accepted', 'pickedUp', 'delivered', 'received', 'disputed');
        CREATE INDEX matches_running_of_deliverer ON matches (deliverer, id)
            WHERE state IN ('offered', 'accepted', 'pickedUp', 'delivered', 'received', 'disputed');
        CREATE INDEX matches_of_availability ON matches (availability);
        CREATE INDEX matches_with_chances ON matches (id) WHERE fills_hand AND chances <> '{}';
        CREATE INDEX matches_disputed ON matches (id) WHERE state = 'disputed';
        CREATE INDEX matches_settled ON matches (changed_by) WHERE state = 'settled';
        CREATE INDEX matches_receipt ON matches (receipt) WHERE receipt IS NOT NULL;
        CREATE INDEX matches_due ON matches (due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX matches_remind ON matches (remind_at) WHERE remind_at IS NOT NULL;
        CREATE INDEX matches_talk ON matches (talk_until) WHERE talk_until IS NOT NULL;
        """
}
