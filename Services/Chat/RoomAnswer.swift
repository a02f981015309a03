import People
import WireProtocol

// What somebody is told of their rooms.

extension Room {
    init(_ found: FoundRoom, among people: KnownPeople) {
        let room = found.room
        self.init(
            id: room.id, subject: room.about.subject, title: room.about.title, photo: room.about.photo,
            with: people[room.other.person], state: room.state, writable: room.isWritable,
            last: found.newest.map(Message.init), unread: room.me.unread, read: room.me.marks.read,
            theirs: room.other.marks, archived: room.me.isArchived, createdAt: room.createdAt,
            changedAt: room.changedAt)
    }
}

extension Message {
    init(_ message: ChatMessage) {
        self.init(
            id: message.id, room: message.room, number: message.number, by: message.by,
            text: message.hiddenAt == nil ? message.text : "", photo: message.hiddenAt == nil ? message.photo : nil,
            sentAt: message.sentAt, hidden: message.hiddenAt == nil ? nil : true)
    }
}
