extension AuthSchema {
    static let phones = """
        -- That the number is theirs, by its keyed digest, since when: both or nothing, and nothing without a number. Whatever becomes of
        -- the number, `Account.change` takes this away; the number itself is encrypted anew each time, so that no trigger can compare it.
        ALTER TABLE accounts
            ADD COLUMN phone_digest bytea,
            ADD COLUMN phone_verified_at timestamptz,
            ADD CONSTRAINT accounts_phone_whole CHECK (num_nulls(phone_digest, phone_verified_at) IN (0, 2)),
            ADD CONSTRAINT accounts_phone_there CHECK (phone_digest IS NULL OR phone IS NOT NULL),
            -- One account for each verified number.
            ADD CONSTRAINT accounts_phone UNIQUE (phone_digest);

        -- Who asked for a code lately, for which number (encrypted). The code itself is nowhere.
        CREATE TABLE phone_verifications (
            id uuid PRIMARY KEY,
            person uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
            number bytea NOT NULL,
            attempts int NOT NULL DEFAULT 0 CHECK (attempts >= 0),
            requested_at timestamptz NOT NULL,
            expires_at timestamptz NOT NULL CHECK (expires_at > requested_at),
            used_at timestamptz,
            CHECK (used_at IS NULL OR attempts > 0)
        );
        CREATE INDEX phone_verifications_of_person ON phone_verifications (person, requested_at);
        CREATE INDEX phone_verifications_age ON phone_verifications (requested_at);

        -- Texts that were sent lately, by their number's keyed digest. Of no account: they cost money, and one that is erased gives none back.
        CREATE TABLE phone_texts (
            id uuid PRIMARY KEY,
            digest bytea NOT NULL,
            sent_at timestamptz NOT NULL
        );
        CREATE INDEX phone_texts_of_number ON phone_texts (digest, sent_at);
        CREATE INDEX phone_texts_age ON phone_texts (sent_at);
        """
}
