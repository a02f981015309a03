import Postgres

/// The schema `auth`. Migrations are appended, never changed.
enum AuthSchema {
    /// Of these the service adds rows, and changes or removes none.
    static let appendOnly = ["audit_log"]

    static let migrations: [Migration] = [
        Migration(
            1, "accounts and sessions",
            """
            -- One row. Which secrets file this database belongs to, and what one password hash costs: with other secrets or
            -- another cost no password would fit any more.
            CREATE TABLE keystone (
                is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
                fingerprint bytea NOT NULL,
                argon2_operations int NOT NULL,
                argon2_memory bigint NOT NULL
            );

            CREATE TABLE accounts (
                id uuid PRIMARY KEY,
                email text NOT NULL,
                -- Keyed digest and Argon2id hash: accounts are found by both together, never by an address alone.
                email_digest bytea NOT NULL,
                password_hash bytea NOT NULL,
                name text NOT NULL,
                username text,
                region text,
                photo text,
                roles text[] NOT NULL DEFAULT '{}',
                version int NOT NULL DEFAULT 1,
                joined_at timestamptz NOT NULL,
                CONSTRAINT accounts_credentials UNIQUE (email_digest, password_hash),
                CONSTRAINT accounts_username UNIQUE (username)
            );

            CREATE TABLE sessions (
                id uuid PRIMARY KEY,
                person uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
                device text,
                seed bytea NOT NULL,
                generation int NOT NULL,
                -- SHA-256 of the one unspent refresh token.
                token_digest bytea NOT NULL,
                started_at timestamptz NOT NULL,
                last_used_at timestamptz NOT NULL,
                expires_at timestamptz NOT NULL,
                access_until timestamptz NOT NULL,
                ended_at timestamptz
            ) WITH (fillfactor = 80);
            CREATE INDEX sessions_of_person ON sessions (person, last_used_at) WHERE ended_at IS NULL;
            CREATE INDEX sessions_ended ON sessions (access_until) WHERE ended_at IS NOT NULL;
            CREATE INDEX sessions_expiry ON sessions (expires_at);

            -- One row for each attempt and counter, so that a repeated request counts once. Keys are keyed digests.
            CREATE TABLE attempts (
                key bytea NOT NULL,
                attempt uuid NOT NULL,
                at timestamptz NOT NULL,
                PRIMARY KEY (key, attempt)
            );
            CREATE INDEX attempts_of_one ON attempts (attempt);
            CREATE INDEX attempts_age ON attempts (at);

            -- From where someone has signed in, as a keyed digest of both addresses.
            CREATE TABLE known_addresses (
                key bytea PRIMARY KEY,
                until timestamptz NOT NULL
            );
            CREATE INDEX known_addresses_age ON known_addresses (until);

            CREATE TABLE signing_keys (
                id uuid PRIMARY KEY,
                public_key bytea NOT NULL,
                -- The private key, encrypted with what the secrets file holds.
                sealed bytea NOT NULL,
                signs_from timestamptz NOT NULL
            );
            """),
        Migration(
            2, "attempts in their order",
            """
            -- Attempts rank by their arrival; clocks of replicas differ, and two may read the same time.
            ALTER TABLE attempts ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY;
            """),
        Migration(
            3, "what people say of themselves",
            """
            ALTER TABLE accounts
                -- Encrypted with a key that is not in the database.
                ADD COLUMN phone bytea,
                ADD COLUMN bio text,
                ADD COLUMN car_make text,
                ADD COLUMN car_model text,
                ADD COLUMN car_year int,
                ADD COLUMN car_color text,
                ADD COLUMN mode text NOT NULL DEFAULT 'ordering' CHECK (mode IN ('ordering', 'delivering'));
            """),
        Migration(4, "password resets, outgoing mails", recovery),
        Migration(5, "friendships", friendships),
        Migration(6, "campuses", campuses),
        Migration(7, "reviews", reviews),
        Migration(8, "blocks", blocks),
        Migration(
            9, "pages of reviews",
            """
            DROP INDEX reviews_published;
            CREATE INDEX reviews_published ON reviews (about, published_at, id) INCLUDE (author) WHERE published_at IS NOT NULL;
            """),
        Migration(10, "erasures", erasures),
        Migration(11, "archives of own data", exports),
        Migration(12, "identities", identities),
        Migration(13, "reports, cases, audit log", moderation),
        Migration(14, "suspensions, notices", suspensions),
        Migration(15, "what goes with an account is found", found),
        Migration(16, "verified telephone numbers", phones),
        Migration(17, "passkeys", passkeys),
        Migration(18, "one's reports in their order", reportsInOrder),
        Migration(19, "the hosts of passkeys", passkeyHosts),
        Migration(20, "in which language people are written to", languages),
        Migration(21, "addresses of calendars", calendarFeeds),
        Migration(22, "addresses that were shown, proofs in sessions", waysIn),
        Migration(23, "one key for each address", addressKeys),
        // Each start settles the keys where none is noted.
        Migration(24, "one key however a domain is typed", "DELETE FROM address_keys"),
    ]

    private static let recovery = """
        -- Who asked for new passwords: keyed digests of an email address and a network, no address and no token.
        CREATE TABLE password_resets (
            id uuid PRIMARY KEY,
            email_digest bytea NOT NULL,
            network bytea NOT NULL,
            requested_at timestamptz NOT NULL,
            expires_at timestamptz NOT NULL
        );
        CREATE INDEX password_resets_of_address ON password_resets (email_digest, requested_at);
        CREATE INDEX password_resets_of_network ON password_resets (network, requested_at);
        CREATE INDEX password_resets_age ON password_resets (requested_at);

        CREATE TABLE password_reset_uses (
            reset uuid NOT NULL REFERENCES password_resets ON DELETE CASCADE,
            account uuid NOT NULL,
            PRIMARY KEY (reset, account)
        );

        -- Mails that notification has not acknowledged yet: kind and ids only.
        CREATE TABLE outgoing_mails (
            id uuid PRIMARY KEY,
            kind text NOT NULL,
            language text NOT NULL,
            attempts int NOT NULL DEFAULT 0,
            due_at timestamptz NOT NULL,
            expires_at timestamptz NOT NULL
        );
        CREATE INDEX outgoing_mails_due ON outgoing_mails (due_at);
        """

    private static let friendships = """
        -- One row for each two people, whoever asked: the smaller id first, and so nobody with themselves.
        CREATE TABLE friendships (
            low uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
            high uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
            low_asked boolean NOT NULL,
            accepted boolean NOT NULL,
            -- When it was asked; once accepted, when that was.
            since timestamptz NOT NULL,
            PRIMARY KEY (low, high),
            CHECK (low < high)
        );
        -- Each has what lists, counts and mutual friends ask for, so that the table itself is not read.
        CREATE INDEX friendships_of_low ON friendships (low, accepted, since, high) INCLUDE (low_asked);
        CREATE INDEX friendships_of_high ON friendships (high, accepted, since, low) INCLUDE (low_asked);
        """

    private static let campuses = """
        -- Where somebody belongs, by which address (encrypted, and as a keyed digest), since when: all of it or nothing.
        ALTER TABLE accounts
            ADD COLUMN campus text,
            ADD COLUMN campus_address bytea,
            ADD COLUMN campus_digest bytea,
            ADD COLUMN campus_since timestamptz,
            ADD CONSTRAINT accounts_campus_whole CHECK (num_nulls(campus, campus_address, campus_digest, campus_since) IN (0, 4)),
            -- One account for each address.
            ADD CONSTRAINT accounts_campus_address UNIQUE (campus_digest);

        -- Who asked for a code lately, for which address (encrypted). The code itself is nowhere.
        CREATE TABLE campus_verifications (
            id uuid PRIMARY KEY,
            person uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
            address bytea NOT NULL,
            address_digest bytea NOT NULL,
            campus text NOT NULL,
            attempts int NOT NULL DEFAULT 0 CHECK (attempts >= 0),
            requested_at timestamptz NOT NULL,
            expires_at timestamptz NOT NULL CHECK (expires_at > requested_at),
            used_at timestamptz,
            CHECK (used_at IS NULL OR attempts > 0)
        );
        CREATE INDEX campus_verifications_of_person ON campus_verifications (person, requested_at);
        CREATE INDEX campus_verifications_of_address ON campus_verifications (address_digest, requested_at);
        CREATE INDEX campus_verifications_age ON campus_verifications (requested_at);
        """

    private static let reviews = """
        -- What two people have completed together, as other services tell; the smaller id first.
        CREATE TABLE encounters (
            kind text NOT NULL,
            subject uuid NOT NULL,
            low uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
            high uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
            title text NOT NULL,
            completed_at timestamptz NOT NULL,
            PRIMARY KEY (kind, subject, low, high),
            CHECK (low < high)
        );
        CREATE INDEX encounters_of_low ON encounters (low, completed_at, subject);
        CREATE INDEX encounters_of_high ON encounters (high, completed_at, subject);

        -- One for each encounter and direction, and none without an encounter.
        CREATE TABLE reviews (
            id uuid PRIMARY KEY,
            kind text NOT NULL,
            subject uuid NOT NULL,
            author uuid NOT NULL,
            about uuid NOT NULL,
            low uuid NOT NULL GENERATED ALWAYS AS (LEAST(author, about)) STORED,
            high uuid NOT NULL GENERATED ALWAYS AS (GREATEST(author, about)) STORED,
            rating int NOT NULL CHECK (rating BETWEEN 1 AND 5),
            text text NOT NULL CHECK (text <> ''),
            written_at timestamptz NOT NULL,
            -- When it is published whatever the other one does.
            opens_at timestamptz NOT NULL,
            published_at timestamptz,
            reply text CHECK (reply <> ''),
            replied_at timestamptz,
            CONSTRAINT reviews_once UNIQUE (kind, subject, author, about),
            FOREIGN KEY (kind, subject, low, high) REFERENCES encounters ON DELETE CASCADE,
            CHECK ((reply IS NULL) = (replied_at IS NULL)),
            CHECK (reply IS NULL OR published_at IS NOT NULL)
        );
        CREATE INDEX reviews_published ON reviews (about, published_at, id) WHERE published_at IS NOT NULL;
        CREATE INDEX reviews_to_publish ON reviews (opens_at) WHERE published_at IS NULL;

        -- What published reviews come to.
        ALTER TABLE accounts
            ADD COLUMN rating_sum int NOT NULL DEFAULT 0,
            ADD COLUMN rating_count int NOT NULL DEFAULT 0,
            ADD CONSTRAINT accounts_rating CHECK (rating_sum BETWEEN rating_count AND 5 * rating_count);
        """

    private static let blocks = """
        CREATE TABLE blocks (
            blocker uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
            blocked uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
            since timestamptz NOT NULL,
            PRIMARY KEY (blocker, blocked),
            CHECK (blocker <> blocked)
        );
        -- One for each two people, whoever did it; and the order in which services ask for all of them.
        CREATE UNIQUE INDEX blocks_of_pair ON blocks (least(blocker, blocked), greatest(blocker, blocked));
        -- Lists, and from whom somebody is apart, without the table itself.
        CREATE INDEX blocks_of_blocker ON blocks (blocker, since, blocked);
        CREATE INDEX blocks_of_blocked ON blocks (blocked, blocker);

        -- Who is blocked is nobody's friend, nor asked to be. Commands see to it, one after the other for each two people; this is what
        -- the database says to whatever else may write. Once for each statement, since a table may be filled by one.
        CREATE FUNCTION refuse_friendships_of_the_blocked() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF EXISTS (SELECT FROM added JOIN blocks ON blocker = low AND blocked = high)
                OR EXISTS (SELECT FROM added JOIN blocks ON blocker = high AND blocked = low)
            THEN
                RAISE EXCEPTION 'one of them has blocked the other'
                    USING ERRCODE = 'check_violation', CONSTRAINT = 'friendships_not_blocked';
            END IF;
            RETURN NULL;
        END $$;
        CREATE TRIGGER friendships_not_blocked AFTER INSERT ON friendships REFERENCING NEW TABLE AS added
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_friendships_of_the_blocked();

        CREATE FUNCTION refuse_blocks_of_friends() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF EXISTS (
                SELECT FROM added JOIN friendships ON low = least(blocker, blocked) AND high = greatest(blocker, blocked))
            THEN
                RAISE EXCEPTION 'there is something between the two'
                    USING ERRCODE = 'check_violation', CONSTRAINT = 'blocks_not_friends';
            END IF;
            RETURN NULL;
        END $$;
        CREATE TRIGGER blocks_not_friends AFTER INSERT ON blocks REFERENCING NEW TABLE AS added
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_blocks_of_friends();
        """
}
