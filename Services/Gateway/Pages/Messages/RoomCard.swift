import WireProtocol

/// A room in the list, as `messages/card` shows it.
struct RoomCard {
    var id: String
    var with: PersonView
    var about: String?
    var aboutPhoto: String?
    var aboutIcon: String?
    /// What was written last, on one line.
    var last: String
    /// Of the last message, where it is one's own.
    var tick: String?
    var tickIcon = "check"
    var tickText = ""
    var time: Moment
    var unread: Int?
    var unreadText: String
    var isNew: Bool
    /// That it is archived or closed, where that is not the list that it is shown in: what is closed and unread is in the inbox.
    var tag: String?

    init(_ room: Room, on shelf: RoomShelf?, in visit: Visit) {
        let words = visit.words
        id = room.id.description
        with = PersonView(room.with, badge: visit.badge(of: room.with.campus))
        about = room.about(in: words)
        aboutPhoto = room.photo
        aboutIcon = room.photo == nil ? visit.look(of: room.subject)?.icon : nil
        let row = room.last.map { MessageRow($0, in: room, visit) }
        last = room.last.map { Self.line(of: $0, words) } ?? words["messages.nothingYet"]
        if let row, row.mine { (tick, tickIcon, tickText) = (row.tick, row.tickIcon, row.tickText) }
        time = visit.moment(room.last?.sentAt ?? room.changedAt, .ago)
        isNew = room.unread > 0
        unread = isNew ? room.unread : nil
        unreadText = words["messages.unread", count: room.unread]
        let kind: RoomShelf = room.archived ? .archived : room.state == .closed ? .closed : .inbox
        tag = kind == .inbox || kind == shelf ? nil : words["messages.shelf.\(kind.rawValue)"]
    }

    private static func line(of message: Message, _ words: Words) -> String {
        if !message.text.isEmpty { return String(message.text.prefix(200)).replacing("\n", with: " ") }
        if message.hidden == true { return words["messages.hidden"] }
        return words[message.photo == nil ? "messages.gone" : "messages.photo"]
    }
}

extension Room {
    /// What the room is about, in a few words; nil where that is the two themselves.
    func about(in words: Words) -> String? {
        guard subject.kind != .person else { return nil }
        return title ?? words["messages.about.\(subject.kind.rawValue)"]
    }
}
