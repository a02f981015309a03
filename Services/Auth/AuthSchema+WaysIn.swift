extension AuthSchema {
    static let addressKeys = """
        -- One row once addresses of domains that are not ASCII have the key that they have now: it takes the secrets file.
        CREATE TABLE address_keys (
            is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
            settled_at timestamptz NOT NULL DEFAULT now()
        );
        """

    static let waysIn = """
        -- Since when the address was shown to be the person's. Who was alone at an address before this was kept goes on being written to
        -- there; of several nobody knows whose it is.
        ALTER TABLE accounts ADD COLUMN email_verified_at timestamptz;
        UPDATE accounts SET email_verified_at = joined_at
        WHERE email_digest IN (SELECT email_digest FROM accounts GROUP BY email_digest HAVING count(*) = 1);
        CREATE UNIQUE INDEX accounts_verified_email ON accounts (email_digest) WHERE email_verified_at IS NOT NULL;

        -- When somebody last showed in this session that it is them; null where they have not since it began.
        ALTER TABLE sessions ADD COLUMN proven_at timestamptz;

        -- Who asked for a code lately, for which address (encrypted), and as what the password is kept there. The code itself is nowhere.
        CREATE TABLE email_verifications (
            id uuid PRIMARY KEY,
            person uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
            address bytea NOT NULL,
            address_digest bytea NOT NULL,
            password_hash bytea NOT NULL,
            -- What the account's was then: with another one, it is not what was asked for.
            replaces bytea NOT NULL,
            attempts int NOT NULL DEFAULT 0 CHECK (attempts >= 0),
            requested_at timestamptz NOT NULL,
            expires_at timestamptz NOT NULL CHECK (expires_at > requested_at),
            used_at timestamptz,
            CHECK (used_at IS NULL OR attempts > 0)
        );
        CREATE INDEX email_verifications_of_person ON email_verifications (person, requested_at);
        CREATE INDEX email_verifications_of_address ON email_verifications (address_digest, requested_at);
        CREATE INDEX email_verifications_age ON email_verifications (requested_at);

        -- Addresses (encrypted) that are told that they were left, until the mail is handed over.
        CREATE TABLE left_addresses (
            mail uuid PRIMARY KEY REFERENCES outgoing_mails ON DELETE CASCADE,
            address bytea NOT NULL
        );
        """
}
