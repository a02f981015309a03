extension AuthSchema {
    /// Not with the account, whose row everybody who signs in at once shares; and not with sessions alone, which end.
    static let languages = """
        CREATE TABLE languages (
            person uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
            language text NOT NULL CHECK (language <> '')
        );
        INSERT INTO languages (person, language)
        SELECT DISTINCT ON (person) person, language FROM sessions WHERE language IS NOT NULL AND language <> ''
        ORDER BY person, last_used_at DESC;
        """

    static let calendarFeeds = """
        -- Where somebody's calendar can be read. The address follows from the seed and a key outside the database; it is found by its digest.
        CREATE TABLE calendar_feeds (
            person uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
            seed bytea NOT NULL,
            digest bytea NOT NULL,
            made_at timestamptz NOT NULL,
            CONSTRAINT calendar_feeds_digest UNIQUE (digest)
        );
        """

    static let exports = """
        -- Everything about a person that services keep, while they want it; one archive each.
        CREATE TABLE exports (
            id uuid PRIMARY KEY,
            person uuid NOT NULL UNIQUE REFERENCES accounts ON DELETE CASCADE,
            requested_at timestamptz NOT NULL,
            ready_at timestamptz,
            expires_at timestamptz,
            CHECK ((ready_at IS NULL) = (expires_at IS NULL))
        );
        CREATE INDEX exports_end ON exports (expires_at) WHERE expires_at IS NOT NULL;
        CREATE INDEX exports_waiting ON exports (requested_at) WHERE ready_at IS NULL;
        -- How far each service is.
        CREATE TABLE export_parts (
            export uuid NOT NULL REFERENCES exports ON DELETE CASCADE,
            service text NOT NULL,
            cursor text,
            pages int NOT NULL DEFAULT 0,
            records int NOT NULL DEFAULT 0,
            attempts int NOT NULL DEFAULT 0,
            due_at timestamptz NOT NULL,
            done_at timestamptz,
            PRIMARY KEY (export, service)
        );
        CREATE INDEX export_parts_due ON export_parts (due_at) WHERE done_at IS NULL;
        -- What services answered, encrypted.
        CREATE TABLE export_pages (
            export uuid NOT NULL REFERENCES exports ON DELETE CASCADE,
            service text NOT NULL,
            number int NOT NULL,
            sealed bytea NOT NULL,
            PRIMARY KEY (export, service, number)
        );
        CREATE INDEX reviews_of_author ON reviews (author, written_at, id);
        """

    static let erasures = """
        -- Receipts of those who have erased themselves. No person stands here: the address (encrypted) only until the mail with the receipt
        -- is handed over.
        CREATE TABLE erasures (
            id uuid PRIMARY KEY,
            address bytea,
            requested_at timestamptz NOT NULL,
            completed_at timestamptz,
            photos_deleted int NOT NULL DEFAULT 0
        );
        CREATE INDEX erasures_completed ON erasures (completed_at) WHERE completed_at IS NOT NULL;
        CREATE INDEX erasures_addresses ON erasures (requested_at) WHERE address IS NOT NULL;
        -- What each service has to do, and did.
        CREATE TABLE erasure_parts (
            erasure uuid NOT NULL REFERENCES erasures ON DELETE CASCADE,
            service text NOT NULL,
            done_at timestamptz,
            records jsonb NOT NULL,
            PRIMARY KEY (erasure, service)
        );
        -- Pictures that are still to be deleted, or found to be shown by somebody else.
        CREATE TABLE erasure_photos (
            erasure uuid NOT NULL REFERENCES erasures ON DELETE CASCADE,
            photo text NOT NULL,
            PRIMARY KEY (erasure, photo)
        );
        -- Sessions whose account is gone, as long as access tokens of theirs may be alive.
        CREATE TABLE revoked_sessions (
            id uuid PRIMARY KEY,
            access_until timestamptz NOT NULL
        );
        CREATE INDEX revoked_sessions_end ON revoked_sessions (access_until);
        CREATE INDEX accounts_photo ON accounts (photo) WHERE photo IS NOT NULL;
        """

    /// An archive has them page by page, in the order of the index or after sorting all of them for each page.
    static let reportsInOrder = """
        DROP INDEX reports_of_reporter;
        CREATE INDEX reports_of_reporter ON reports (reporter, reported_at, id);
        """

    /// What refers to an account is deleted with it: without these by reading all of a table.
    static let found = """
        CREATE INDEX sessions_of_account ON sessions (person);
        CREATE INDEX notices_of_account ON notices (person, at, id);
        """
}
