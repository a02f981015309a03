#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Requests and replies of the chat service.

public typealias RoomID = ID<Room>
public typealias MessageID = ID<Message>

/// `POST /v1/rooms`: the one room of this subject and these two people, made where there is none yet.
public struct RoomDraft: Codable, Hashable, Sendable {
    /// A spot, a thing, a ride, a match, or a person: one of the two themselves, from a profile.
    public var subject: Subject
    public var with: PersonID

    public init(subject: Subject, with: PersonID) {
        self.subject = subject
        self.with = with
    }

    private enum CodingKeys: String, CodingKey { case subject, with }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        subject = try fields.decodeSubject(for: .rooms, forKey: .subject)
        with = try fields.decode(PersonID.self, forKey: .with)
    }
}

public enum RoomState: String, Codable, Hashable, Sendable {
    case open
    /// Can be read, and not written in any more: what it is about was taken back or is over.
    case closed
}

/// A room as one of its two people sees it.
public struct Room: Codable, Hashable, Sendable {
    public var id: RoomID
    /// Where it is a person, the one of the two with the smaller id: so that it is the same for both.
    public var subject: Subject
    /// What the subject was called when it was last heard of; of a `person` room nil.
    public var title: String?
    /// The subject's photo, shown at `/photos/{id}/{thumb|medium|full}`.
    public var photo: String?
    public var with: PersonSummary
    public var state: RoomState
    /// Whether the caller may write now. Not in a closed room, and not where one has blocked the other: that looks the same to both.
    public var writable: Bool
    /// The newest message; nil while nobody has written.
    public var last: Message?
    /// How many messages of the other one the caller has not read.
    public var unread: Int
    /// How far the caller has read: a message's number, 0 before the first.
    public var read: Int
    /// How far the other one has got, for ticks.
    public var theirs: RoomMarks
    public var archived: Bool
    public var createdAt: Date
    /// When something was last written, or the room made.
    public var changedAt: Date

    public init(
        id: RoomID, subject: Subject, title: String?, photo: String?, with: PersonSummary, state: RoomState,
        writable: Bool, last: Message?, unread: Int, read: Int, theirs: RoomMarks, archived: Bool, createdAt: Date,
        changedAt: Date
    ) {
        self.id = id
        self.subject = subject
        self.title = title
        self.photo = photo
        self.with = with
        self.state = state
        self.writable = writable
        self.last = last
        self.unread = unread
        self.read = read
        self.theirs = theirs
        self.archived = archived
        self.createdAt = createdAt
        self.changedAt = changedAt
    }
}

/// How far somebody has got in a room, by the numbers of messages. They never move back, and `read` is at most `delivered`.
public struct RoomMarks: Codable, Hashable, Sendable {
    /// Up to here they have arrived on a device.
    public var delivered: Int
    public var read: Int

    public init(delivered: Int, read: Int) {
        self.delivered = delivered
        self.read = read
    }
}

public struct Message: Codable, Hashable, Sendable {
    public var id: MessageID
    public var room: RoomID
    /// 1, 2, 3 … within its room, without gaps, the same for both.
    public var number: Int
    public var by: PersonID
    /// Empty where the picture says it all, or where its writer is gone and took their words along.
    public var text: String
    /// A photo's id.
    public var photo: String?
    public var sentAt: Date
    /// True where moderators have hidden it: then neither of the two sees its words or its picture. Absent where they have not.
    public var hidden: Bool?

    public init(
        id: MessageID, room: RoomID, number: Int, by: PersonID, text: String, photo: String?, sentAt: Date,
        hidden: Bool? = nil
    ) {
        self.id = id
        self.room = room
        self.number = number
        self.by = by
        self.text = text
        self.photo = photo
        self.sentAt = sentAt
        self.hidden = hidden
    }
}

/// `POST /v1/rooms/{id}/messages`. The same id again is the same message, however late and over whichever connection.
public struct MessageDraft: Codable, Hashable, Sendable {
    /// Made by the one who writes.
    public var id: MessageID
    /// Up to 4,000 characters; may be empty where there is a photo.
    public var text: String
    public var photo: String?

    public init(id: MessageID, text: String, photo: String? = nil) {
        self.id = id
        self.text = text
        self.photo = photo
    }
}

public struct RoomReference: Codable, Hashable, Sendable {
    public var id: RoomID
    public init(id: RoomID) { self.id = id }
}

/// Which of one's rooms.
public enum RoomShelf: String, Codable, CaseIterable, Hashable, Sendable {
    /// Those that are not archived: open ones, and of those that are over what one has not read to its end.
    case inbox
    case closed
    case archived
}

/// `GET /v1/rooms`: the caller's own, the one with the newest message first.
public struct RoomQuery: Codable, Hashable, Sendable {
    /// `inbox` where absent; with `q` all of them where absent.
    public var shelf: RoomShelf?
    /// Found in the other's name, the subject's title or a message; 2 to 100 characters.
    public var q: String?
    public var limit: Int?
    public var cursor: String?

    public init(shelf: RoomShelf? = nil, q: String? = nil, limit: Int? = nil, cursor: String? = nil) {
        self.shelf = shelf
        self.q = q
        self.limit = limit
        self.cursor = cursor
    }
}

/// `GET /v1/rooms/{id}/messages`: the newest where neither is given; at most one of `before` and `after` is. The answer is a
/// `MessageList`.
public struct MessageQuery: Codable, Hashable, Sendable {
    public var id: RoomID
    /// Messages with smaller numbers, the nearest ones.
    public var before: Int?
    /// Messages with greater numbers, the nearest ones.
    public var after: Int?
    /// 50 where absent, 100 at most.
    public var limit: Int?

    public init(id: RoomID, before: Int? = nil, after: Int? = nil, limit: Int? = nil) {
        self.id = id
        self.before = before
        self.after = after
        self.limit = limit
    }
}

/// Messages of a room that follow one another, in the order of their numbers. A list that has no cursor: what there is on either side is asked for by
/// the numbers.
public struct MessageList: Codable, Hashable, Sendable {
    public var items: [Message]
    /// The `before` by which those are asked for that come before these; nil where these are the first.
    public var before: Int?
    /// The `after` by which those are asked for that follow these; nil where these were the last when it was asked.
    public var after: Int?

    public init(items: [Message], before: Int? = nil, after: Int? = nil) {
        self.items = items
        self.before = before
        self.after = after
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(items, forKey: .items)
        // null, not absent: the contract names them
        try container.encode(before, forKey: .before)
        try container.encode(after, forKey: .after)
    }

    private enum CodingKeys: String, CodingKey { case items, before, after }
}

/// `PUT /v1/rooms/{id}/read` and `…/delivered`: up to which message.
public struct MessageMark: Codable, Hashable, Sendable {
    public var number: Int
    public init(number: Int) { self.number = number }
}

/// `PUT /v1/rooms/{id}/archived`. A new message takes a room out of the archive again.
public struct RoomArchiving: Codable, Hashable, Sendable {
    public var archived: Bool
    public init(archived: Bool) { self.archived = archived }
}

/// `GET /v1/rooms/unread`: for a badge.
public struct UnreadCount: Codable, Hashable, Sendable {
    /// How many of the rooms in one's inbox have something that one has not read.
    public var rooms: Int
    public init(rooms: Int) { self.rooms = rooms }
}

public struct MessageReference: Codable, Hashable, Sendable {
    public var id: MessageID
    public init(id: MessageID) { self.id = id }
}

/// A message that is reported, with what is around it: for moderators.
public struct ReportedMessages: Codable, Hashable, Sendable {
    public var reported: MessageID
    /// In the order of their numbers. Of those that are hidden the words are not there.
    public var items: [Message]
    /// Who wrote them, as far as they are still there.
    public var people: [PersonSummary]

    public init(reported: MessageID, items: [Message], people: [PersonSummary]) {
        self.reported = reported
        self.items = items
        self.people = people
    }
}

package enum ChatMethods {
    /// One message of a room of the caller's, for who is about to report it.
    package static let message = Method<MessageReference, Nothing, Message>("chat.message", .query)
    /// Auth asks it for a moderator, of a message that has an open report, once that is in the audit log.
    package static let reported = Method<MessageReference, Nothing, ReportedMessages>(
        "chat.reported", .query, peers: [.auth])
    package static let rooms = Method<RoomQuery, Nothing, Page<Room>>("chat.rooms", .query)
    package static let room = Method<RoomReference, Nothing, Room>("chat.room", .query)
    package static let unread = Method<Nothing, Nothing, UnreadCount>("chat.unread", .query)
    package static let messages = Method<MessageQuery, Nothing, MessageList>("chat.messages", .query)
    package static let openRoom = Method<Nothing, RoomDraft, Room>("chat.openRoom", .command)
    package static let send = Method<RoomReference, MessageDraft, Message>("chat.send", .command)
    package static let markRead = Method<RoomReference, MessageMark, Nothing>("chat.markRead", .command)
    package static let markDelivered = Method<RoomReference, MessageMark, Nothing>("chat.markDelivered", .command)
    package static let archiveRoom = Method<RoomReference, RoomArchiving, Nothing>("chat.archiveRoom", .command)
    /// That the caller is writing just now. The other one hears of it at most every three seconds; nothing is kept.
    package static let typing = Method<RoomReference, Nothing, Nothing>("chat.typing", .command)
}
