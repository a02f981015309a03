import People

// The table of rides, in the schema `rides`.

extension RidesSchema {
    /// `load` says how many ride along from each of the `marks` on, and `detour_used` how far the driver goes for them: both are made of the
    /// accepted requests by a trigger of theirs, so that no statement can oversell a ride, and none can let the sums drift. `changed_in` is the
    /// transaction that wrote the row last: who keeps rides in memory follows by it.
    ///
    /// `arrives_at` is the latest, `doors_until` when the doors of what is over are forgotten, `regions_due` when Places is asked for the
    /// regions that are not known. What is left of a door is the middle of its field of the grid, as `Position.onGrid` has it.
    static let rides = """
        CREATE FUNCTION on_grid(degrees float8, farthest float8) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT
        RETURN round((least(floor(degrees / 0.005), farthest / 0.005 - 1) * 0.005 + 0.0025) * 10000) / 10000;

        CREATE TABLE rides (
            id uuid PRIMARY KEY,
            driver uuid NOT NULL,
            posted_at timestamptz NOT NULL,
            state text NOT NULL CHECK (state IN ('open', 'departed', 'completed', 'removed')),
            stop_names text[] NOT NULL CHECK (cardinality(stop_names) >= 2),
            stop_addresses text[] NOT NULL,
            stop_latitudes float8[] NOT NULL CHECK (-90 <= ALL (stop_latitudes) AND 90 >= ALL (stop_latitudes)),
            stop_longitudes float8[] NOT NULL CHECK (-180 <= ALL (stop_longitudes) AND 180 >= ALL (stop_longitudes)),
            stop_regions text[] NOT NULL,
            stop_at integer[] NOT NULL CHECK (stop_at[1] = 0),
            departs_at timestamptz NOT NULL,
            leaves_by timestamptz NOT NULL CHECK (leaves_by >= departs_at),
            arrives_at timestamptz NOT NULL CHECK (arrives_at >= departs_at),
            zone text NOT NULL,
            seats smallint NOT NULL CHECK (seats BETWEEN 1 AND 60),
            cost bigint NOT NULL CHECK (cost >= 0),
            currency text,
            max_detour integer NOT NULL CHECK (max_detour >= 0),
            luggage text NOT NULL CHECK (luggage IN ('none', 'small', 'medium', 'large')),
            accepts text NOT NULL CHECK (accepts IN ('nobody', 'verified', 'everybody')),
            notes text,
            marks integer[] NOT NULL DEFAULT '{}',
            load smallint[] NOT NULL DEFAULT '{}',
            detour_used integer NOT NULL DEFAULT 0,
            hidden_at timestamptz,
            hidden_reason text,
            withheld boolean NOT NULL DEFAULT false,
            changed_at timestamptz NOT NULL,
            reason text,
            campus text,
            due_at timestamptz,
            doors_until timestamptz,
            regions_due timestamptz,
            changed_in xid8 NOT NULL,
            listed boolean NOT NULL
                GENERATED ALWAYS AS (state = 'open' AND hidden_at IS NULL AND NOT withheld) STORED,
            CONSTRAINT rides_never_overfull CHECK (seats >= ALL (load)),
            CONSTRAINT rides_within_detour CHECK (detour_used <= max_detour),
            CHECK (cardinality(marks) = cardinality(load)),
            CHECK (cardinality(stop_names) = ALL (ARRAY[cardinality(stop_addresses), cardinality(stop_latitudes),
                cardinality(stop_longitudes), cardinality(stop_regions), cardinality(stop_at)])),
            CHECK ((cost > 0) = (currency IS NOT NULL)),
            CHECK ((hidden_at IS NULL) = (hidden_reason IS NULL))
        );
        CREATE INDEX rides_soonest ON rides (departs_at, id) WHERE listed;
        CREATE INDEX rides_of_driver ON rides (driver, id);
        CREATE INDEX rides_driving ON rides (driver, departs_at, id) WHERE state IN ('open', 'departed');
        CREATE INDEX rides_driven ON rides (driver, departs_at, id) WHERE state IN ('completed', 'removed');
        CREATE INDEX rides_withheld ON rides (driver) WHERE withheld;
        CREATE INDEX rides_changed_in ON rides (changed_in);
        CREATE INDEX rides_due ON rides (due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX rides_doors ON rides (doors_until) WHERE doors_until IS NOT NULL;
        CREATE INDEX rides_regions_due ON rides (regions_due) WHERE regions_due IS NOT NULL;
        \(PeopleErasure.guarding("rides", columns: ["driver"]))

        CREATE FUNCTION rides_mark_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            NEW.changed_in := pg_current_xact_id();
            RETURN NEW;
        END $$;
        CREATE TRIGGER rides_mark_change BEFORE INSERT OR UPDATE ON rides
            FOR EACH ROW EXECUTE FUNCTION rides_mark_change();

        CREATE FUNCTION rides_take_campus() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            SELECT coalesce(people.campus, '') INTO NEW.campus FROM people WHERE id = NEW.driver FOR SHARE;
            RETURN NEW;
        END $$;
        CREATE TRIGGER rides_take_campus BEFORE INSERT ON rides FOR EACH ROW EXECUTE FUNCTION rides_take_campus();

        CREATE FUNCTION people_move_rides() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            UPDATE rides SET campus = coalesce(NEW.campus, '')
            WHERE driver = NEW.id AND campus IS DISTINCT FROM coalesce(NEW.campus, '');
            RETURN NULL;
        END $$;
        CREATE TRIGGER people_join_rides AFTER INSERT ON people FOR EACH ROW EXECUTE FUNCTION people_move_rides();
        CREATE TRIGGER people_move_rides AFTER UPDATE OF campus ON people
            FOR EACH ROW WHEN (OLD.campus IS DISTINCT FROM NEW.campus) EXECUTE FUNCTION people_move_rides();
        """
}
