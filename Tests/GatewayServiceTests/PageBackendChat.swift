import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A room of two, with what was written in it.
struct PageRoom {
    var id = RoomID.new()
    var subject: RoomSubject
    var title: String?
    var people: [PersonID]
    var state = RoomState.open
    var messages: [Message] = []
    var marks: [PersonID: RoomMarks] = [:]
    var archivedBy: Set<PersonID> = []

    func other(than person: PersonID) -> PersonID { people[0] == person ? people[1] : people[0] }
}

extension PageCall {
    /// As chat does, with shelves of three.
    func chat(_ method: String, _ state: inout PageBackend.State) throws -> Outcome {
        let me = try caller.requirePerson()
        func seen(_ room: PageRoom) throws -> Room { try self.seen(room, by: me, state) }
        switch method {
        case "chat.rooms":
            let query = try WireJSON.decode(RoomQuery.self, from: parameters)
            if let q = query.q, q.count < 2 {
                throw ServiceError.invalid([FieldError("q", "length", "Two letters.")])
            }
            let shelf = query.q == nil ? query.shelf ?? .inbox : query.shelf
            let own = try state.rooms.filter { $0.people.contains(me) }.map(seen).filter { room in
                let lies: RoomShelf =
                    room.archived ? .archived : room.state == .closed && room.unread == 0 ? .closed : .inbox
                return (shelf ?? lies) == lies && query.q.map { room.with.name.contains($0) } ?? true
            }
            let start = query.cursor.flatMap { Int($0) } ?? 0
            let next = own.count > start + 3 ? String(start + 3) : nil
            return (try WireJSON.encode(Page(items: Array(own.dropFirst(start).prefix(3)), next: next)), [])
        case "chat.unread":
            let new = try state.rooms.filter { $0.people.contains(me) }.map(seen).count { $0.unread > 0 }
            return (try WireJSON.encode(UnreadCount(rooms: new)), [])
        case "chat.message":
            let id = try WireJSON.decode(MessageReference.self, from: parameters).id
            let mine = state.rooms.filter { $0.people.contains(me) }.flatMap(\.messages)
            guard let found = mine.first(where: { $0.id == id }) else { throw ServiceError.notFound("message") }
            return (try WireJSON.encode(found), [])
        case "chat.openRoom": return (try WireJSON.encode(try seen(try open(for: me, &state))), [])
        default: break
        }
        let id = try WireJSON.decode(RoomReference.self, from: parameters).id
        guard let index = state.rooms.firstIndex(where: { $0.id == id && $0.people.contains(me) }) else {
            throw ServiceError.notFound("room")
        }
        var room = state.rooms[index]
        let reply = try change(method, &room, me, seen)
        state.rooms[index] = room
        return (reply, [])
    }

    private func change(
        _ method: String, _ room: inout PageRoom, _ me: PersonID, _ seen: (PageRoom) throws -> Room
    ) throws -> [UInt8] {
        switch method {
        case "chat.messages":
            let query = try WireJSON.decode(MessageQuery.self, from: parameters)
            let limit = query.limit ?? 50
            let found =
                query.after.map { after in Array(room.messages.filter { $0.number > after }.prefix(limit)) }
                ?? Array(room.messages.filter { $0.number < query.before ?? .max }.suffix(limit))
            let (first, last) = (found.first?.number ?? 1, found.last?.number ?? room.messages.count)
            return try WireJSON.encode(
                MessageList(
                    items: found, before: first > 1 ? first : nil, after: last < room.messages.count ? last : nil))
        case "chat.send":
            let draft = try WireJSON.decode(MessageDraft.self, from: body)
            if let known = room.messages.first(where: { $0.id == draft.id }) { return try WireJSON.encode(known) }
            guard room.state == .open else { throw ServiceError(.wrongState, "Closed.") }
            guard draft.text.count <= 4000 else {
                throw ServiceError.invalid([FieldError("text", "too_long", "Too long.")])
            }
            let message = Message(
                id: draft.id, room: room.id, number: room.messages.count + 1, by: me, text: draft.text,
                photo: draft.photo, sentAt: Date())
            room.messages.append(message)
            room.archivedBy = []
            return try WireJSON.encode(message)
        case "chat.markRead":
            let number = try WireJSON.decode(MessageMark.self, from: body).number
            room.marks[me] = RoomMarks(delivered: number, read: number)
        case "chat.markDelivered":
            room.marks[me, default: RoomMarks(delivered: 0, read: 0)].delivered =
                try WireJSON.decode(MessageMark.self, from: body).number
        case "chat.archiveRoom":
            let isAway = try WireJSON.decode(RoomArchiving.self, from: body).archived
            if isAway { room.archivedBy.insert(me) } else { room.archivedBy.remove(me) }
        case "chat.room": return try WireJSON.encode(try seen(room))
        default: throw ServiceError.notFound("method")
        }
        return []
    }

    private func open(for me: PersonID, _ state: inout PageBackend.State) throws -> PageRoom {
        let draft = try WireJSON.decode(RoomDraft.self, from: body)
        guard state.people[draft.with] != nil else {
            throw ServiceError.notFound("person")
        }
        let known = state.rooms.first {
            Set($0.people) == [me, draft.with] && $0.subject.kind == draft.subject.kind
                && (draft.subject.kind == .person || $0.subject.id == draft.subject.id)
        }
        if let known { return known }
        let spot = state.spots.first { $0.id.uuid == draft.subject.id.uuid }
        guard draft.subject.kind == .person || spot != nil else { throw ServiceError.notFound("spot") }
        let room = PageRoom(subject: draft.subject, title: spot?.name, people: [me, draft.with])
        state.rooms.append(room)
        return room
    }

    private func seen(_ room: PageRoom, by me: PersonID, _ state: PageBackend.State) throws -> Room {
        let other = room.other(than: me)
        let read = room.marks[me]?.read ?? 0
        return Room(
            id: room.id, subject: room.subject, title: room.title, photo: nil,
            with: state.people[other]?.summary ?? PersonSummary(id: other, name: PersonSummary.nameOfUnknown),
            state: room.state,
            writable: room.state == .open && state.suspended[other] == nil,
            last: room.messages.last,
            unread: room.messages.count { $0.by == other && $0.number > read }, read: read,
            theirs: room.marks[other] ?? RoomMarks(delivered: 0, read: 0), archived: room.archivedBy.contains(me),
            createdAt: Date(), changedAt: Date())
    }
}
