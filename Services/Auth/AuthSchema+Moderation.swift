extension AuthSchema {
    static let suspensions = """
        -- From when, until when and why somebody may not take part. For good is infinity; it is over when its time is.
        ALTER TABLE accounts
            ADD COLUMN suspended_at timestamptz,
            ADD COLUMN suspended_until timestamptz CHECK (suspended_until > suspended_at),
            ADD COLUMN suspension_reason text,
            ADD CONSTRAINT accounts_suspension_whole CHECK (num_nulls(suspended_at, suspended_until, suspension_reason) IN (0, 3));
        CREATE INDEX accounts_suspended ON accounts (id) WHERE suspended_until IS NOT NULL;
        -- In which a person is to be written to.
        ALTER TABLE sessions ADD COLUMN language text;
        CREATE INDEX sessions_language ON sessions (person, last_used_at) WHERE language IS NOT NULL;

        -- What people are told of what moderators did, until they have read it.
        CREATE TABLE notices (
            id uuid PRIMARY KEY,
            person uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
            kind text NOT NULL,
            title text,
            text text,
            until timestamptz,
            at timestamptz NOT NULL,
            read_at timestamptz
        );
        CREATE INDEX notices_of_person ON notices (person);
        CREATE INDEX notices_unread ON notices (person, at, id) WHERE read_at IS NULL;
        """

    static let moderation = """
        -- What is reported of one subject until it is decided. Whose it is may go, and takes it along.
        CREATE TABLE cases (
            id uuid PRIMARY KEY,
            kind text NOT NULL,
            subject uuid NOT NULL,
            person uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
            title text NOT NULL,
            reports int NOT NULL CHECK (reports > 0),
            opened_at timestamptz NOT NULL,
            reported_at timestamptz NOT NULL,
            version int NOT NULL DEFAULT 0 CHECK (version >= 0),
            decision text,
            decided_by uuid,
            decided_at timestamptz,
            CHECK (num_nulls(decision, decided_by, decided_at) IN (0, 3)),
            CHECK ((decision IS NULL) = (version = 0))
        );
        -- Several reports of one subject are one case.
        CREATE UNIQUE INDEX cases_open_of_subject ON cases (kind, subject) WHERE decided_at IS NULL;
        CREATE INDEX cases_open ON cases (opened_at, id) WHERE decided_at IS NULL;
        CREATE INDEX cases_decided ON cases (decided_at, id) WHERE decided_at IS NOT NULL;
        CREATE INDEX cases_of_person ON cases (person);

        CREATE TABLE reports (
            id uuid PRIMARY KEY,
            case_id uuid NOT NULL REFERENCES cases ON DELETE CASCADE,
            -- Nobody where they have no account any more.
            reporter uuid REFERENCES accounts ON DELETE SET NULL,
            reason text NOT NULL,
            text text,
            reported_at timestamptz NOT NULL,
            -- The subject as it was then: what is reported may be changed afterwards.
            owner uuid NOT NULL,
            title text NOT NULL,
            said text,
            photo text,
            rating int,
            CONSTRAINT reports_once UNIQUE (case_id, reporter)
        );
        CREATE INDEX reports_of_reporter ON reports (reporter, reported_at);
        CREATE INDEX reports_of_case ON reports (case_id, reported_at, id);

        -- What moderators have hidden, whichever service has it.
        CREATE TABLE hidden_subjects (
            kind text NOT NULL,
            subject uuid NOT NULL,
            hidden_at timestamptz NOT NULL,
            reason text NOT NULL,
            PRIMARY KEY (kind, subject)
        );
        ALTER TABLE reviews
            ADD COLUMN hidden_at timestamptz,
            ADD COLUMN hidden_reason text,
            ADD CONSTRAINT reviews_hidden_whole CHECK ((hidden_at IS NULL) = (hidden_reason IS NULL));
        DROP INDEX reviews_published;
        CREATE INDEX reviews_published ON reviews (about, published_at, id) INCLUDE (author)
            WHERE published_at IS NOT NULL AND hidden_at IS NULL;

        CREATE INDEX accounts_with_roles ON accounts (joined_at, id) WHERE roles <> '{}';

        -- Who did what, when, to whom and why. People are ids, without references: it outlives accounts, and names nobody who is gone.
        CREATE TABLE audit_log (
            id uuid PRIMARY KEY,
            at timestamptz NOT NULL,
            -- Nobody: the operator.
            actor uuid,
            act text NOT NULL,
            person uuid NOT NULL,
            kind text,
            subject uuid,
            case_id uuid,
            reason text,
            before jsonb NOT NULL,
            after jsonb NOT NULL,
            CHECK ((kind IS NULL) = (subject IS NULL))
        );
        CREATE INDEX audit_log_in_time ON audit_log (at, id);
        CREATE INDEX audit_log_of_person ON audit_log (person, at, id);

        -- Lines are added, and that is all: not even the service that owns the table changes or removes one.
        CREATE FUNCTION refuse_changes_of_the_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
        END $$;
        CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_changes_of_the_audit_log();
        """
}
