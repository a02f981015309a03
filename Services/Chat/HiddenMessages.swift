import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

// What moderators look at and hide.

extension RoomStore {
    /// One message; with a person, only where its room is theirs.
    func message(_ id: MessageID, of person: PersonID?) async throws -> ChatMessage? {
        let theirs: SQLQuery =
            person.map { "AND EXISTS (SELECT FROM members WHERE members.room = messages.room AND person = \($0))" }
            ?? ""
        return try await database.read("SELECT \(ChatMessage.columns) FROM messages WHERE id = \(id) \(theirs)")
            .first.map(ChatMessage.init)
    }

    /// The messages around one, so many on each side, in the order of their numbers.
    func messages(around message: ChatMessage, within reach: Int) async throws -> [ChatMessage] {
        try await database.read(
            """
            SELECT \(ChatMessage.columns) FROM messages
            WHERE room = \(message.room) AND number BETWEEN \(message.number - reach) AND \(message.number + reach)
            ORDER BY number
            """
        ).map(ChatMessage.init)
    }

    /// What moderators decide about messages.
    func followModerators(on consumer: DurableConsumer) {
        consumer.on(SubjectHidden.self, from: PeerRole.auth.rawValue) { event, _, transaction in
            guard let id = event.subject.id(of: Message.self) else { return }
            try await RoomTransaction(transaction: transaction, people: people)
                .hide(id, at: event.hiding.at)
        }
        consumer.on(SubjectRestored.self, from: PeerRole.auth.rawValue) { event, _, transaction in
            guard let id = event.subject.id(of: Message.self) else { return }
            try await RoomTransaction(transaction: transaction, people: people)
                .hide(id, at: nil)
        }
    }
}

extension RoomTransaction {
    /// Hides a message from both, or shows it again, as moderators say; nothing where it is gone, or is so already.
    ///
    /// Its words leave the events that told of it, in the same transaction: who asks for those again is told that it is hidden. They come back
    /// to nobody's stream, but to whoever looks at the room.
    func hide(_ id: MessageID, at moment: Date?) async throws {
        let found = try await transaction.pipeline([
            // The row of the room is the lock.
            """
            SELECT FROM rooms WHERE id = (SELECT room FROM messages WHERE id = \(id)) FOR NO KEY UPDATE
            """,
            """
            UPDATE messages SET hidden_at = \(moment) FROM rooms
            WHERE messages.id = \(id) AND rooms.id = messages.room AND (hidden_at IS NULL) <> \(moment == nil)
            RETURNING rooms.id AS room, number, author, first_member, second_member
            """,
        ])[1].first
        guard let found else { return }
        let room: RoomID = try found.get("room")
        if moment != nil {
            try await transaction.query(
                """
                UPDATE outbox SET payload = jsonb_set(payload, '{message}',
                    (payload->'message') - 'photo' || '{"text": "", "hidden": true}')
                WHERE header->>'type' = 'message' AND payload #>> '{message,id}' = \("\(id)")
                """)
        }
        publish(
            MessageHidden(
                room: room, id: id, number: try found.get("number"), hidden: moment != nil, by: try found.get("author")),
            in: room,
            to: [try found.get("first_member"), try found.get("second_member")])
    }
}
