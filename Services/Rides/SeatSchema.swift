import People
import WireProtocol

// The table of requests for seats, in the schema `rides`.

extension RidesSchema {
    /// A trigger makes the ride's load and detour of the accepted ones. It locks the ride first, so that each sum sees those before it.
    ///
    /// `boards_at` and `leaves_at` move with the ride. `answer_due` is by what lists of those that wait are ordered, `talk_until` until when the
    /// two of what is over may write to each other about it; gone when that was told.
    static let seats = """
        CREATE TABLE seat_requests (
            id uuid PRIMARY KEY,
            ride uuid NOT NULL REFERENCES rides,
            driver uuid NOT NULL,
            rider uuid NOT NULL CHECK (rider <> driver),
            seats smallint NOT NULL CHECK (seats BETWEEN 1 AND 8),
            riders text[] NOT NULL,
            board_at integer NOT NULL CHECK (board_at >= 0),
            board_stop smallint,
            board_own jsonb,
            leave_at integer NOT NULL,
            leave_stop smallint,
            leave_own jsonb,
            detour integer NOT NULL CHECK (detour >= 0),
            boards_at timestamptz NOT NULL,
            leaves_at timestamptz NOT NULL,
            cost bigint NOT NULL CHECK (cost >= 0),
            currency text,
            message text,
            asked_at timestamptz NOT NULL,
            answer_within integer NOT NULL CHECK (answer_within > 0),
            answer_by timestamptz,
            confirm_by timestamptz,
            confirmed boolean NOT NULL,
            approved boolean NOT NULL,
            state text NOT NULL CHECK (state IN ('pending', 'waiting', 'accepted', 'rejected', 'withdrawn', 'expired', 'left',
                'removed', 'rode', 'noShow', 'disputed', 'settled')),
            changed_at timestamptz NOT NULL,
            changed_by uuid,
            reason text,
            due_at timestamptz,
            remind_at timestamptz,
            talk_until timestamptz,
            answer_due timestamptz NOT NULL GENERATED ALWAYS AS (coalesce(answer_by, boards_at)) STORED,
            CHECK (board_at < leave_at),
            CHECK (num_nonnulls(board_stop, board_own) = 1 AND num_nonnulls(leave_stop, leave_own) = 1),
            CHECK (boards_at <= leaves_at),
            CHECK (state <> 'pending' OR answer_by IS NOT NULL),
            CHECK ((cost > 0) = (currency IS NOT NULL))
        );
        CREATE UNIQUE INDEX requests_one_each ON seat_requests (ride, rider) WHERE state IN ('pending', 'waiting', 'accepted') AND rider <> '\(PersonID.nobody)';
        CREATE INDEX requests_running ON seat_requests (ride, rider) WHERE state IN ('pending', 'waiting', 'accepted', 'disputed');
        CREATE INDEX requests_riding ON seat_requests (ride) INCLUDE (board_at, leave_at, seats, detour) WHERE state = 'accepted';
        CREATE INDEX requests_on_list ON seat_requests (ride, asked_at, id) WHERE state = 'waiting';
        CREATE INDEX requests_of_ride ON seat_requests (ride, id) INCLUDE (rider);
        CREATE INDEX requests_of_driver ON seat_requests (driver, id);
        CREATE INDEX requests_of_driver_by_state ON seat_requests (driver, state, id);
        CREATE INDEX requests_of_rider ON seat_requests (rider, id);
        CREATE INDEX requests_of_rider_by_state ON seat_requests (rider, state, id);
        CREATE INDEX requests_to_answer ON seat_requests (driver, answer_due, id) WHERE state IN ('pending', 'waiting');
        CREATE INDEX requests_unanswered ON seat_requests (rider, answer_due, id) WHERE state IN ('pending', 'waiting');
        CREATE INDEX requests_ahead ON seat_requests (rider, boards_at, id) WHERE state = 'accepted';
        CREATE INDEX requests_past ON seat_requests (rider, boards_at, id)
            WHERE state IN ('rode', 'noShow', 'disputed', 'settled', 'left', 'removed');
        CREATE INDEX requests_disputed ON seat_requests (id) WHERE state = 'disputed';
        CREATE INDEX requests_settled ON seat_requests (changed_by) WHERE state = 'settled';
        CREATE INDEX requests_due ON seat_requests (due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX requests_to_remind ON seat_requests (remind_at) WHERE remind_at IS NOT NULL;
        CREATE INDEX requests_talk_ends ON seat_requests (talk_until) WHERE talk_until IS NOT NULL;
        CREATE INDEX requests_talking ON seat_requests (ride, rider) WHERE talk_until IS NOT NULL;
        \(PeopleErasure.guarding("seat_requests", columns: ["driver", "rider"]))

        CREATE FUNCTION nearest_stop(uuid, integer) RETURNS smallint LANGUAGE sql STABLE
        BEGIN ATOMIC
            SELECT (stop.number - 1)::smallint FROM rides, unnest(rides.stop_at) WITH ORDINALITY AS stop (at, number)
            WHERE rides.id = $1 ORDER BY abs(stop.at - $2), stop.number LIMIT 1;
        END;

        CREATE FUNCTION without_door(own jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT
        RETURN jsonb_build_object('name', own->'name', 'position', jsonb_build_object(
            'latitude', on_grid((own->'position'->>'latitude')::float8, 90),
            'longitude', on_grid((own->'position'->>'longitude')::float8, 180)));

        CREATE FUNCTION rides_reload() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
            subject uuid := CASE TG_OP WHEN 'DELETE' THEN OLD.ride ELSE NEW.ride END;
            points integer[];
            counts smallint[];
            metres integer;
        BEGIN
            PERFORM 1 FROM rides WHERE id = subject FOR NO KEY UPDATE;
            SELECT coalesce(array_agg(point.at ORDER BY point.at), '{}'),
                coalesce(array_agg((
                    SELECT coalesce(sum(riding.seats), 0) FROM seat_requests AS riding
                    WHERE riding.ride = subject AND riding.state = 'accepted'
                        AND riding.board_at <= point.at AND point.at < riding.leave_at)::smallint ORDER BY point.at), '{}')
            INTO points, counts
            FROM (
                SELECT board_at AS at FROM seat_requests WHERE ride = subject AND state = 'accepted'
                UNION SELECT leave_at FROM seat_requests WHERE ride = subject AND state = 'accepted') AS point;
            SELECT coalesce(sum(detour), 0) INTO metres FROM seat_requests WHERE ride = subject AND state = 'accepted';
            UPDATE rides SET marks = points, load = counts, detour_used = metres WHERE id = subject;
            RETURN NULL;
        END $$;
        CREATE TRIGGER requests_ride_on AFTER INSERT ON seat_requests
            FOR EACH ROW WHEN (NEW.state = 'accepted') EXECUTE FUNCTION rides_reload();
        CREATE TRIGGER requests_ride AFTER UPDATE OF state, seats, board_at, leave_at, detour ON seat_requests
            FOR EACH ROW WHEN ((OLD.state = 'accepted' OR NEW.state = 'accepted') AND
                (OLD.state, OLD.seats, OLD.board_at, OLD.leave_at, OLD.detour)
                IS DISTINCT FROM (NEW.state, NEW.seats, NEW.board_at, NEW.leave_at, NEW.detour))
            EXECUTE FUNCTION rides_reload();
        CREATE TRIGGER requests_ride_off AFTER DELETE ON seat_requests
            FOR EACH ROW WHEN (OLD.state = 'accepted') EXECUTE FUNCTION rides_reload();
        """
}
