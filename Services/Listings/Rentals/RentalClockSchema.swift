// By which clock things are let, and their periods were made.

extension ListingsSchema {
    /// The constraint that a thing's time zone stays while it is in use.
    static let keptZone = "things_zone_kept"

    /// Moments are what is compared, and the zone says what was meant by the words beside them: of an agreement's period it is the agreement's own, of
    /// blocked dates the thing's, which cannot have another one while somebody has or asked for it, or its owner has blocked dates that are not over.
    /// Nothing was stored by the wall alone, so no moment is computed here. `things_clocks` tells the search for free days by which clocks to read them.
    static let zones = """
        ALTER TABLE occupied ADD COLUMN zone text;
        UPDATE occupied SET zone = coalesce((SELECT rentals.zone FROM rentals WHERE rentals.id = occupied.rental), things.zone)
        FROM things WHERE things.id = occupied.thing;
        ALTER TABLE occupied ALTER COLUMN zone SET NOT NULL;
        CREATE INDEX things_clocks ON things (kind, zone);

        CREATE FUNCTION occupied_take_zone() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            SELECT zone INTO NEW.zone FROM things WHERE id = NEW.thing FOR SHARE;
            RETURN NEW;
        END $$;
        CREATE TRIGGER occupied_take_zone BEFORE INSERT ON occupied
            FOR EACH ROW WHEN (NEW.zone IS NULL) EXECUTE FUNCTION occupied_take_zone();

        CREATE OR REPLACE FUNCTION rentals_occupy() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF NEW.holds AND (TG_OP = 'INSERT' OR NOT OLD.holds) THEN
                INSERT INTO occupied (id, thing, rental, starts, until, period, zone)
                VALUES (NEW.id, NEW.thing, NEW.id, NEW.starts, NEW.until, tstzrange(NEW.starts_at, NEW.ends_at), NEW.zone);
            ELSIF TG_OP = 'UPDATE' AND OLD.holds AND NOT NEW.holds THEN
                DELETE FROM occupied WHERE rental = NEW.id;
            END IF;
            RETURN NULL;
        END $$;

        CREATE FUNCTION rentals_keep_zone() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE own text;
        BEGIN
            SELECT zone INTO own FROM things WHERE id = NEW.thing FOR SHARE;
            IF own <> NEW.zone THEN
                RAISE EXCEPTION 'the thing has another time zone'
                    USING ERRCODE = 'check_violation', CONSTRAINT = '\(keptZone)';
            END IF;
            RETURN NEW;
        END $$;
        CREATE TRIGGER rentals_keep_zone BEFORE INSERT ON rentals
            FOR EACH ROW WHEN (NEW.state IN ('requested', 'accepted', 'handedOver', 'disputed')) EXECUTE FUNCTION rentals_keep_zone();

        CREATE FUNCTION things_keep_zone() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF EXISTS (SELECT FROM rentals WHERE thing = NEW.id AND state IN ('requested', 'accepted', 'handedOver', 'disputed'))
                OR EXISTS (SELECT FROM occupied WHERE thing = NEW.id AND period && tstzrange(now(), NULL)) THEN
                RAISE EXCEPTION 'somebody has or asked for it, or dates are blocked'
                    USING ERRCODE = 'check_violation', CONSTRAINT = '\(keptZone)';
            END IF;
            RETURN NEW;
        END $$;
        CREATE TRIGGER things_keep_zone BEFORE UPDATE OF zone ON things
            FOR EACH ROW WHEN (OLD.zone <> NEW.zone) EXECUTE FUNCTION things_keep_zone();
        """
}
