import People
import Postgres

/// The schema `notification`: numbered, append-only. What is here is never changed, only added to.
enum NotificationSchema {
    static let migrations: [Migration] = ofMails + Community.steps(from: 4) + ofNotices

    private static let ofNotices = [
        Migration(11, "notices", InboxSchema.notices),
        Migration(12, "who wants to hear what", InboxSchema.settings),
        Migration(13, "deliveries", InboxSchema.deliveries),
        Migration(14, "devices", DeviceSchema.devices),
        Migration(15, "notices of rentals", InboxSchema.rentals),
        Migration(16, "which messages are counted", InboxSchema.counted),
        Migration(17, "what was given up can be tried again", DeviceSchema.givenUp),
        ModeratorProjection.migration(number: 18),
        Migration(19, "devices rest", DeviceSchema.rest),
        Migration(20, "sessions that ended", DeviceSchema.endedSessions),
        Migration(21, "variants of notices", InboxSchema.variants),
        Migration(22, "until when notices are of use", InboxSchema.ends),
    ]

    private static let ofMails = [
        Migration(1, "mails", mails), Migration(2, "texts", texts), Migration(3, "lists of mails", lists),
    ]

    private static let mails = """
        CREATE TABLE mails (
            id uuid PRIMARY KEY,
            template text NOT NULL,
            state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'dead')),
            -- Recipient, language and words, encrypted; gone once it is delivered, or of no more use.
            sealed bytea,
            attempts int NOT NULL DEFAULT 0,
            accepted_at timestamptz NOT NULL,
            due_at timestamptz NOT NULL,
            expires_at timestamptz NOT NULL,
            -- Why the last delivery failed, without a word of the mail or its recipient.
            reason text,
            ended_at timestamptz,
            CHECK (state <> 'waiting' OR sealed IS NOT NULL),
            CHECK (state <> 'delivered' OR sealed IS NULL),
            CHECK (state <> 'dead' OR reason IS NOT NULL),
            CHECK ((state = 'waiting') = (ended_at IS NULL))
        );
        CREATE INDEX mails_due ON mails (due_at) WHERE state = 'waiting';
        CREATE INDEX mails_not_delivered ON mails (state, expires_at) WHERE state <> 'delivered';
        CREATE INDEX mails_ended ON mails (ended_at) WHERE ended_at IS NOT NULL;
        """

    private static let texts = """
        -- By which way it goes: texts wait, are repeated and given up as mails are.
        ALTER TABLE mails ADD COLUMN channel text NOT NULL DEFAULT 'mail' CHECK (channel IN ('mail', 'text'));
        ALTER TABLE mails ALTER COLUMN channel DROP DEFAULT;
        DROP INDEX mails_due;
        CREATE INDEX mails_due ON mails (channel, due_at) WHERE state = 'waiting';
        """

    private static let lists = """
        CREATE INDEX mails_in_time ON mails (channel, accepted_at, id);
        CREATE INDEX mails_not_delivered_in_time ON mails (channel, accepted_at, id) WHERE state <> 'delivered';
        """
}
