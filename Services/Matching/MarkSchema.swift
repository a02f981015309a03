import People

// What rounds look at, in the schema `matching`.

extension MatchingSchema {
    /// A mark is of an order that waits, or of a restaurant where somebody came, went, or says something else; one of neither is of all that waits in its area. Two who are
    /// not apart any more mark what they wait for.
    ///
    /// `middle` and `radius` are those of the circle of an order for which somebody is looked.
    static let looks = """
        ALTER TABLE marks ADD COLUMN "order" uuid, ADD COLUMN restaurant uuid,
            ADD CHECK (num_nonnulls("order", restaurant) <= 1);
        ALTER TABLE marks SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

        CREATE OR REPLACE FUNCTION orders_mark() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO marks (area, "order") SELECT unnest(NEW.areas), NEW.id;
            RETURN NULL;
        END $$;

        CREATE OR REPLACE FUNCTION availabilities_mark() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO marks (area, restaurant) VALUES (NEW.area, NEW.restaurant);
            IF TG_OP = 'UPDATE' AND (OLD.area, OLD.restaurant) <> (NEW.area, NEW.restaurant) THEN
                INSERT INTO marks (area, restaurant) VALUES (OLD.area, OLD.restaurant);
            END IF;
            RETURN NULL;
        END $$;

        CREATE FUNCTION blocks_mark() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO marks (area, "order")
            SELECT unnest(areas), id FROM orders WHERE orderer = OLD.person AND state = 'waiting';
            RETURN NULL;
        END $$;
        -- Each pair is there in both directions.
        CREATE TRIGGER blocks_mark AFTER DELETE ON blocks FOR EACH ROW EXECUTE FUNCTION blocks_mark();

        ALTER TABLE orders ADD COLUMN middle cube, ADD COLUMN radius integer;
        UPDATE orders SET radius = (around->>'radius')::integer,
            middle = ll_to_earth(
                -- As `Position.settled`: the arithmetic of the earth refuses the smallest numbers that there are.
                round((around->'position'->>'latitude')::numeric, 12)::float8,
                round((around->'position'->>'longitude')::numeric, 12)::float8)::cube
        WHERE state IN ('waiting', 'asking', 'offered') AND around IS NOT NULL;
        ALTER TABLE orders ADD CHECK ((middle IS NOT NULL) = (state IN ('waiting', 'asking', 'offered') AND around IS NOT NULL)),
            ADD CHECK ((middle IS NULL) = (radius IS NULL));

        CREATE INDEX orders_waiting_for ON orders USING gin (restaurants) WHERE state = 'waiting';
        CREATE INDEX orders_waiting_around ON orders USING gist (middle) WHERE state = 'waiting' AND middle IS NOT NULL;

        -- What rounds looked at until now.
        DROP INDEX availabilities_free;
        DROP INDEX restaurants_told_of_area;
        DROP INDEX availabilities_here;
        CREATE INDEX availabilities_at ON availabilities (restaurant, id) WHERE state = 'available' AND taken < capacity;
        """

    /// A list of restaurants counts who is at each, and names where they go. It reads all of that in this index, and no row of `availabilities`.
    static let presence = """
        DROP INDEX availabilities_at;
        CREATE INDEX availabilities_at ON availabilities (restaurant, drop_name) INCLUDE (until, person, campus, is_listed)
        WHERE state = 'available' AND taken < capacity;
        """
}
