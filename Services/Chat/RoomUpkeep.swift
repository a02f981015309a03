import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

// What becomes of rooms without their people's doing.

extension RoomStore {
    /// Two people are apart from now on, or together again: who has a room of theirs open is told to look. The room says that nobody can write
    /// in it, and not who wanted that.
    @Sendable func tellWhetherTheyWrite(_ pair: BlockedPair, _ transaction: CommandTransaction) async throws {
        try await RoomTransaction(transaction: transaction, people: people).tellWhetherTheyWrite(pair)
    }

    /// At most so many pictures of rooms of which nothing is left, in the order of the rooms. While a room's messages are still being deleted
    /// its pictures are not among them: another one of its messages may show the same.
    func leftPhotos(atMost limit: Int) async throws -> [LeftPhotos] {
        let rows = try await database.read(
            """
            SELECT room, photo FROM left_photos
            WHERE NOT EXISTS (SELECT FROM leftovers WHERE leftovers.room = left_photos.room)
            ORDER BY room, photo LIMIT \(limit)
            """)
        var found: [LeftPhotos] = []
        for row in rows {
            let room: RoomID = try row.get("room")
            if found.last?.room != room { found.append(LeftPhotos(room: room, photos: [])) }
            found[found.count - 1].photos.append(try row.get("photo"))
        }
        return found
    }
}

extension RoomTransaction {
    /// Gives the rooms of a subject what was said of it.
    func follow(_ subject: Subject, _ facts: RoomSubjectFacts) async throws {
        let rooms: SQLQuery = """
            subject_kind = \(subject.kind.rawValue) AND subject_id = \(subject.id) AND first_member <> \(PersonID.nobody)
            """
        let state: SQLQuery = "CASE WHEN \(facts.openness) THEN 'open' ELSE 'closed' END"
        let answers = try await transaction.pipeline([
            // Who is opening a room about it has done so, or will find the news.
            .lock("subject", subject.id), facts.news(of: subject, at: now),
            """
            SELECT id, state, \(state) AS becomes, first_member, second_member FROM rooms
            WHERE \(rooms) ORDER BY id FOR NO KEY UPDATE
            """,
            """
            UPDATE rooms SET title = CASE WHEN \(isTold(facts)) THEN \(facts.title) ELSE title END,
                photo = CASE WHEN \(isTold(facts)) THEN \(facts.photo) ELSE photo END, state = \(state),
                closed_at = CASE WHEN \(facts.openness) THEN NULL WHEN state = 'closed' THEN closed_at
                    ELSE \(now)::timestamptz END
            WHERE \(rooms)
            """,
            """
            UPDATE members SET closed = NOT closed FROM rooms
            WHERE \(rooms) AND members.room = rooms.id AND members.closed <> (rooms.state = 'closed')
            """,
        ])
        for row in answers[2] {
            let state: RoomState = try .stored(row.get("becomes"))
            guard try row.get("state", as: String.self) != state.rawValue else { continue }
            let room: RoomID = try row.get("id")
            let people: Set<PersonID> = [try row.get("first_member"), try row.get("second_member")]
            publish(RoomChanged(room: room, state: state), in: room, to: people)
        }
    }

    /// Whether a room is told what its subject is called now, and how it looks: not of what somebody shares from whom the other one is apart. That
    /// moderators hide it, all of them are told.
    private func isTold(_ facts: RoomSubjectFacts) -> SQLQuery {
        guard facts.title != nil else { return "true" }
        let guest: SQLQuery = "CASE WHEN first_member = \(facts.owner) THEN second_member ELSE first_member END"
        return """
            \(BlockProjection.isTogetherHere(guest, with: facts.owner)) \(people.campuses.condition(guest, isTogetherWith: facts.owner))
            """
    }

    /// Tells the two of each open room that they have.
    func tellWhetherTheyWrite(_ pair: BlockedPair) async throws {
        let rooms: [RoomID] = try await transaction.query(
            """
            SELECT low.room FROM members AS low JOIN members AS high ON high.room = low.room AND high.person = \(pair.high)
            WHERE low.person = \(pair.low)
            """
        ).map { try $0.get("room") }
        try await tellWhetherTheyWrite(in: rooms)
        // They are locked now. What the two were not told while they were apart is asked about soon.
        try await transaction.query(
            "UPDATE rooms SET asked_at = NULL WHERE id = ANY(\(rooms)) AND state = \(RoomState.open.rawValue)")
    }

    /// Tells the two of each of these rooms that is open; of one in which nobody has written, who opened it.
    /// - Parameter person: By whom it comes: whoever is apart from them does not hear of it.
    func tellWhetherTheyWrite(in rooms: [RoomID], concerning person: PersonID? = nil) async throws {
        let rows = try await transaction.query(
            """
            SELECT rooms.id, first_member, one.listed AS first_listed, second_member, two.listed AS second_listed
            FROM rooms JOIN members AS one ON one.room = rooms.id AND one.person = first_member
            JOIN members AS two ON two.room = rooms.id AND two.person = second_member
            WHERE rooms.id = ANY(\(rooms)) AND rooms.state = \(RoomState.open.rawValue)
            ORDER BY rooms.id FOR NO KEY UPDATE OF rooms
            """)
        for row in rows {
            let room: RoomID = try row.get("id")
            var people: Set<PersonID> = []
            if try row.get("first_listed") { people.insert(try row.get("first_member")) }
            if try row.get("second_listed") { people.insert(try row.get("second_member")) }
            publish(RoomChanged(room: room, state: .open), in: room, to: people, by: person)
        }
    }

    /// Deletes rooms that were closed or last written in before `moment`; at most so many, and none that another process is at.
    /// - Returns: How many.
    func forget(endedBefore moment: Date, atMost limit: Int) async throws -> Int {
        try await transaction.query(
            """
            WITH old AS (
                SELECT id FROM rooms WHERE coalesce(closed_at, changed_at) < \(moment)
                ORDER BY coalesce(closed_at, changed_at) LIMIT \(limit) FOR UPDATE SKIP LOCKED
            ), gone AS (DELETE FROM rooms USING old WHERE rooms.id = old.id RETURNING rooms.id, last)
            INSERT INTO leftovers (room) SELECT id FROM gone
            """
        ).affected
    }

    /// Deletes messages of rooms that are gone, and news of subjects that are older than `moment`; at most so many of each. The pictures of
    /// the messages are left for the gateway, which has them.
    /// - Returns: How many messages.
    func clear(newsBefore moment: Date, atMost limit: Int) async throws -> Int {
        let cleared = try await transaction.pipeline([
            // In the order of the keys, so that two replicas at the same room do not wait for each other in a circle.
            """
            WITH gone AS (
                DELETE FROM messages WHERE ctid = ANY (ARRAY(
                    SELECT messages.ctid FROM leftovers JOIN messages ON messages.room = leftovers.room LIMIT \(limit)))
                RETURNING room, photo
            ), kept AS (
                INSERT INTO left_photos (room, photo)
                SELECT DISTINCT room, photo FROM gone WHERE photo IS NOT NULL ORDER BY room, photo
                ON CONFLICT DO NOTHING
            )
            SELECT count(*) AS count FROM gone
            """,
            """
            DELETE FROM leftovers WHERE NOT EXISTS (SELECT FROM messages WHERE messages.room = leftovers.room)
            """,
            """
            DELETE FROM subject_news WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM subject_news WHERE heard_at < \(moment) ORDER BY heard_at LIMIT \(limit)))
            """,
        ])
        return try cleared[0][0].get("count")
    }

    /// Forgets pictures of which the gateway says that they are gone, or that somebody else shows them.
    func settle(_ photos: LeftPhotos) async throws {
        try await transaction.query(
            "DELETE FROM left_photos WHERE room = \(photos.room) AND photo = ANY(\(photos.photos))")
    }
}

extension RoomSubjectFacts {
    /// Whether a row of `rooms` is open by this. Its owner is none of the partners.
    fileprivate var openness: SQLQuery {
        guard isOpen, isOpenToAll == false else { return isOpen ? "true" : "false" }
        return "(first_member = ANY(\(partners)) OR second_member = ANY(\(partners)))"
    }

    /// Keeps it for those who are opening a room about it.
    fileprivate func news(of subject: Subject, at now: Date) -> SQLQuery {
        """
        INSERT INTO subject_news (subject_kind, subject_id, title, photo, is_open, open_to_all, partners, heard_at)
        VALUES (\(subject.kind.rawValue), \(subject.id), \(title), \(photo), \(isOpen), \(isOpenToAll != false),
            -- What was said before one of them erased themselves may be heard afterwards.
            ARRAY(SELECT id FROM unnest(\(partners)) AS partner (id) WHERE NOT EXISTS (
                SELECT FROM people_erased WHERE people_erased.id = partner.id)), \(now))
        ON CONFLICT (subject_kind, subject_id) DO UPDATE SET title = excluded.title, photo = excluded.photo,
            is_open = excluded.is_open, open_to_all = excluded.open_to_all, partners = excluded.partners,
            heard_at = excluded.heard_at
        """
    }
}
