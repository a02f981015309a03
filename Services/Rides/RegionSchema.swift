import People

// In which regions rides are found, in the schema `rides`.

extension RidesSchema {
    /// Of every ride that can be found, each region in which one can get in, and each in which one can get out: made of the ride by a trigger. A
    /// region that it only passes through is none of them. What a list leaves out stands beside what it is ordered by.
    static let regions = """
        CREATE TABLE ride_regions (
            ride uuid NOT NULL REFERENCES rides ON DELETE CASCADE,
            region text NOT NULL,
            direction text NOT NULL CHECK (direction IN ('from', 'to')),
            departs_at timestamptz NOT NULL,
            leaves_by timestamptz NOT NULL,
            driver uuid NOT NULL,
            campus text,
            PRIMARY KEY (ride, region, direction)
        );
        CREATE INDEX ride_regions_soonest ON ride_regions (region, direction, departs_at, ride) INCLUDE (leaves_by, driver);
        \(PeopleErasure.guarding("ride_regions", columns: ["driver"]))

        CREATE FUNCTION rides_keep_regions() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            DELETE FROM ride_regions WHERE ride = NEW.id;
            IF NEW.listed THEN
                INSERT INTO ride_regions (ride, region, direction, departs_at, leaves_by, driver, campus)
                SELECT DISTINCT NEW.id, stop.region, way.direction, NEW.departs_at, NEW.leaves_by, NEW.driver, NEW.campus
                FROM unnest(NEW.stop_regions) WITH ORDINALITY AS stop (region, number)
                CROSS JOIN (VALUES ('from', 1, cardinality(NEW.stop_regions) - 1), ('to', 2, cardinality(NEW.stop_regions)))
                    AS way (direction, first, last)
                WHERE stop.region IS NOT NULL AND stop.number BETWEEN way.first AND way.last;
            END IF;
            RETURN NULL;
        END $$;
        CREATE TRIGGER rides_begin_regions AFTER INSERT ON rides FOR EACH ROW EXECUTE FUNCTION rides_keep_regions();
        CREATE TRIGGER rides_keep_regions AFTER UPDATE ON rides
            FOR EACH ROW WHEN (
                (OLD.listed, OLD.stop_regions, OLD.departs_at, OLD.leaves_by, OLD.driver, OLD.campus)
                IS DISTINCT FROM (NEW.listed, NEW.stop_regions, NEW.departs_at, NEW.leaves_by, NEW.driver, NEW.campus))
            EXECUTE FUNCTION rides_keep_regions();
        """
}
