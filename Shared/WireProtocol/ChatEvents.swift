// Events of the chat service, and what it asks of those who have what rooms are about.

package enum ChatEvents {
    package static let stream = PublishedStream(of: .chat)
}

/// Somebody has written; for both people of the room.
public struct MessageSent: Codable, Hashable, Sendable {
    public var message: Message
    /// Whom it is for.
    public var to: PersonID
    public var subject: Subject
    /// What the room is about, as in `Room.title`.
    public var title: String?

    public init(message: Message, to: PersonID, subject: Subject, title: String?) {
        self.message = message
        self.to = to
        self.subject = subject
        self.title = title
    }
}

/// Somebody has got further in a room; for both, since one's own other devices follow too.
public struct MessagesRead: Codable, Hashable, Sendable {
    public var room: RoomID
    public var by: PersonID
    public var marks: RoomMarks

    public init(room: RoomID, by: PersonID, marks: RoomMarks) {
        self.room = room
        self.by = by
        self.marks = marks
    }
}

/// Somebody is writing just now; for the other one.
public struct Typing: Codable, Hashable, Sendable {
    public var room: RoomID
    public var by: PersonID

    public init(room: RoomID, by: PersonID) {
        self.room = room
        self.by = by
    }
}

/// Moderators have hidden a message, or show it again; for both. What `message` said of it is not told again with its words.
public struct MessageHidden: Codable, Hashable, Sendable {
    public var room: RoomID
    public var id: MessageID
    public var number: Int
    public var hidden: Bool
    /// Who wrote it.
    public var by: PersonID?

    public init(room: RoomID, id: MessageID, number: Int, hidden: Bool, by author: PersonID? = nil) {
        self.room = room
        self.id = id
        self.number = number
        self.hidden = hidden
        by = author
    }
}

/// A room was opened, closed, or opened again, its two came apart or together, or one of them is suspended or is so no more: whether one can
/// write in it is to be asked; for both.
public struct RoomChanged: Codable, Hashable, Sendable {
    public var room: RoomID
    public var state: RoomState

    public init(room: RoomID, state: RoomState) {
        self.room = room
        self.state = state
    }
}

extension MessageSent: Event { package static let type = "message" }
extension MessagesRead: Event { package static let type = "read" }
extension Typing: Event { package static let type = "typing" }
extension MessageHidden: Event { package static let type = "messageHidden" }
extension RoomChanged: Event { package static let type = "roomChanged" }

extension MessageSent {
    /// As it may be told once moderators have hidden the message.
    package var withoutWords: MessageSent {
        var event = self
        (event.message.text, event.message.photo, event.message.hidden) = ("", nil, true)
        return event
    }
}

// MARK: What rooms are about

/// Asks the service that has a subject what a room about it needs to know.
package struct RoomSubjectQuery: Codable, Hashable, Sendable {
    package var subject: Subject
    /// For whom: refused where there is no such thing for them.
    package var viewer: PersonID

    package init(subject: Subject, viewer: PersonID) {
        self.subject = subject
        self.viewer = viewer
    }
}

package struct RoomSubjectFacts: Codable, Hashable, Sendable {
    /// Nil, as the photo is, while moderators hide it.
    package var title: String?
    package var photo: String?
    /// Whose it is: everybody who sees it may write to them.
    package var owner: PersonID
    /// With whom the owner has to do about it now, such as who claimed the spot: the owner may write to them first.
    package var partners: [PersonID]
    /// Whether it lives: rooms about what is over are closed.
    package var isOpen: Bool
    /// Where it lives for its partners alone, false: it is shared with nobody else any more.
    package var isOpenToAll: Bool?

    package init(
        title: String?, photo: String?, owner: PersonID, partners: [PersonID], isOpen: Bool, isOpenToAll: Bool? = nil
    ) {
        self.title = title
        self.photo = photo
        self.owner = owner
        self.partners = partners
        self.isOpen = isOpen
        self.isOpenToAll = isOpenToAll
    }

    /// Whether its owner and this person may write to each other about it.
    package func isOpen(to person: PersonID) -> Bool {
        isOpen && (isOpenToAll != false || partners.contains(person))
    }
}

extension CommonMethods {
    /// What a room about a subject needs to know, for somebody who sees it: `not_found` where they do not.
    package var roomSubject: Method<RoomSubjectQuery, Nothing, RoomSubjectFacts> {
        Method("\(service).roomSubject", .query, peers: [.chat])
    }
}

/// What rooms are about lives, is over, or is called otherwise; every service that has such things publishes it when that changes. For services.
package struct RoomSubjectChanged: Event {
    package static let type = "roomSubjectChanged"
    package var subject: Subject
    package var facts: RoomSubjectFacts

    package init(subject: Subject, facts: RoomSubjectFacts) {
        self.subject = subject
        self.facts = facts
    }
}
