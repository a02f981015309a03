import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

// Rooms and messages as rows, in both directions.

extension ChatRoom {
    /// Of `rooms`, with one of the two as `me` and the other one as `other`.
    static let columns: SQLQuery = """
        rooms.id, rooms.subject_kind, rooms.subject_id, rooms.title, rooms.photo, rooms.owner, rooms.state, rooms.created_at, \
        rooms.changed_at, rooms.last, \(RoomMember.columns("me")), \(RoomMember.columns("other"))
        """

    /// Whether the two may not write to each other now, as a column.
    static func silence(of person: PersonID, at now: Date, _ campuses: CampusSeparation) -> SQLQuery {
        """
        NOT coalesce(\(BlockProjection.isTogetherHere("other.person", with: person))
            \(campuses.condition("other.person", isTogetherWith: person))
            AND NOT \(SuspensionProjection.isSuspendedHere("other.person", at: now))
            AND NOT \(SuspensionProjection.isSuspendedHere("\(person)", at: now)), false) AS silent
        """
    }

    init(_ row: PostgresRow) throws {
        id = try row.get("id")
        about = RoomAbout(
            subject: Subject(kind: try .stored(row.get("subject_kind")), id: try row.get("subject_id")),
            title: try row.get("title"), photo: try row.get("photo"), owner: try row.get("owner"))
        state = try .stored(row.get("state"))
        createdAt = try row.get("created_at")
        changedAt = try row.get("changed_at")
        last = try row.get("last")
        me = try RoomMember(row, "me")
        other = try RoomMember(row, "other")
        isSilent = try row.get("silent")
    }

    /// A new room, unless there is one already.
    var insertion: SQLQuery {
        """
        INSERT INTO rooms (id, subject_kind, subject_id, first_member, second_member, title, photo, owner, state, opened_by,
            created_at, changed_at, last)
        VALUES (\(id), \(about.subject.kind.rawValue), \(about.subject.id), \(pair.first), \(pair.second), \(about.title),
            \(about.photo), \(about.owner), 'open', \(me.person), \(createdAt), \(changedAt), 0)
        ON CONFLICT (subject_kind, subject_id, first_member, second_member) WHERE first_member <> \(unescaped: "'\(PersonID.nobody)'")
        DO NOTHING
        """
    }

    /// Writes all that can change by the two.
    fileprivate var updates: [SQLQuery] {
        [
            "UPDATE rooms SET last = \(last), changed_at = \(changedAt) WHERE id = \(id)",
            me.update(of: self), other.update(of: self),
        ]
    }
}

extension RoomDecision {
    /// Writes what was decided.
    var statements: [SQLQuery] {
        events.compactMap { event in
            if case .written(let message) = event { message.insertion } else { nil }
        } + room.updates
    }
}

/// What lies before somebody who writes a message.
struct WritingDesk: Hashable, Sendable {
    /// The moment at which it is written.
    var now: Date
    /// The message that has this id already, whoever's it is.
    var known: ChatMessage?
    var isSuspended: Bool
    /// How many messages they have written within the last minute.
    var lately: Int
    /// Nil where there is no such room for them.
    var room: ChatRoom?
}

extension WritingDesk {
    /// In the order in which things are locked: the writer, then the room. Whatever is read stands behind its lock.
    ///
    /// The minute has two ends (the later one for clocks that differ): of a range with one end PostgreSQL expects a third of all that somebody has
    /// ever written, and planned the statement anew for each message, which took longer than all else that is asked here.
    static func questions(
        _ id: MessageID, in room: RoomID, by person: PersonID, at now: Date, _ campuses: CampusSeparation
    ) -> [SQLQuery] {
        [
            .lock("person", person), "SELECT \(ChatMessage.columns) FROM messages WHERE id = \(id)",
            """
            SELECT (
                    SELECT count(*) FROM messages
                    WHERE author = \(person) AND sent_at > \(now - ChatLimits.minute) AND sent_at < \(now + ChatLimits.minute)
                ) AS messages,
                \(SuspensionProjection.isSuspended("\(person)", at: now)) AS suspended
            """,
        ] + RoomViewer(person: person, now: now, campuses: campuses).lockedRoom(where: "rooms.id = \(room)")
    }

    /// - Parameter answers: to `questions`.
    init(_ answers: [PostgresRows], at now: Date) throws {
        self.now = now
        known = try answers[1].first.map(ChatMessage.init)
        isSuspended = try answers[2][0].get("suspended")
        lately = try answers[2][0].get("messages")
        room = try answers[4].first.map(ChatRoom.init)
    }
}

extension RoomMember {
    static func columns(_ name: String) -> SQLQuery {
        let columns = ["person", "delivered", "read", "written", "unread", "archived", "listed"]
        return "\(unescaped: columns.map { "\(name).\($0) AS \(name)_\($0)" }.joined(separator: ", "))"
    }

    init(_ row: PostgresRow, _ name: String) throws {
        person = try row.get("\(name)_person")
        marks = RoomMarks(delivered: try row.get("\(name)_delivered"), read: try row.get("\(name)_read"))
        written = try row.get("\(name)_written")
        unread = try row.get("\(name)_unread")
        isArchived = try row.get("\(name)_archived")
        isListed = try row.get("\(name)_listed")
    }

    func insertion(in room: ChatRoom) -> SQLQuery {
        """
        INSERT INTO members (room, person, delivered, read, written, unread, archived, listed, closed, last, changed_at)
        VALUES (\(room.id), \(person), 0, 0, 0, 0, false, \(isListed), false, 0, \(room.changedAt))
        """
    }

    func update(of room: ChatRoom) -> SQLQuery {
        """
        UPDATE members SET delivered = \(marks.delivered), read = \(marks.read), written = \(written), unread = \(unread),
            archived = \(isArchived), listed = \(isListed), last = \(room.last), changed_at = \(room.changedAt)
        WHERE room = \(room.id) AND person = \(person)
        """
    }
}

extension ChatMessage {
    /// The constraint that each id is one message's.
    static let uniqueness = "messages_id"
    static let columns: SQLQuery = "id, room, number, author, text, photo, sent_at, ordinal, hidden_at"

    init(_ row: PostgresRow) throws {
        id = try row.get("id")
        room = try row.get("room")
        number = try row.get("number")
        by = try row.get("author")
        text = try row.get("text")
        photo = try row.get("photo")
        sentAt = try row.get("sent_at")
        ordinal = try row.get("ordinal")
        hiddenAt = try row.get("hidden_at")
    }

    var insertion: SQLQuery {
        """
        INSERT INTO messages (\(Self.columns))
        VALUES (\(id), \(room), \(number), \(by), \(text), \(photo), \(sentAt), \(ordinal), \(hiddenAt))
        """
    }
}

/// A room with its newest message.
struct FoundRoom: Hashable, Sendable {
    var room: ChatRoom
    var newest: ChatMessage?
}

extension FoundRoom {
    /// The newest message, of which nothing is there where nobody has written.
    static let columns: SQLQuery = """
        newest.id AS newest_id, newest.author AS newest_author, newest.text AS newest_text, newest.photo AS newest_photo, \
        newest.sent_at AS newest_sent_at, newest.ordinal AS newest_ordinal, \
        newest.hidden_at AS newest_hidden_at
        """

    init(_ row: PostgresRow) throws {
        room = try ChatRoom(row)
        guard let id: MessageID = try row.get("newest_id") else { return }
        newest = ChatMessage(
            id: id, room: room.id, number: room.last, by: try row.get("newest_author"),
            text: try row.get("newest_text"),
            photo: try row.get("newest_photo"), sentAt: try row.get("newest_sent_at"),
            ordinal: try row.get("newest_ordinal"), hiddenAt: try row.get("newest_hidden_at"))
    }
}
