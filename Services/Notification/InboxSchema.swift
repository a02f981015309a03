import People
import WireProtocol

/// What the inbox keeps: steps of the schema `notification`.
enum InboxSchema {
    /// What is told to whom. Of each person there is one row by `key`: what comes by the same key again moves it up, if it is later
    /// (`latest`).
    static let notices = """
        CREATE TABLE notices (
            id uuid PRIMARY KEY,
            person uuid NOT NULL,
            kind text NOT NULL,
            -- What collapses into one: `room/<id>` for all messages of a room.
            key text NOT NULL,
            -- Who did it; NULL where it was nobody of the community.
            actor uuid,
            subject_kind text NOT NULL,
            subject_id uuid NOT NULL,
            title text,
            about text,
            count integer NOT NULL CHECK (count >= 1),
            -- The number of the last message, or the moment of the last event in milliseconds: what is not later was told already.
            latest bigint NOT NULL,
            happened_at timestamptz NOT NULL,
            -- From when on it is shown, unless it was read by then; whether it is.
            shown_at timestamptz NOT NULL,
            told boolean NOT NULL,
            seen_at timestamptz,
            read_at timestamptz,
            -- When to look whether it is to be mailed or pushed; NULL where it is not, or was.
            mail_at timestamptz,
            push_at timestamptz,
            CONSTRAINT notices_once UNIQUE (person, key),
            CHECK (read_at IS NULL OR (mail_at IS NULL AND push_at IS NULL))
        );
        CREATE INDEX notices_newest ON notices (person, happened_at DESC, id DESC) WHERE told;
        CREATE INDEX notices_unread ON notices (person, happened_at DESC, id DESC) WHERE told AND read_at IS NULL;
        CREATE INDEX notices_to_tell ON notices (shown_at) WHERE NOT told AND read_at IS NULL;
        CREATE INDEX notices_to_mail ON notices (mail_at) WHERE mail_at IS NOT NULL;
        CREATE INDEX notices_to_push ON notices (push_at) WHERE push_at IS NOT NULL;
        CREATE INDEX notices_by ON notices (actor) WHERE actor IS NOT NULL;
        CREATE INDEX notices_old ON notices (happened_at);
        """

    /// What a rental has come to, and what of it is due.
    static let rentals = "ALTER TABLE notices ADD COLUMN rental text, ADD COLUMN due text"

    /// The number of the first message that a notice counts, up to `latest`; NULL of those from before, and of what is not counted.
    static let counted = "ALTER TABLE notices ADD COLUMN first bigint"

    /// One word for what kinds tell of, instead of a column for each of them; and what they say besides (`NoticeValues`).
    static let variants = """
        ALTER TABLE notices ADD COLUMN variant text, ADD COLUMN facts jsonb;
        UPDATE notices SET variant = coalesce(due, rental, about) WHERE coalesce(due, rental, about) IS NOT NULL;
        ALTER TABLE notices DROP COLUMN rental, DROP COLUMN due, DROP COLUMN about;
        """

    /// Until when it is of use, where that is a moment and whoever told it says so.
    static let ends = "ALTER TABLE notices ADD COLUMN until timestamptz"

    /// Who wants to hear what. Who has no row has chosen nothing.
    static let settings = """
        CREATE TABLE notice_settings (
            person uuid PRIMARY KEY,
            mail text NOT NULL CHECK (mail IN ('atOnce', 'daily', 'never')),
            digest_hour smallint NOT NULL CHECK (digest_hour BETWEEN 0 AND 23),
            -- Minutes since midnight.
            quiet_from smallint CHECK (quiet_from BETWEEN 0 AND 1439),
            quiet_to smallint CHECK (quiet_to BETWEEN 0 AND 1439),
            time_zone text NOT NULL,
            CHECK ((quiet_from IS NULL) = (quiet_to IS NULL))
        );
        -- Only what differs from what everybody has.
        CREATE TABLE notice_choices (
            person uuid NOT NULL,
            kind text NOT NULL,
            mail boolean NOT NULL,
            push boolean NOT NULL,
            PRIMARY KEY (person, kind)
        );
        -- When somebody last had a page open.
        CREATE TABLE presence (
            person uuid PRIMARY KEY,
            seen_at timestamptz NOT NULL
        );
        CREATE INDEX presence_old ON presence (seen_at);

        \(PeopleErasure.guarding("notice_settings", columns: ["person"]))
        \(PeopleErasure.guarding("notice_choices", columns: ["person"]))
        """

    /// What waits to be brought to a device: a row for as long as it waits. `due_at` is also the lease of who is at it.
    static let deliveries = """
        CREATE TABLE deliveries (
            id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
            notice uuid NOT NULL REFERENCES notices ON DELETE CASCADE,
            device uuid NOT NULL,
            due_at timestamptz NOT NULL,
            expires_at timestamptz NOT NULL,
            -- Those that were begun; 0 again where there is something new to be said.
            attempts integer NOT NULL DEFAULT 0,
            CONSTRAINT deliveries_once UNIQUE (notice, device)
        );
        CREATE INDEX deliveries_due ON deliveries (due_at);
        CREATE INDEX deliveries_of_device ON deliveries (device);
        """
}
