import People

/// What is kept of devices: a step of the schema `notification`.
enum DeviceSchema {
    static let devices = """
        CREATE TABLE devices (
            id uuid PRIMARY KEY,
            person uuid NOT NULL,
            -- Which of the person's sessions has registered it last; it ends with that.
            session uuid,
            kind text NOT NULL CHECK (kind IN ('webPush', 'apns', 'fcm')),
            -- A keyed digest of where it is reached, and where and how, sealed.
            address bytea NOT NULL CONSTRAINT devices_once UNIQUE,
            sealed bytea NOT NULL,
            label text,
            language text NOT NULL,
            added_at timestamptz NOT NULL,
            -- When it was registered last; when its server last took something for it.
            seen_at timestamptz NOT NULL,
            last_used_at timestamptz,
            -- Whether its server found something too long.
            takes_little boolean NOT NULL DEFAULT false
        );
        CREATE INDEX devices_of_person ON devices (person, seen_at);
        CREATE INDEX devices_of_session ON devices (session) WHERE session IS NOT NULL;
        CREATE INDEX devices_seen ON devices (seen_at);

        -- What was given up, for the operator.
        CREATE TABLE dead_pushes (
            id uuid PRIMARY KEY,
            device uuid NOT NULL REFERENCES devices ON DELETE CASCADE,
            kind text NOT NULL,
            -- Without a word of it or where to.
            reason text NOT NULL,
            attempts integer NOT NULL,
            ended_at timestamptz NOT NULL
        );
        CREATE INDEX dead_pushes_of_device ON dead_pushes (device);
        CREATE INDEX dead_pushes_ended ON dead_pushes (ended_at, id);

        -- The one key by which servers of browsers know us, sealed. Another one takes its place where it cannot be opened any more.
        CREATE TABLE push_key (
            is_one boolean PRIMARY KEY DEFAULT true CHECK (is_one),
            sealed bytea NOT NULL,
            made_at timestamptz NOT NULL
        );

        \(PeopleErasure.guarding("devices", columns: ["person"]))
        """

    /// What was to be told; gone with the notice.
    static let givenUp = """
        ALTER TABLE dead_pushes ADD COLUMN notice uuid REFERENCES notices ON DELETE SET NULL;
        CREATE INDEX dead_pushes_of_notice ON dead_pushes (notice) WHERE notice IS NOT NULL;
        """

    /// How often in a row a device's server took nothing, and until when the device is left alone because of that.
    static let rest = """
        ALTER TABLE devices ADD COLUMN failures integer NOT NULL DEFAULT 0, ADD COLUMN rests_until timestamptz;
        -- Of a device, what waits there for the longest time is looked up each time that something is taken.
        CREATE INDEX deliveries_of_device_in_time ON deliveries (device, due_at, id);
        DROP INDEX deliveries_of_device;
        """

    /// No device comes to a session that has ended, though it was asked for before.
    static let endedSessions = """
        CREATE TABLE ended_sessions (
            id uuid PRIMARY KEY,
            -- After that nothing that was asked with its tokens is under way any more.
            until timestamptz NOT NULL
        );
        CREATE INDEX ended_sessions_until ON ended_sessions (until);
        """
}
