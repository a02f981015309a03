import FoundationEssentials
import WireProtocol

/// A message as `messages/row` shows it.
struct MessageRow {
    /// How far a message of one's own has got.
    enum Tick: String { case sent, delivered, read }

    var id: String
    var number: Int
    var mine: Bool
    /// Whether the one before it is by the same person and of the same minutes: they stand together.
    var run = false
    var jumbo: Bool
    /// Who wrote it, for those who don't see on which side it stands.
    var who: String
    var hasWords: Bool
    var parts: [MessageText.Part]
    var gone: Bool
    /// Moderators have hidden it from both.
    var hidden: Bool
    /// Where it can be reported, where it is the other one's.
    var report: String?
    var reportText: String
    var photo: String?
    var photoText: String
    var time: Moment
    /// The day that begins with it.
    var day: Moment?
    /// That what follows is new.
    var news: String?
    var tick: String?
    var tickIcon: String
    var tickText: String

    init(_ message: Message, in room: Room, _ visit: Visit) {
        let words = visit.words
        let isOwn = message.by == visit.context.caller.person
        id = message.id.description
        number = message.number
        mine = isOwn
        jumbo = message.photo == nil && MessageText.isEmojiAlone(message.text)
        who = isOwn ? words["messages.you"] : room.with.name
        hasWords = !message.text.isEmpty
        parts = MessageText.parts(of: message.text)
        hidden = message.hidden == true
        gone = message.text.isEmpty && message.photo == nil && !hidden
        let isTheirs = !isOwn && message.by == room.with.id && !gone && !hidden
        report = isTheirs ? Subject(message.id).reportHref : nil
        reportText = words["messages.report"]
        photo = message.photo
        photoText = isOwn ? words["messages.yourPhoto"] : words["messages.photoBy", ["name": room.with.name]]
        time = visit.moment(message.sentAt, .clock)
        let state = Tick(of: message, room.theirs)
        tick = isOwn ? state.rawValue : nil
        tickIcon = state == .sent ? "check" : "checks"
        tickText = words["messages.tick.\(state.rawValue)"]
    }

    /// A stretch of messages, with the days between them.
    /// - Parameter previous: the message before the first of them, where that is known.
    static func rows(
        _ messages: [Message], after previous: Message? = nil, in room: Room, news: Bool = false, _ visit: Visit
    ) -> [MessageRow] {
        var before = previous
        return messages.map { message in
            var row = MessageRow(message, in: room, visit)
            if before.map({ !isSameDay($0.sentAt, message.sentAt) }) ?? true {
                row.day = visit.moment(message.sentAt, .day)
            }
            row.run = row.day == nil && before.map { $0.by == message.by && message.sentAt < $0.sentAt + 300 } ?? false
            if news, room.unread > 0, !row.mine, message.number > room.read,
                before.map({ $0.number <= room.read }) ?? true
            {
                row.news = visit.words["messages.news", count: room.unread]
                row.run = false
            }
            before = message
            return row
        }
    }

    private static func isSameDay(_ one: Date, _ other: Date) -> Bool {
        WireJSON.text(of: one).prefix(10) == WireJSON.text(of: other).prefix(10)
    }
}

extension MessageRow.Tick {
    fileprivate init(of message: Message, _ theirs: RoomMarks) {
        self = message.number <= theirs.read ? .read : message.number <= theirs.delivered ? .delivered : .sent
    }
}
