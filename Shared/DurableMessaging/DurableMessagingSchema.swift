package import Postgres

/// The tables that every stateful service has beside its own, in its schema.
package enum DurableMessagingSchema {
    /// Their numbering is apart from the service's.
    package static let component = "durable_messaging"

    package static let migrations = [
        Migration(
            1, "requests, outbox, offsets, dead letters",
            """
            -- What was answered to a command, so that the same request has one effect and one answer.
            CREATE TABLE requests (
                caller text NOT NULL,
                id uuid NOT NULL,
                digest bytea NOT NULL,
                reply bytea NOT NULL,
                answered_at timestamptz NOT NULL DEFAULT now(),
                PRIMARY KEY (caller, id)
            );
            CREATE INDEX requests_answered_at ON requests USING brin (answered_at);

            -- Events as their transactions left them; the sequencer gives them their position once they are committed.
            CREATE TABLE outbox (
                id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                position bigint UNIQUE,
                header jsonb NOT NULL,
                payload jsonb NOT NULL,
                created_at timestamptz NOT NULL DEFAULT now(),
                numbered_at timestamptz
            ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500,
                    autovacuum_vacuum_cost_delay = 0);
            CREATE INDEX outbox_unnumbered ON outbox (id) WHERE position IS NULL;

            -- One row: the last position given out, the last one no longer kept, and the life that both belong to.
            CREATE TABLE outbox_head (
                one boolean PRIMARY KEY DEFAULT true CHECK (one),
                epoch uuid NOT NULL,
                head bigint NOT NULL DEFAULT 0,
                floor bigint NOT NULL DEFAULT 0,
                CHECK (floor <= head)
            ) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0);
            INSERT INTO outbox_head (epoch) VALUES (gen_random_uuid());

            -- How far this service came with the events of others.
            CREATE TABLE offsets (
                publisher text PRIMARY KEY,
                epoch uuid NOT NULL,
                position bigint NOT NULL,
                updated_at timestamptz NOT NULL DEFAULT now()
            ) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0);

            -- Events that could not be handled, and the later ones of the same things; id is the order they came in.
            CREATE TABLE dead_letters (
                id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                publisher text NOT NULL,
                epoch uuid NOT NULL,
                position bigint NOT NULL,
                aggregate text NOT NULL,
                header jsonb NOT NULL,
                payload jsonb NOT NULL,
                reason text NOT NULL,
                attempts int NOT NULL,
                set_aside_at timestamptz NOT NULL DEFAULT now(),
                UNIQUE (publisher, epoch, position)
            );
            CREATE INDEX dead_letters_aggregate ON dead_letters (publisher, aggregate, id);
            """),
        Migration(
            2, "attempts at an event",
            """
            -- The event of each publisher that is being tried alone: how often that failed, and how often it was begun and nothing was heard of it.
            CREATE TABLE event_attempts (
                publisher text PRIMARY KEY,
                epoch uuid NOT NULL,
                position bigint NOT NULL,
                failed int NOT NULL,
                unfinished int NOT NULL
            ) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0);
            """),
        Migration(
            3, "refusals",
            """
            -- Commands that were turned down, for as long as a copy of them may still be on its way: what was refused is not done later.
            CREATE TABLE refusals (
                caller text NOT NULL,
                id uuid NOT NULL,
                digest bytea NOT NULL,
                refusal bytea NOT NULL,
                until timestamptz NOT NULL,
                PRIMARY KEY (caller, id, digest)
            );
            CREATE INDEX refusals_until ON refusals (until);
            """),
        Migration(
            4, "requests in the order of their answers",
            """
            -- A BRIN index told the plans nothing of an order, and house-keeping read the whole table to find that nothing was past.
            DROP INDEX requests_answered_at;
            CREATE INDEX requests_answered_at ON requests (answered_at);
            """),
    ]
}
