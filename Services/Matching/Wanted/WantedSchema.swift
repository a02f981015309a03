import People

// The tables of standing searches, in the schema `matching`.

extension MatchingSchema {
    /// `wanted` has what people look for. `service` reads and judges `query`; `keys` are those of the anchor by which it is listed. `due_at` is when it ends, and once it
    /// has ended, when it is forgotten. What was there already is known once it `is_settled`. `wanted_keys` has the keys of those that are live, by a trigger: no statement can
    /// let the two drift apart.
    ///
    /// `looks` is the queue of what can be found anew, says something else, or is gone. `after` is the last candidate that was judged, `due_at` when it is
    /// looked at, `tries` how often its service did not answer. `searchables` has what can be found, or could lately.
    ///
    /// `finds` has what each search finds; what is not new was there when it began. `hits` has one row for each person and thing, however many of their searches find it: whether
    /// they were told, and by which search; `told_at` where they were told of it by itself. `tell_at` is infinity where it is not known yet.
    static let wanted = """
        CREATE TABLE wanted (
            id uuid PRIMARY KEY,
            person uuid NOT NULL,
            service text NOT NULL,
            query jsonb NOT NULL CHECK (jsonb_typeof(query) = 'object' AND octet_length(query::text) <= 16384),
            keys text[] NOT NULL CHECK (cardinality(keys) > 0),
            state text NOT NULL CHECK (state IN ('live', 'paused', 'ended')),
            created_at timestamptz NOT NULL,
            changed_at timestamptz NOT NULL,
            expires_at timestamptz NOT NULL,
            due_at timestamptz NOT NULL,
            remind_at timestamptz,
            is_settled boolean NOT NULL,
            found integer NOT NULL DEFAULT 0 CHECK (found >= 0),
            last_found_at timestamptz,
            last_told_at timestamptz,
            digest_at timestamptz,
            digested_at timestamptz,
            CHECK (state = 'ended' OR due_at = expires_at),
            CHECK (state <> 'ended' OR num_nonnulls(remind_at, digest_at) = 0)
        );
        CREATE INDEX wanted_of_person ON wanted (person, id);
        CREATE INDEX wanted_due ON wanted (due_at);
        CREATE INDEX wanted_remind ON wanted (remind_at) WHERE remind_at IS NOT NULL;
        CREATE INDEX wanted_digest ON wanted (digest_at) WHERE digest_at IS NOT NULL;
        CREATE INDEX wanted_unsettled ON wanted (id) WHERE NOT is_settled AND state = 'live';
        \(PeopleErasure.guarding("wanted", columns: ["person"]))

        CREATE TABLE wanted_keys (
            key text NOT NULL,
            wanted uuid NOT NULL REFERENCES wanted ON DELETE CASCADE,
            PRIMARY KEY (key, wanted)
        );
        CREATE INDEX wanted_keys_of ON wanted_keys (wanted);

        CREATE FUNCTION wanted_list() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'UPDATE' THEN
                DELETE FROM wanted_keys WHERE wanted_keys.wanted = NEW.id;
            END IF;
            IF NEW.state = 'live' THEN
                INSERT INTO wanted_keys (key, wanted) SELECT DISTINCT one, NEW.id FROM unnest(NEW.keys) AS one;
            END IF;
            RETURN NULL;
        END $$;
        CREATE TRIGGER wanted_list AFTER INSERT ON wanted
            FOR EACH ROW WHEN (NEW.state = 'live') EXECUTE FUNCTION wanted_list();
        CREATE TRIGGER wanted_relist AFTER UPDATE ON wanted
            FOR EACH ROW WHEN ((OLD.state, OLD.keys) IS DISTINCT FROM (NEW.state, NEW.keys))
            EXECUTE FUNCTION wanted_list();

        CREATE TABLE looks (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            kind text NOT NULL,
            subject uuid NOT NULL,
            at timestamptz NOT NULL,
            after uuid,
            due_at timestamptz NOT NULL,
            tries integer NOT NULL DEFAULT 0 CHECK (tries >= 0)
        ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
        CREATE INDEX looks_at_subject ON looks (kind, subject, id);
        CREATE INDEX looks_due ON looks (due_at, id);

        CREATE TABLE searchables (
            kind text NOT NULL,
            subject uuid NOT NULL,
            owner uuid NOT NULL,
            title text NOT NULL,
            thing text,
            keys text[] NOT NULL,
            globe cube,
            is_for_one boolean NOT NULL,
            appeared_at timestamptz NOT NULL,
            changed_at timestamptz NOT NULL,
            is_there boolean NOT NULL,
            gone_at timestamptz,
            PRIMARY KEY (kind, subject)
        );
        CREATE INDEX searchables_by_key ON searchables USING gin (keys);
        CREATE INDEX searchables_of_owner ON searchables (owner);
        CREATE INDEX searchables_lately ON searchables (appeared_at);
        CREATE INDEX searchables_gone ON searchables (gone_at) WHERE gone_at IS NOT NULL;

        CREATE FUNCTION searchables_leave_out_the_erased() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            -- Their service has not done its part yet: nobody is refused for that.
            IF EXISTS (SELECT FROM people_erased WHERE id = NEW.owner) THEN RETURN NULL; END IF;
            RETURN NEW;
        END $$;
        CREATE TRIGGER searchables_leave_out_the_erased BEFORE INSERT OR UPDATE OF owner ON searchables
            FOR EACH ROW EXECUTE FUNCTION searchables_leave_out_the_erased();

        CREATE TABLE finds (
            wanted uuid NOT NULL REFERENCES wanted ON DELETE CASCADE,
            kind text NOT NULL,
            subject uuid NOT NULL,
            found_at timestamptz NOT NULL,
            is_new boolean NOT NULL,
            PRIMARY KEY (wanted, kind, subject)
        );
        CREATE INDEX finds_of_subject ON finds (kind, subject, wanted);
        CREATE INDEX finds_in_order ON finds (wanted, found_at DESC, subject DESC);

        CREATE TABLE hits (
            kind text NOT NULL,
            subject uuid NOT NULL,
            person uuid NOT NULL,
            wanted uuid REFERENCES wanted ON DELETE SET NULL,
            state text NOT NULL CHECK (state IN ('waiting', 'late', 'told', 'gone')),
            found_at timestamptz NOT NULL,
            tell_at timestamptz NOT NULL,
            told_at timestamptz,
            PRIMARY KEY (kind, subject, person),
            CHECK (told_at IS NULL OR state IN ('told', 'gone'))
        );
        CREATE INDEX hits_due ON hits (tell_at) WHERE state = 'waiting';
        CREATE INDEX hits_of_person ON hits (person, told_at);
        CREATE INDEX hits_of_wanted ON hits (wanted, told_at);
        \(PeopleErasure.guarding("hits", columns: ["person"]))
        """
}
