import KampongClient
import TestKit
import WireProtocol

/// Opens the room of two people, or finds it opened by the other one.
struct OpenRoomCommand: LedgerCommand {
    let name = "open"
    let service = PeerRole.chat
    let aggregate: String? = nil
    let with: PersonID
    let book: RoomBook

    init(with person: PersonID, book: RoomBook) {
        with = person
        self.book = book
    }

    func send(as person: LedgerPerson, key: String) async throws -> String {
        let subject = Subject(kind: .person, id: ID(with.uuid))
        let room = try await person.client.openRoom(about: subject, with: with, key: key)
        book.add(room, of: person.id!)
        return "room/\(room.id)"
    }

    func explains(_ events: [PublishedEvent]) -> Bool { events.isEmpty || events.map(\.type) == [RoomChanged.type] }
    func owns(_ event: PublishedEvent) -> Bool { event.type == RoomChanged.type }
}

/// Writes a message. Sent again under another key it is the same one, and leaves no event.
struct SendCommand: LedgerCommand {
    let name = "send"
    let service = PeerRole.chat
    let room: RoomID
    let book: RoomBook
    let draft: MessageDraft
    var actor: LedgerPerson?
    /// After how long its writer goes out of reach, and hears nothing of it any more.
    var reach: Duration?

    var aggregate: String? { "room/\(room)" }

    func send(as person: LedgerPerson, key: String) async throws -> String {
        book.note(draft, by: person.id!, in: room)
        book.acknowledge(try await answer(to: person, key: key))
        return "room/\(room)"
    }

    /// That there is one event for each message, the history says.
    func explains(_ events: [PublishedEvent]) -> Bool {
        events.isEmpty || events.count == 1 && events[0].decoded(as: MessageSent.self)?.message.id == draft.id
    }
}

/// Says how far one has got. One's other device may have been farther: then it leaves no event.
struct MarkCommand: LedgerCommand {
    let service = PeerRole.chat
    let room: RoomID
    let number: Int
    let isRead: Bool

    var name: String { isRead ? "read" : "receive" }
    var aggregate: String? { "room/\(room)" }

    func send(as person: LedgerPerson, key: String) async throws -> String {
        if isRead {
            try await person.client.markRead(room, upTo: number, key: key)
        } else {
            try await person.client.markDelivered(room, upTo: number, key: key)
        }
        return "room/\(room)"
    }

    func explains(_ events: [PublishedEvent]) -> Bool {
        guard let event = events.first else { return true }
        guard events.count == 1, let marks = event.decoded(as: MessagesRead.self)?.marks else { return false }
        return (isRead ? marks.read : marks.delivered) == number
    }
}

/// Puts a room away, of which nobody is told.
struct ArchiveCommand: LedgerCommand {
    let name = "archive"
    let service = PeerRole.chat
    let room: RoomID
    let isArchived: Bool

    var aggregate: String? { "room/\(room)" }

    func send(as person: LedgerPerson, key: String) async throws -> String {
        try await person.client.archive(room, isArchived, key: key)
        return "room/\(room)"
    }

    func explains(_ events: [PublishedEvent]) -> Bool { events.isEmpty }
    func owns(_ event: PublishedEvent) -> Bool { false }
}

extension SendCommand {
    /// What is heard within reach. Nobody waits for the line that was cut to say so.
    fileprivate func answer(to person: LedgerPerson, key: String) async throws -> Message {
        let client = person.client
        guard let reach else { return try await client.send(draft, to: room, key: key) }
        let (answers, line) = AsyncThrowingStream<Message, any Error>.makeStream()
        let sending = Task {
            do { line.yield(try await client.send(draft, to: room, key: key)) } catch { line.finish(throwing: error) }
        }
        let cut = Task {
            try? await Task.sleep(for: reach)
            sending.cancel()
            line.finish(throwing: CancellationError())
        }
        defer { cut.cancel() }
        for try await message in answers { return message }
        throw CancellationError()
    }
}

extension MessageDraft {
    /// With words that nobody else writes.
    static func made(using random: inout SeededGenerator) -> MessageDraft {
        MessageDraft(id: .new(), text: "Word \(UInt64.random(in: 0...(.max), using: &random))")
    }
}
