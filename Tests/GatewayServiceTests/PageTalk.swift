import FoundationEssentials
import WireProtocol

/// A chat of two, as chat shows it to each of them and to nobody else. What is in it is what a test says.
struct PageTalk: Sendable {
    let id: RoomID
    let rooms: Mutable<[PersonID: Room]>
    let messages = Mutable<[Message]>([])
    var path: String { "/messages/\(id)" }

    /// - Parameter subject: the two themselves, where it is nil.
    init(
        _ one: Person, _ other: Person, about subject: Subject? = nil, title: String? = nil, at door: PageDoor
    ) {
        let id = RoomID.new()
        func room(with person: Person) -> Room {
            Room(
                id: id, subject: subject ?? Subject(kind: .person, id: ID(one.id.uuid)), title: title, photo: nil,
                with: person.summary, state: .open, writable: true, last: nil, unread: 0, read: 0,
                theirs: RoomMarks(delivered: 0, read: 0), archived: false, createdAt: Date(), changedAt: Date())
        }
        self.id = id
        rooms = Mutable([one.id: room(with: other), other.id: room(with: one)])
        answer(at: door)
    }

    func room(of caller: Caller, _ asked: RoomID? = nil) throws -> Room {
        guard let room = caller.person.flatMap({ rooms.value[$0] }), asked ?? id == id else {
            throw ServiceError.notFound("room")
        }
        return room
    }

    private func answer(at door: PageDoor) {
        let services = door.services
        services.on(ChatMethods.openRoom) { try room(of: $0.caller) }
        services.on(ChatMethods.room) { try room(of: $0.caller, $0.parameters.id) }
        services.on(ChatMethods.rooms) { Page(items: [try room(of: $0.caller)]) }
        services.on(ChatMethods.unread) { request in
            let unread = (try? room(of: request.caller))?.unread ?? 0
            return UnreadCount(rooms: unread > 0 ? 1 : 0)
        }
        services.on(ChatMethods.messages) { request in
            _ = try room(of: request.caller, request.parameters.id)
            return list(request.parameters)
        }
        services.on(ChatMethods.message) { request in
            _ = try room(of: request.caller)
            guard let found = messages.value.first(where: { $0.id == request.parameters.id }) else {
                throw ServiceError.notFound("message")
            }
            return found
        }
        services.on(ChatMethods.send) { request in
            let (room, draft) = (try room(of: request.caller, request.parameters.id), request.content)
            guard room.state == .open else { throw ServiceError(.wrongState, "Closed.") }
            return Message(
                id: draft.id, room: id, number: messages.value.count + 1, by: try request.caller.requirePerson(),
                text: draft.text, photo: draft.photo, sentAt: Date())
        }
        services.on(ChatMethods.markRead) { request in
            _ = try room(of: request.caller, request.parameters.id)
            return Nothing()
        }
        services.on(ChatMethods.archiveRoom) { request in
            _ = try room(of: request.caller, request.parameters.id)
            return Nothing()
        }
    }

    private func list(_ query: MessageQuery) -> MessageList {
        let (all, limit) = (messages.value, query.limit ?? 50)
        let found =
            query.after.map { after in Array(all.filter { $0.number > after }.prefix(limit)) }
            ?? Array(all.filter { $0.number < query.before ?? .max }.suffix(limit))
        let (first, last) = (found.first?.number ?? 1, found.last?.number ?? all.count)
        return MessageList(items: found, before: first > 1 ? first : nil, after: last < all.count ? last : nil)
    }

    // MARK: What has happened

    /// Somebody has written, and the other one has not read it.
    @discardableResult
    func write(_ text: String, by person: PersonID, at time: Date = Date()) -> Message {
        let message = Message(
            id: .new(), room: id, number: messages.value.count + 1, by: person, text: text, photo: nil, sentAt: time)
        messages.mutate { $0.append(message) }
        change { $0.last = message }
        change(unless: person) { $0.unread += 1 }
        return message
    }

    /// Somebody has read up to there.
    func read(_ number: Int, by person: PersonID) {
        change(for: person) { ($0.read, $0.unread) = (number, 0) }
        change(unless: person) { $0.theirs = RoomMarks(delivered: number, read: number) }
    }

    /// Changes what both see of it, or one of them.
    func change(for one: PersonID? = nil, unless other: PersonID? = nil, _ change: (inout Room) -> Void) {
        rooms.mutate { rooms in
            for (person, room) in rooms where person == one ?? person && person != other {
                var room = room
                change(&room)
                rooms[person] = room
            }
        }
    }
}
