import FoundationEssentials
import People
import Postgres
import WireProtocol

// The statements that answer a page of rooms or of messages. README.md has their plans.

/// Somebody who asks for their rooms.
struct RoomViewer: Sendable {
    let person: PersonID
    let now: Date
    let campuses: CampusSeparation
    private static let newest = 200

    /// One of theirs, without its newest message.
    func room(where condition: SQLQuery) -> SQLQuery {
        """
        SELECT \(ChatRoom.columns), \(silence) FROM rooms \(joiningMembers) WHERE \(condition)
        """
    }

    /// The same, locked: the second statement's snapshot is younger than the lock.
    func lockedRoom(where condition: SQLQuery) -> [SQLQuery] {
        ["SELECT FROM rooms WHERE \(condition) FOR NO KEY UPDATE", room(where: condition)]
    }

    /// One of theirs.
    func found(where condition: SQLQuery) -> SQLQuery {
        """
        SELECT \(ChatRoom.columns), \(silence), \(FoundRoom.columns) FROM rooms \(joiningMembers) \(joiningNewest)
        WHERE \(condition)
        """
    }

    /// The index has a page's rooms in their order; all else is looked up for those alone, by key.
    ///
    /// `OFFSET 0` leaves PostgreSQL nothing to choose but that: so the statement is planned in a quarter of the time, which each connection
    /// takes six times before it keeps a plan, and the plan is the same for an inbox of three rooms and for one of thousands.
    func rooms(_ page: RoomPage) -> SQLQuery {
        let before: SQLQuery = page.after.map { "AND (changed_at, room) < (\($0.time), \($0.id))" } ?? ""
        let shelf: SQLQuery = page.shelf.map { "AND shelf = \($0.rawValue)" } ?? "AND shelf <> 'none'"
        let order: SQLQuery = "ORDER BY changed_at DESC, room DESC"
        let mine: SQLQuery = "SELECT * FROM members WHERE person = \(person) \(shelf) \(before) \(order)"
        let limit: SQLQuery = "LIMIT \(unescaped: "\(page.limit + 1)")"
        let found: SQLQuery =
            page.words.map { "SELECT * FROM (\(mine) OFFSET 0) AS mine WHERE \(matches($0)) \(order) \(limit)" }
            ?? "\(mine) \(limit)"
        let statement: SQLQuery = """
            SELECT \(ChatRoom.columns), \(silence), \(FoundRoom.columns) FROM (\(found)) AS me
            CROSS JOIN LATERAL (SELECT * FROM rooms WHERE rooms.id = me.room OFFSET 0) AS rooms
            CROSS JOIN LATERAL (
                SELECT * FROM members WHERE members.room = me.room AND members.person <> \(person) OFFSET 0) AS other
            LEFT JOIN LATERAL (
                SELECT * FROM messages WHERE messages.room = me.room AND messages.number = rooms.last OFFSET 0) AS newest ON true
            ORDER BY me.changed_at DESC, me.room DESC
            """
        // What is looked for decides by which index of messages it is found.
        return page.words == nil ? statement : statement.plannedAnew
    }

    /// Looked at room by room, from the newest on (a subquery keeps that order, a CTE loses it), until the page is full: names and titles
    /// before texts, for which the index on messages is asked within that room alone. It knows three characters in a row; what is shorter,
    /// once it is folded, is looked for in the newest messages. Both sides are folded by one function (`SearchFolding`), messages when they are written.
    private func matches(_ words: String) -> SQLQuery {
        let pattern: SQLQuery = "search_pattern(\(words))"
        // What is typed is folded when this is planned: of the condition one side is left, or nothing.
        let among: SQLQuery = """
            (length(search_letters(\(words))) >= 3 OR messages.number > mine.last - \(unescaped: "\(Self.newest)"))
            """
        return """
            EXISTS (SELECT FROM rooms WHERE rooms.id = mine.room AND search_letters(rooms.title) LIKE \(pattern) OFFSET 0)
            OR EXISTS (
                SELECT FROM members AS other JOIN people ON people.id = other.person
                WHERE other.room = mine.room AND other.person <> \(person) AND search_letters(people.name) LIKE \(pattern)
                    AND \(BlockProjection.isTogetherHere("other.person", with: person))
                    \(campuses.condition("other.person", isTogetherWith: person)) OFFSET 0)
            OR EXISTS (
                SELECT FROM messages WHERE messages.room = mine.room AND messages.letters LIKE \(pattern)
                    AND messages.hidden_at IS NULL AND \(among) OFFSET 0)
            """
    }

    private var silence: SQLQuery { ChatRoom.silence(of: person, at: now, campuses) }

    private var joiningMembers: SQLQuery {
        """
        JOIN members AS me ON me.room = rooms.id AND me.person = \(person)
        JOIN members AS other ON other.room = rooms.id AND other.person <> \(person)
        """
    }

    private var joiningNewest: SQLQuery {
        "LEFT JOIN messages AS newest ON newest.room = rooms.id AND newest.number = rooms.last"
    }
}

extension MessagePage {
    /// Numbers have no gaps: so a page is a range of them, which costs the same wherever it is, and whatever PostgreSQL takes rooms to hold.
    func statement(in room: RoomID, endingWith last: Int) -> SQLQuery {
        let numbers =
            switch side {
            case .before(let number): max(0, min(number, last + 1) - limit)..<max(0, min(number, last + 1))
            case .after(let number): (min(number, last) + 1)..<(min(number, last) + 1 + limit)
            }
        return """
            SELECT \(ChatMessage.columns) FROM messages
            WHERE room = \(room) AND number >= \(numbers.lowerBound) AND number < \(numbers.upperBound) ORDER BY number
            """
    }
}
