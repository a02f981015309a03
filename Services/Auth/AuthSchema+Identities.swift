extension AuthSchema {
    static let identities = """
        -- Who may sign in with an outside identity provider. The subject there is a keyed digest, its name (mostly an address) encrypted.
        CREATE TABLE identities (
            id uuid PRIMARY KEY,
            person uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
            provider text NOT NULL,
            issuer text NOT NULL,
            digest bytea NOT NULL,
            label bytea,
            gives_name boolean NOT NULL,
            linked_at timestamptz NOT NULL,
            last_used_at timestamptz NOT NULL,
            -- The digest is of issuer and subject: one account for each of them.
            CONSTRAINT identities_of_subject UNIQUE (digest),
            -- One of each provider for each account.
            CONSTRAINT identities_of_person UNIQUE (person, issuer)
        );

        -- Browsers that were sent to a provider. State, nonce and verifier are nowhere; what the provider said is encrypted.
        CREATE TABLE identity_sign_ins (
            id uuid PRIMARY KEY,
            provider text NOT NULL,
            person uuid REFERENCES accounts ON DELETE CASCADE,
            next text,
            network bytea NOT NULL,
            started_at timestamptz NOT NULL,
            expires_at timestamptz NOT NULL CHECK (expires_at > started_at),
            claimed_at timestamptz,
            provided bytea,
            used_at timestamptz,
            CHECK (provided IS NULL OR claimed_at IS NOT NULL)
        );
        CREATE INDEX identity_sign_ins_of_network ON identity_sign_ins (network, started_at);
        CREATE INDEX identity_sign_ins_of_person ON identity_sign_ins (person) WHERE person IS NOT NULL;
        CREATE INDEX identity_sign_ins_age ON identity_sign_ins (expires_at);

        -- Whoever joined with a provider has chosen no password: what stands in password_hash then is chance, which no password makes.
        ALTER TABLE accounts ADD COLUMN has_password boolean NOT NULL DEFAULT true;
        """
}
