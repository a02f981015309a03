import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import WireProtocol

/// Rooms in the tables `rooms`, `members` and `messages`. Every one of them is asked for by one of its two people, and there is none for anybody
/// else.
struct RoomStore: Sendable {
    let database: Database
    let people: PeopleProjection

    func room(_ id: RoomID, of person: PersonID, at now: Date) async throws -> FoundRoom? {
        let viewer = RoomViewer(person: person, now: now, campuses: people.campuses)
        return try await database.read(viewer.found(where: "rooms.id = \(id)")).first.map(FoundRoom.init)
    }

    /// At most `page.limit` + 1 rooms, so that it shows whether there is another page.
    func rooms(_ page: RoomPage, of person: PersonID, at now: Date) async throws -> [FoundRoom] {
        let viewer = RoomViewer(person: person, now: now, campuses: people.campuses)
        return try await database.read(viewer.rooms(page)).map(FoundRoom.init)
    }

    /// How many rooms in somebody's inbox have something that they have not read.
    func unread(of person: PersonID) async throws -> Int {
        try await database.read(
            "SELECT count(*) AS count FROM members WHERE person = \(person) AND shelf = 'inbox' AND unread > 0"
        )[0].get("count")
    }

    /// In the order of their numbers; nil where there is no such room for that person.
    func messages(_ page: MessagePage, in room: RoomID, of person: PersonID) async throws -> FoundMessages? {
        let mine = try await database.read("SELECT last FROM members WHERE room = \(room) AND person = \(person)")
        guard let last = try mine.first?.get("last", as: Int.self) else { return nil }
        let messages = try await database.read(page.statement(in: room, endingWith: last)).map(ChatMessage.init)
        return FoundMessages(messages, of: page, last: last)
    }

    /// Which of these pictures belong to a message.
    func photos(among photos: [String]) async throws -> [String] {
        try await database.read("SELECT DISTINCT photo FROM messages WHERE photo = ANY(\(photos))").map {
            try $0.get("photo")
        }
    }

    /// Does what a person asked for once, however often the request comes, and answers the same each time. All of it is
    /// done or, if the body throws, nothing.
    func command<Reply: Codable & Sendable>(
        _ request: RequestContext, _ body: @Sendable @escaping (RoomTransaction) async throws -> Reply
    ) async throws -> Reply {
        try await database.command(request, meaning: Self.refusal(of:)) {
            try await body(RoomTransaction(transaction: $0, people: people))
        }
    }

    @Sendable private static func refusal(of error: PostgresError) -> (any Refusal)? {
        // Somebody was faster with the same id, in another room.
        if error.constraint == ChatMessage.uniqueness { return ChatError.anotherMessage }
        return PeopleErasure.refusal(of: error)
    }

    /// The same of a message, in two steps: all that has to be known is asked at once, under the locks of the writer and of the room, and what
    /// `body` decides is written at once.
    func write<Reply: Codable & Sendable>(
        _ id: MessageID, in room: RoomID, by person: PersonID, _ request: RequestContext,
        _ body: @Sendable @escaping (WritingDesk) throws -> (Reply, RoomDecision?)
    ) async throws -> Reply {
        try await database.command(
            request,
            asking: { WritingDesk.questions(id, in: room, by: person, at: $0.inMilliseconds, people.campuses) },
            meaning: Self.refusal(of:)
        ) { transaction, answers in
            let rooms = RoomTransaction(transaction: transaction, people: people)
            let (reply, decision) = try body(try WritingDesk(answers, at: rooms.now))
            if let decision { rooms.keepAtTheEnd(decision) }
            return reply
        }
    }

    /// The same without anybody's request.
    func transaction<Result: Sendable>(
        _ body: @Sendable @escaping (RoomTransaction) async throws -> Result
    ) async throws -> Result {
        do {
            return try await database.transaction {
                try await body(RoomTransaction(transaction: $0, people: people))
            }
        } catch let error as PostgresError { throw Self.refusal(of: error) ?? error }
    }

    /// Does what follows in rooms from what auth and those who have subjects say.
    func follow(_ community: Community, on consumer: DurableConsumer) {
        // Who may write follows from the table, at each message; open chats hear of suspensions by what `SuspensionNews` finds there.
        community.follow(
            on: consumer,
            erase: { person, transaction in
                try await RoomTransaction(transaction: transaction, people: people).erase(person)
            }, parted: tellWhetherTheyWrite)
        for service in Capability.roomSubject.services {
            consumer.on(RoomSubjectChanged.self, from: service.rawValue) { event, _, transaction in
                try await RoomTransaction(transaction: transaction, people: people)
                    .follow(event.subject, event.facts)
            }
        }
    }
}

/// What may be done in rooms, all together or not at all. Whatever changes a room also tells its events.
struct RoomTransaction: Sendable {
    let transaction: CommandTransaction
    let people: PeopleProjection

    /// The moment at which all of it happens, in whole milliseconds.
    var now: Date { transaction.now.inMilliseconds }

    /// From here to the end of the transaction these people's other commands wait, and so does the erasure of any of them.
    func lock(_ people: Set<PersonID>) async throws {
        try await transaction.pipeline(people.sorted().map { .lock("person", $0) })
    }

    /// What is known of people, without asking anybody else.
    func people(_ ids: Set<PersonID>, for viewer: PersonID) async throws -> KnownPeople {
        try await people.summaries(of: ids, for: viewer, in: transaction)
    }

    /// How much a person has done lately. Lock them first, so that the numbers stay true.
    func activity(of person: PersonID, since moment: Date) async throws -> RecentActivity {
        let row = try await transaction.query(
            """
            SELECT (SELECT count(*) FROM rooms WHERE opened_by = \(person) AND created_at > \(moment)) AS rooms,
                (SELECT count(*) FROM messages WHERE author = \(person) AND sent_at > \(moment)) AS messages,
                \(SuspensionProjection.isSuspended("\(person)", at: now)) AS suspended
            """)[0]
        return RecentActivity(
            roomsOpened: try row.get("rooms"), messages: try row.get("messages"), isSuspended: try row.get("suspended"))
    }

    /// Locks the room and says how it is; nil where there is none for this person.
    func room(_ id: RoomID, of person: PersonID) async throws -> ChatRoom? {
        try await locked(where: "rooms.id = \(id)", of: person)
    }

    /// The one room of a subject and two people, locked.
    func room(about subject: Subject, of person: PersonID, with other: PersonID) async throws -> ChatRoom? {
        let pair = MemberPair(person, other)
        return try await locked(
            where: """
                rooms.subject_kind = \(subject.kind.rawValue) AND rooms.subject_id = \(subject.id)
                AND rooms.first_member = \(pair.first) AND rooms.second_member = \(pair.second)
                """, of: person)
    }

    /// What was said of a subject since that moment.
    func news(of subject: Subject, since moment: Date) async throws -> SubjectNews? {
        // Two statements: the snapshot of the second is younger than the lock.
        try await transaction.pipeline([
            .lock("subject", subject.id),
            """
            SELECT title, photo, is_open, open_to_all, partners FROM subject_news
            WHERE subject_kind = \(subject.kind.rawValue) AND subject_id = \(subject.id) AND heard_at > \(moment)
            """,
        ])[1].first.map {
            SubjectNews(
                title: try $0.get("title"), photo: try $0.get("photo"), isOpen: try $0.get("is_open"),
                isOpenToAll: try $0.get("open_to_all"), partners: try $0.get("partners"))
        }
    }

    func message(_ number: Int, in room: RoomID) async throws -> ChatMessage? {
        try await transaction.query(
            "SELECT \(ChatMessage.columns) FROM messages WHERE room = \(room) AND number = \(number)"
        ).first.map(ChatMessage.init)
    }

    /// Makes the room, unless there is one of these two about this: then that is the answer.
    func add(_ decision: RoomDecision) async throws -> ChatRoom {
        let room = decision.room
        guard try await transaction.query(room.insertion).affected == 1 else {
            guard
                let found = try await self.room(about: room.about.subject, of: room.me.person, with: room.other.person)
            else { throw PostgresError(.unexpectedValue, debugDetail: "a room that was there is gone") }
            return found
        }
        try await transaction.pipeline([room.me.insertion(in: room), room.other.insertion(in: room)])
        publish(decision)
        return room
    }

    /// Keeps what was decided of a room that is locked.
    func keep(_ decision: RoomDecision) async throws {
        try await transaction.pipeline(decision.statements)
        publish(decision)
    }

    /// The same, without waiting for it: it goes with COMMIT.
    func keepAtTheEnd(_ decision: RoomDecision) {
        transaction.last(decision.statements)
        publish(decision)
    }

    /// Tells the other one that somebody writes, unless that was told just now.
    func tellTyping(in room: ChatRoom, unlessSince moment: Date) async throws {
        let isNews =
            try await transaction.query(
                """
                UPDATE members SET typed_at = \(now)
                WHERE room = \(room.id) AND person = \(room.me.person) AND (typed_at IS NULL OR typed_at <= \(moment))
                """
            ).affected == 1
        guard isNews else { return }
        publish(Typing(room: room.id, by: room.me.person), in: room.id, to: [room.other.person], by: room.me.person)
    }

    // MARK: What these are made of

    /// Locked by a statement of its own: the other one's snapshot is younger than the lock, also of what is joined.
    private func locked(where condition: SQLQuery, of person: PersonID) async throws -> ChatRoom? {
        let viewer = RoomViewer(person: person, now: now, campuses: people.campuses)
        return try await transaction.pipeline(viewer.lockedRoom(where: condition))[1].first.map(ChatRoom.init)
    }

    private func publish(_ decision: RoomDecision) {
        let room = decision.room
        let both: Set = [room.me.person, room.other.person]
        for event in decision.events {
            switch event {
            case .opened:
                // The other one does not hear of a room in which nobody has written yet.
                publish(RoomChanged(room: room.id, state: room.state), in: room.id, to: [room.me.person])
            case .written(let message):
                let sent = MessageSent(
                    message: Message(message), to: room.other.person, subject: room.about.subject,
                    title: room.about.title)
                publish(sent, in: room.id, to: both, by: message.by)
            case .got(let marks):
                let read = MessagesRead(room: room.id, by: room.me.person, marks: marks)
                publish(read, in: room.id, to: both, by: room.me.person)
            }
        }
    }

    /// - Parameter person: Who did it: the other one does not hear of it where the two are apart.
    func publish(_ event: some Event, in room: RoomID, to people: Set<PersonID>, by person: PersonID? = nil) {
        transaction.publish(
            event, about: "room/\(room)", to: .people(people.subtracting([.nobody])),
            concerning: person.map { [$0] } ?? [])
    }
}
