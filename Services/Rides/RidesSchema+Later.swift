import People

// What was added to rides and requests later.

extension RidesSchema {
    /// From each stop to the next along streets, between the middles of their fields: both null where there are none, or they are not known yet. They are asked for with
    /// the regions (`regions_due`).
    static let streets = """
        ALTER TABLE rides ADD leg_metres integer[], ADD leg_seconds integer[],
            DROP CONSTRAINT rides_accepts_check,
            ADD CONSTRAINT rides_accepts_check CHECK (accepts IN ('nobody', 'friends', 'verified', 'everybody')),
            ADD CHECK (leg_metres IS NULL OR cardinality(leg_metres) = cardinality(stop_at) - 1),
            ADD CHECK ((leg_metres IS NULL) = (leg_seconds IS NULL));
        UPDATE rides SET regions_due = posted_at WHERE state = 'open' AND regions_due IS NULL;
        """

    /// `return_of` is the way there of a way back. `together` is the request on the other one of the two that is accepted with this one or not at
    /// all: each names the other, and a trigger that looks at the end of a transaction lets none be pending, or begin to be accepted, without it.
    static let returns = """
        ALTER TABLE rides ADD return_of uuid REFERENCES rides ON DELETE SET NULL CHECK (return_of <> id);
        CREATE UNIQUE INDEX rides_return_of ON rides (return_of) WHERE return_of IS NOT NULL;
        ALTER TABLE seat_requests ADD together uuid CHECK (together <> id),
            ADD CHECK (together IS NULL OR state <> 'waiting');
        CREATE UNIQUE INDEX requests_together ON seat_requests (together) WHERE together IS NOT NULL;

        CREATE FUNCTION requests_both_or_none() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
            own seat_requests;
            other seat_requests;
        BEGIN
            SELECT * INTO own FROM seat_requests WHERE id = NEW.id;
            SELECT * INTO other FROM seat_requests WHERE id = NEW.together;
            IF other.together IS DISTINCT FROM NEW.id OR other.rider <> own.rider OR other.ride = own.ride
                OR (own.state = 'pending') <> (other.state = 'pending')
                OR NEW.state = 'accepted' AND other.state <> 'accepted' THEN
                RAISE EXCEPTION 'both ways or none' USING ERRCODE = 'check_violation', CONSTRAINT = 'requests_both_or_none';
            END IF;
            RETURN NULL;
        END $$;
        CREATE CONSTRAINT TRIGGER requests_begin_together AFTER INSERT ON seat_requests DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW WHEN (NEW.together IS NOT NULL) EXECUTE FUNCTION requests_both_or_none();
        CREATE CONSTRAINT TRIGGER requests_go_together AFTER UPDATE OF state ON seat_requests DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW WHEN (NEW.together IS NOT NULL AND OLD.state = 'pending' AND NEW.state <> 'pending')
            EXECUTE FUNCTION requests_both_or_none();
        """

    /// `draft` is what each ride says, with the times of `first_day`; days are those of its zone. On `duplicates` its driver drives such a ride
    /// already. `due_at` is when the next ones are made, gone when none will be; `doors_until` is when its doors are forgotten.
    /// Of each day there is one ride, removed or not, so that none is made twice.
    static let series = """
        CREATE TABLE ride_series (
            id uuid PRIMARY KEY,
            driver uuid NOT NULL,
            posted_at timestamptz NOT NULL,
            draft jsonb NOT NULL,
            weekdays text[] NOT NULL CHECK (cardinality(weekdays) > 0),
            first_day date NOT NULL,
            last_day date NOT NULL CHECK (last_day >= first_day),
            skips date[] NOT NULL,
            duplicates date[] NOT NULL,
            ended_at timestamptz,
            due_at timestamptz,
            doors_until timestamptz
        );
        CREATE INDEX ride_series_of_driver ON ride_series (driver, id);
        CREATE INDEX ride_series_running ON ride_series (driver) WHERE due_at IS NOT NULL;
        CREATE INDEX ride_series_due ON ride_series (due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX ride_series_doors ON ride_series (doors_until) WHERE doors_until IS NOT NULL;
        \(PeopleErasure.guarding("ride_series", columns: ["driver"]))
        ALTER TABLE rides ADD series uuid REFERENCES ride_series, ADD series_day date,
            ADD CHECK ((series IS NULL) = (series_day IS NULL));
        CREATE UNIQUE INDEX rides_of_series_day ON rides (series, series_day) WHERE series IS NOT NULL AND return_of IS NULL;
        CREATE INDEX rides_of_series ON rides (series, departs_at, id) WHERE series IS NOT NULL;
        """
}
