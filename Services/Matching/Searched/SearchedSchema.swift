// What standing searches for deliverers need, in the schema `matching`.

extension MatchingSchema {
    /// Whoever can be found, says something else, or can be found no more is looked at (`looks`). Triggers say so, in the transaction that does it: so do
    /// those that count hands, and those that move people to another campus. What is due at `-infinity` is looked at at once.
    static let searched = """
        CREATE FUNCTION availabilities_look() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO looks (kind, subject, at, due_at) VALUES ('availability', NEW.id, now(), '-infinity');
            RETURN NULL;
        END $$;
        CREATE TRIGGER availabilities_begin_look AFTER INSERT ON availabilities
            FOR EACH ROW WHEN (NEW.state = 'available' AND NEW.taken < NEW.capacity AND NEW.is_listed)
            EXECUTE FUNCTION availabilities_look();
        CREATE TRIGGER availabilities_look AFTER UPDATE ON availabilities
            FOR EACH ROW WHEN (
                (OLD.state = 'available' AND OLD.taken < OLD.capacity AND OLD.is_listed)
                    <> (NEW.state = 'available' AND NEW.taken < NEW.capacity AND NEW.is_listed)
                OR NEW.state = 'available' AND NEW.taken < NEW.capacity AND NEW.is_listed
                    AND (OLD.restaurant, OLD.restaurant_name, OLD.restaurant_latitude, OLD.restaurant_longitude,
                        OLD.drop_place, OLD.drop_latitude, OLD.drop_longitude, OLD.detour, OLD.until, OLD.campus,
                        OLD.capacity - OLD.taken = 1)
                    IS DISTINCT FROM (NEW.restaurant, NEW.restaurant_name, NEW.restaurant_latitude, NEW.restaurant_longitude,
                        NEW.drop_place, NEW.drop_latitude, NEW.drop_longitude, NEW.detour, NEW.until, NEW.campus,
                        NEW.capacity - NEW.taken = 1))
            EXECUTE FUNCTION availabilities_look();
        """
}
