import FoundationEssentials
import WireProtocol

// What is true of a room. No I/O and no clock: the time is an argument. Each transition answers with the room as it is afterwards and
// with what happened, or throws why it may not be.

/// Where two people write to each other about one thing, seen from the one of them who asks.
struct ChatRoom: Hashable, Sendable {
    let id: RoomID
    var about: RoomAbout
    var state = RoomState.open
    let createdAt: Date
    var changedAt: Date
    /// How many messages there are, which is the number of the last one.
    var last = 0
    var me: RoomMember
    var other: RoomMember
    /// The two may not write to each other now: one has blocked the other, they are of different campuses that are kept apart, or one of
    /// them is suspended. Which of these, nobody is told.
    var isSilent = false

    /// Somebody who is gone neither reads nor writes.
    var isWritable: Bool { state == .open && !isSilent && other.person != .nobody }

    var pair: MemberPair { MemberPair(me.person, other.person) }
}

/// What a room is about, as it was last heard of.
struct RoomAbout: Hashable, Sendable {
    var subject: Subject
    var title: String?
    var photo: String?
    /// Whose the subject is; of a `person` room nil.
    var owner: PersonID?
}

/// One of the two, and how far they have got.
struct RoomMember: Hashable, Sendable {
    let person: PersonID
    var marks = RoomMarks(delivered: 0, read: 0)
    /// How many messages are by them.
    var written = 0
    /// How many of the other one's they have not read.
    var unread = 0
    var isArchived = false
    /// Whether it is among their rooms: of a room in which nobody has written yet, only the one who opened it knows.
    var isListed = false
}

/// Two people in the order of their ids.
struct MemberPair: Hashable, Sendable {
    let first: PersonID
    let second: PersonID

    init(_ one: PersonID, _ other: PersonID) {
        (first, second) = one < other ? (one, other) : (other, one)
    }
}

/// What happened in a room, as others are told.
enum RoomEvent: Hashable, Sendable {
    case opened
    case written(ChatMessage)
    /// By the one who asks.
    case got(RoomMarks)
}

struct RoomDecision: Hashable, Sendable {
    var room: ChatRoom
    var events: [RoomEvent]
}

/// A message in its room.
struct ChatMessage: Hashable, Sendable {
    let id: MessageID
    let room: RoomID
    let number: Int
    let by: PersonID
    let text: String
    let photo: String?
    let sentAt: Date
    /// The how-many-th of its writer's in this room: what tells how many of either one's are before any number.
    let ordinal: Int
    /// When moderators hid it; nil where they have not.
    var hiddenAt: Date?

    /// How many messages up to this one are not by that person.
    func others(than person: PersonID) -> Int { by == person ? number - ordinal : ordinal }
}

/// Why something may not be done in a room.
enum ChatError: Error, Hashable, Sendable {
    case invalid([FieldError])
    /// There is no such room for the one who asks, or nobody to open one with.
    case notFound
    /// It is about something that is over.
    case closed
    /// Neither of the two can write now.
    case silent
    /// The id is that of another message.
    case anotherMessage
    case tooManyRooms(limit: Int)
    case tooManyMessages(limit: Int)
}

// MARK: Transitions

extension ChatRoom {
    /// A room that was just made, by the one who sees it.
    static func open(
        _ id: RoomID, about: RoomAbout, by person: PersonID, with other: PersonID, at now: Date
    ) -> RoomDecision {
        var me = RoomMember(person: person)
        me.isListed = true
        let room = ChatRoom(
            id: id, about: about, createdAt: now, changedAt: now, me: me, other: RoomMember(person: other))
        return RoomDecision(room: room, events: [.opened])
    }

    /// A new message takes the room out of the archive of both.
    func write(
        _ words: MessageWords, at now: Date
    ) throws(ChatError) -> (decision: RoomDecision, message: ChatMessage) {
        try requireWritable()
        var room = self
        room.last += 1
        room.me.written += 1
        room.other.unread += 1
        for member in [\ChatRoom.me, \.other] {
            room[keyPath: member].isArchived = false
            room[keyPath: member].isListed = true
        }
        // Whatever clocks do: who is written to later stands above.
        room.changedAt = max(now, changedAt)
        let message = ChatMessage(
            id: words.id, room: id, number: room.last, by: me.person, text: words.text, photo: words.photo,
            sentAt: room.changedAt, ordinal: room.me.written)
        return (RoomDecision(room: room, events: [.written(message)]), message)
    }

    /// How far one has read, which never moves back.
    /// - Parameter message: The one with the number `number`, where there is one.
    func read(to number: Int, _ message: ChatMessage?) throws(ChatError) -> RoomDecision {
        try requireMessage(number)
        guard number > me.marks.read, let message else { return unchanged }
        var room = self
        room.me.marks = RoomMarks(delivered: max(me.marks.delivered, number), read: number)
        room.me.unread = other.written - message.others(than: me.person)
        return RoomDecision(room: room, events: [.got(room.me.marks)])
    }

    func receive(to number: Int) throws(ChatError) -> RoomDecision {
        try requireMessage(number)
        guard number > me.marks.delivered else { return unchanged }
        var room = self
        room.me.marks.delivered = number
        return RoomDecision(room: room, events: [.got(room.me.marks)])
    }

    func archive(_ isArchived: Bool) -> RoomDecision {
        var room = self
        room.me.isArchived = isArchived
        return RoomDecision(room: room, events: [])
    }

    /// Whoever opens it again finds it among their rooms.
    func list() -> RoomDecision {
        var room = self
        room.me.isListed = true
        return RoomDecision(room: room, events: [])
    }

    func requireWritable() throws(ChatError) {
        guard state == .open else { throw .closed }
        guard isWritable else { throw .silent }
    }

    private var unchanged: RoomDecision { RoomDecision(room: self, events: []) }

    private func requireMessage(_ number: Int) throws(ChatError) {
        guard (0...last).contains(number) else {
            throw .invalid([FieldError("number", "out_of_range", "There is no message with this number.")])
        }
    }
}
