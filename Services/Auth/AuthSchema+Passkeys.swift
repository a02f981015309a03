extension AuthSchema {
    static let passkeys = """
        -- Public keys only: whoever has all of this can sign in with none of them.
        CREATE TABLE passkeys (
            id uuid PRIMARY KEY,
            person uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
            -- What the authenticator calls it: one account for each.
            credential bytea NOT NULL CHECK (length(credential) BETWEEN 1 AND 1023),
            -- As COSE numbers them: ES256, EdDSA, RS256.
            algorithm int NOT NULL CHECK (algorithm IN (-7, -8, -257)),
            public_key bytea NOT NULL,
            transports text[] NOT NULL,
            name text NOT NULL CHECK (name <> ''),
            counter bigint NOT NULL CHECK (counter BETWEEN 0 AND 4294967295),
            eligible boolean NOT NULL,
            backed_up boolean NOT NULL CHECK (eligible OR NOT backed_up),
            added_at timestamptz NOT NULL,
            last_used_at timestamptz,
            CONSTRAINT passkeys_credential UNIQUE (credential)
        );
        CREATE INDEX passkeys_of_person ON passkeys (person, added_at, id);

        -- Challenges that were answered: each once. Those that were not stand nowhere.
        CREATE TABLE passkey_challenges (
            id uuid PRIMARY KEY,
            forgotten_at timestamptz NOT NULL
        );
        CREATE INDEX passkey_challenges_age ON passkey_challenges (forgotten_at);

        -- With which passkey a session was opened: it ends with that.
        ALTER TABLE sessions ADD COLUMN passkey uuid REFERENCES passkeys ON DELETE SET NULL;
        CREATE INDEX sessions_of_passkey ON sessions (passkey) WHERE passkey IS NOT NULL;
        """

    static let passkeyHosts = """
        -- The host name that each was made for (the relying party's id). Null of those from before, until the first start that has one.
        ALTER TABLE passkeys ADD COLUMN host text CHECK (host <> '');
        CREATE INDEX passkeys_without_host ON passkeys (id) WHERE host IS NULL;
        """
}
