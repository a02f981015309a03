import People

// The table of what people offer to bring along, in the schema `matching`.

extension MatchingSchema {
    /// `taken` counts the matches that fill a hand, by a trigger of theirs: no statement can give somebody more than they can carry, and none can let
    /// the count drift. Everybody offers one thing at a time. `area` and `globe` say where the restaurant is, `due_at` what time does next. `on_grid` is what
    /// `Position.onGrid` is.
    static let availabilities = """
        CREATE EXTENSION IF NOT EXISTS cube SCHEMA public;
        CREATE EXTENSION IF NOT EXISTS earthdistance SCHEMA public;
        CREATE FUNCTION on_grid(degrees float8, farthest float8) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT
        RETURN round((least(floor(degrees / 0.005), farthest / 0.005 - 1) * 0.005 + 0.0025) * 10000) / 10000;

        CREATE TABLE availabilities (
            id uuid PRIMARY KEY,
            person uuid NOT NULL,
            began_at timestamptz NOT NULL,
            state text NOT NULL CHECK (state IN ('available', 'paused', 'ended')),
            \(place("restaurant", id: "restaurant", required: true))
            \(place("drop", id: "drop_place"))
            trip_metres integer CHECK (trip_metres >= 0),
            trip_along_streets boolean,
            capacity smallint NOT NULL CHECK (capacity BETWEEN 1 AND 4),
            taken smallint NOT NULL DEFAULT 0,
            detour integer NOT NULL CHECK (detour >= 0),
            until timestamptz NOT NULL,
            least_fee bigint CHECK (least_fee > 0),
            currency text,
            is_listed boolean NOT NULL,
            unanswered smallint NOT NULL CHECK (unanswered >= 0),
            changed_at timestamptz NOT NULL,
            area bigint NOT NULL,
            globe cube NOT NULL,
            campus text,
            due_at timestamptz,
            remind_at timestamptz,
            CONSTRAINT availabilities_room CHECK (taken BETWEEN 0 AND capacity),
            CHECK ((trip_metres IS NULL) = (trip_along_streets IS NULL)),
            CHECK ((least_fee IS NULL) = (currency IS NULL)),
            CHECK ((due_at IS NULL) = (state = 'ended'))
        );
        CREATE UNIQUE INDEX availabilities_one ON availabilities (person) WHERE state <> 'ended';
        \(PeopleErasure.guarding("availabilities", columns: ["person"]))
        \(campus(of: "availabilities", "person", where: "state <> 'ended'"))
        """
}
