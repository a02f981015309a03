import People
import Postgres
import WireProtocol

/// The schema `chat`: numbered, append-only. What is here is never changed, only added to.
enum ChatSchema {
    static let migrations: [Migration] = Community.steps(from: 1) + own

    private static let own = [
        Migration(8, "rooms", rooms),
        Migration(9, "messages", messages),
        Migration(10, "hidden messages", hidden),
        Migration(11, "when subjects were asked about", inquiries),
        Migration(12, "rooms about things that are let", things),
        Migration(13, "pictures of messages that are gone", leftPhotos),
        Migration(14, "rooms that were closed unread", closedUnread),
        Migration(15, "what was told of suspensions", suspensionsTold),
        Migration(16, "words that wait to be indexed", wordsThatWait),
        Migration(17, "to whom subjects are open", openness),
        SearchFolding.migration(number: 18),
        Migration(19, "words however they are typed", foldedWords),
        Migration(20, "letters of messages", letters),
        Migration(21, "rooms about things of any kind", anyKind),
    ]

    /// Which kinds of things rooms are about, `SubjectKind.uses` says, and what is none is refused where it comes in: a list of them here would be one more
    /// that a vertical has to know of.
    private static let anyKind = "ALTER TABLE rooms DROP CONSTRAINT rooms_subject_kind;"

    /// A text is folded once, when it is written: whoever looks for two letters has the newest messages of all rooms read, two hundred of each. Folding
    /// those anew took seconds among a thousand rooms of texts that are not ASCII. The index is as before, `messages_words`.
    private static let letters = """
        DROP INDEX messages_words;
        ALTER TABLE messages ADD COLUMN letters text NOT NULL GENERATED ALWAYS AS (search_letters(text)) STORED;
        CREATE INDEX messages_words ON messages USING gin (room, letters gin_trgm_ops) WITH (gin_pending_list_limit = 128);
        ANALYZE messages;
        """

    /// The same index as before, `messages_words`, of what is compared now; it is asked for one room after the other (`RoomViewer.rooms`), however many
    /// messages there are. What is looked for is folded before it is a pattern: a full-width percent sign is a percent sign then. Where no letter is
    /// left of it, as of an accent alone, it stands as it was typed, and so is found nowhere.
    private static let foldedWords = #"""
        CREATE FUNCTION search_pattern(said text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN '%' || regexp_replace(coalesce(nullif(btrim(search_letters(said)), ''), said), '([\\%_])', '\\\1', 'g') || '%';

        DROP INDEX messages_words;
        CREATE INDEX messages_words ON messages USING gin (room, search_letters(text) gin_trgm_ops)
            WITH (gin_pending_list_limit = 128);
        ANALYZE messages;
        """#

    /// What moderators hide has no title, and what is shared no more is open to those who have to do with it still.
    private static let openness = """
        ALTER TABLE subject_news ALTER COLUMN title DROP NOT NULL;
        ALTER TABLE subject_news ADD COLUMN open_to_all boolean NOT NULL DEFAULT true;
        ALTER TABLE subject_news ADD COLUMN partners uuid[] NOT NULL DEFAULT '{}';
        CREATE INDEX subject_news_partners ON subject_news USING gin (partners);
        """

    /// PostgreSQL gathers new words beside a GIN index, and whoever makes them too many files them all. At four megabytes, its default, that took
    /// the writer of one message 145 ms; at 128 kB many writers file a little each (see "Writing a thousand messages a second" in the README).
    private static let wordsThatWait = "ALTER INDEX messages_words SET (gin_pending_list_limit = 128);"

    /// Of whom open chats were told that they are suspended, and until when they were then. Who is not suspended is not here.
    private static let suspensionsTold = """
        CREATE TABLE suspensions_told (person uuid PRIMARY KEY, until timestamptz NOT NULL);
        """

    /// What is over stays in the inbox of whoever has not read it to its end: so it is counted, and found where the count is looked for.
    private static let closedUnread = """
        DROP INDEX members_newest, members_unread;
        ALTER TABLE members DROP COLUMN shelf;
        ALTER TABLE members ADD COLUMN shelf text NOT NULL GENERATED ALWAYS AS (
            CASE WHEN NOT listed THEN 'none' WHEN archived THEN 'archived' WHEN closed AND unread = 0 THEN 'closed'
                ELSE 'inbox' END
        ) STORED;
        CREATE INDEX members_newest ON members (person, shelf, changed_at DESC, room DESC);
        CREATE INDEX members_unread ON members (person) WHERE shelf = 'inbox' AND unread > 0;
        """

    /// By their rooms: so the same picture in two rooms is two rows, and what is said of one is not taken for the other.
    private static let leftPhotos = """
        CREATE TABLE left_photos (room uuid NOT NULL, photo text NOT NULL, PRIMARY KEY (room, photo));
        """

    private static let things = """
        ALTER TABLE rooms DROP CONSTRAINT rooms_subject_kind_check;
        ALTER TABLE rooms ADD CONSTRAINT rooms_subject_kind CHECK (subject_kind IN ('spot', 'thing', 'person'));
        """

    /// When whoever has what a room is about was last asked about it: what an event said that was missed is learnt so.
    private static let inquiries = """
        ALTER TABLE rooms ADD COLUMN asked_at timestamptz;
        CREATE INDEX rooms_to_ask ON rooms (asked_at NULLS FIRST, subject_kind, subject_id)
            WHERE state = 'open' AND owner IS NOT NULL;
        """

    /// What moderators hide is kept, so that they can show it again, and told to nobody. Its words leave the events that told of it, which
    /// are found by this index.
    private static let hidden = """
        ALTER TABLE messages ADD COLUMN hidden_at timestamptz;
        CREATE INDEX outbox_of_message ON outbox ((payload #>> '{message,id}')) WHERE header->>'type' = 'message';
        """

    /// Of each pair and subject there is one room. Where somebody has erased themselves nobody stands in their place, which is the smallest
    /// id of all: of such rooms there may be several.
    private static let rooms = """
        CREATE TABLE rooms (
            id uuid PRIMARY KEY,
            subject_kind text NOT NULL CHECK (subject_kind IN ('spot', 'person')),
            subject_id uuid NOT NULL,
            first_member uuid NOT NULL,
            second_member uuid NOT NULL,
            title text,
            photo text,
            owner uuid,
            state text NOT NULL CHECK (state IN ('open', 'closed')),
            closed_at timestamptz,
            opened_by uuid NOT NULL,
            created_at timestamptz NOT NULL,
            changed_at timestamptz NOT NULL,
            last integer NOT NULL CHECK (last >= 0),
            CONSTRAINT rooms_of_two CHECK (first_member < second_member),
            CHECK ((state = 'closed') = (closed_at IS NOT NULL)),
            CHECK ((subject_kind = 'person') = (owner IS NULL))
        );
        CREATE UNIQUE INDEX rooms_of_pair ON rooms (subject_kind, subject_id, first_member, second_member)
            WHERE first_member <> '\(PersonID.nobody)';
        CREATE INDEX rooms_opened ON rooms (opened_by, created_at);
        CREATE INDEX rooms_to_forget ON rooms ((coalesce(closed_at, changed_at)));

        -- What each of the two knows of a room. `last`, `changed_at` and `closed` are the room's: for the order of lists, and for the checks.
        CREATE TABLE members (
            room uuid NOT NULL REFERENCES rooms ON DELETE CASCADE,
            person uuid NOT NULL,
            delivered integer NOT NULL,
            read integer NOT NULL,
            written integer NOT NULL,
            unread integer NOT NULL,
            archived boolean NOT NULL,
            listed boolean NOT NULL,
            closed boolean NOT NULL,
            last integer NOT NULL,
            changed_at timestamptz NOT NULL,
            typed_at timestamptz,
            shelf text NOT NULL GENERATED ALWAYS AS (
                CASE WHEN NOT listed THEN 'none' WHEN archived THEN 'archived' WHEN closed THEN 'closed' ELSE 'inbox' END
            ) STORED,
            PRIMARY KEY (room, person),
            CONSTRAINT members_marks CHECK (0 <= read AND read <= delivered AND delivered <= last),
            CHECK (written BETWEEN 0 AND last),
            CHECK (unread BETWEEN 0 AND last - written)
        );
        CREATE INDEX members_newest ON members (person, shelf, changed_at DESC, room DESC);
        CREATE INDEX members_unread ON members (person) WHERE shelf = 'inbox' AND unread > 0;

        CREATE FUNCTION members_move_on() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'marks never move back' USING ERRCODE = 'check_violation', CONSTRAINT = 'members_move_on';
        END $$;
        CREATE TRIGGER members_move_on BEFORE UPDATE OF delivered, read, last ON members FOR EACH ROW
            WHEN (NEW.delivered < OLD.delivered OR NEW.read < OLD.read OR NEW.last < OLD.last)
            EXECUTE FUNCTION members_move_on();

        -- What was said of subjects a while ago, so that a room that is being opened by what was asked before does not miss it.
        CREATE TABLE subject_news (
            subject_kind text NOT NULL,
            subject_id uuid NOT NULL,
            title text NOT NULL,
            photo text,
            is_open boolean NOT NULL,
            heard_at timestamptz NOT NULL,
            PRIMARY KEY (subject_kind, subject_id)
        );
        CREATE INDEX subject_news_old ON subject_news (heard_at);

        \(PeopleErasure.guarding("rooms", columns: ["first_member", "second_member"]))
        \(PeopleErasure.guarding("members", columns: ["person"]))
        """

    /// Messages do not refer to their rooms by a foreign key: a room that is forgotten goes at once, and its messages, of which there may be a
    /// million, a batch at a time. They are written under the room's lock only.
    private static let messages = """
        CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;
        CREATE EXTENSION IF NOT EXISTS btree_gin SCHEMA public;

        CREATE TABLE messages (
            room uuid NOT NULL,
            number integer NOT NULL,
            id uuid NOT NULL,
            author uuid NOT NULL,
            text text NOT NULL,
            photo text,
            sent_at timestamptz NOT NULL,
            ordinal integer NOT NULL,
            PRIMARY KEY (room, number),
            CONSTRAINT messages_id UNIQUE (id),
            CHECK (ordinal BETWEEN 1 AND number),
            CHECK (text <> '' OR photo IS NOT NULL OR author = '\(PersonID.nobody)')
        );
        CREATE INDEX messages_of_person ON messages (author, sent_at, id);
        CREATE INDEX messages_photo ON messages (photo) WHERE photo IS NOT NULL;
        CREATE INDEX messages_words ON messages USING gin (room, text gin_trgm_ops);

        CREATE TABLE leftovers (room uuid PRIMARY KEY);

        \(PeopleErasure.guarding("messages", columns: ["author"]))
        """
}
