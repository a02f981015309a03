import People
import WireProtocol

// The table of orders with those to whom they were offered, in the schema `matching`.

extension MatchingSchema {
    /// An order has one match at most that is open or came to something. Nobody is asked twice for one, unless the first offer was withdrawn. A trigger counts the hands of the deliverer: upwards only while they are there. `code` is sealed. `talk_until` is until when the two of
    /// what is over may write to each other about it; gone when that was told.
    static let matches = """
        CREATE TABLE matches (
            id uuid PRIMARY KEY,
            "order" uuid NOT NULL REFERENCES orders,
            availability uuid NOT NULL REFERENCES availabilities,
            orderer uuid NOT NULL,
            deliverer uuid NOT NULL CHECK (deliverer <> orderer),
            \(place("restaurant", id: "restaurant"))
            items text NOT NULL,
            \(place("drop", id: "drop_place"))
            \(place("goes", id: "goes_place"))
            fee bigint CHECK (fee > 0),
            spend_limit bigint CHECK (spend_limit >= 0),
            currency text,
            paid_by text NOT NULL CHECK (paid_by IN ('cash', 'credits')),
            is_prepaid boolean NOT NULL,
            detour integer NOT NULL CHECK (detour >= 0),
            detour_seconds integer CHECK (detour_seconds >= 0),
            walk integer NOT NULL CHECK (walk >= 0),
            is_turn boolean NOT NULL,
            chances uuid[] NOT NULL,
            code bytea NOT NULL,
            offered_at timestamptz NOT NULL,
            expires_at timestamptz NOT NULL CHECK (expires_at > offered_at),
            accepted_at timestamptz,
            expected_at timestamptz,
            picked_up_at timestamptz,
            spent bigint CHECK (spent >= 0),
            receipt text,
            tip bigint CHECK (tip > 0),
            share smallint NOT NULL CHECK (share BETWEEN 0 AND 100),
            is_shared boolean NOT NULL CHECK (NOT is_shared OR state = 'pickedUp'),
            is_undone boolean NOT NULL,
            wrong_codes integer NOT NULL DEFAULT 0 CHECK (wrong_codes >= 0),
            state text NOT NULL CHECK (state IN ('offered', 'declined', 'expired', 'withdrawn', 'accepted', 'pickedUp', 'delivered',
                'received', 'completed', 'cancelled', 'givenUp', 'lapsed', 'noShow', 'disputed', 'settled')),
            changed_at timestamptz NOT NULL,
            changed_by uuid,
            reason text,
            statements jsonb NOT NULL,
            due_at timestamptz,
            remind_at timestamptz,
            talk_until timestamptz,
            fills_hand boolean NOT NULL GENERATED ALWAYS AS
                (state = 'offered' OR (state IN ('accepted', 'pickedUp') AND NOT is_undone)) STORED,
            CONSTRAINT matches_within_limit CHECK (spent <= spend_limit),
            CHECK ((spend_limit IS NULL) = is_prepaid),
            CHECK ((num_nonnulls(fee, spend_limit, spent, tip) > 0) = (currency IS NOT NULL)),
            CHECK ((accepted_at IS NULL) = (state IN ('offered', 'declined', 'expired', 'withdrawn'))),
            CHECK (picked_up_at IS NOT NULL
                OR state NOT IN ('pickedUp', 'delivered', 'received', 'completed', 'noShow', 'disputed', 'settled'))
        );
        CREATE UNIQUE INDEX matches_one ON matches ("order") WHERE state IN ('offered', 'accepted', 'pickedUp', 'delivered',
            'received', 'completed', 'noShow', 'disputed', 'settled');
        CREATE UNIQUE INDEX matches_once ON matches ("order", deliverer)
            WHERE state <> 'withdrawn' AND deliverer <> '\(PersonID.nobody)';
        \(PeopleErasure.guarding("matches", columns: ["orderer", "deliverer"]))

        CREATE FUNCTION matches_fill_hands() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP <> 'INSERT' AND OLD.fills_hand THEN
                UPDATE availabilities SET taken = taken - 1 WHERE id = OLD.availability;
            END IF;
            IF TG_OP <> 'DELETE' AND NEW.fills_hand THEN
                UPDATE availabilities SET taken = taken + 1 WHERE id = NEW.availability AND state = 'available';
                IF NOT FOUND THEN
                    RAISE EXCEPTION 'nobody is there'
                        USING ERRCODE = 'check_violation', CONSTRAINT = 'matches_to_available';
                END IF;
            END IF;
            RETURN NULL;
        END $$;
        CREATE TRIGGER matches_fill_on AFTER INSERT ON matches
            FOR EACH ROW WHEN (NEW.fills_hand) EXECUTE FUNCTION matches_fill_hands();
        CREATE TRIGGER matches_fill AFTER UPDATE ON matches
            FOR EACH ROW WHEN (OLD.fills_hand IS DISTINCT FROM NEW.fills_hand) EXECUTE FUNCTION matches_fill_hands();
        CREATE TRIGGER matches_fill_off AFTER DELETE ON matches
            FOR EACH ROW WHEN (OLD.fills_hand) EXECUTE FUNCTION matches_fill_hands();
        """
}
