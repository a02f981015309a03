import Messaging
import People
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where rooms live. Every one of them is asked for by one of its two people, and there is none for anybody else.
protocol RoomStore: Sendable {
    associatedtype Transaction: RoomTransaction

    func room(_ id: RoomID, of person: PersonID, at now: Date) async throws -> FoundRoom?

    /// At most `page.limit` + 1 rooms, so that it shows whether there is another page.
    func rooms(_ page: RoomPage, of person: PersonID, at now: Date) async throws -> [FoundRoom]

    /// How many rooms in somebody's inbox have something that they have not read.
    func unread(of person: PersonID) async throws -> Int

    /// In the order of their numbers; nil where there is no such room for that person.
    func messages(_ page: MessagePage, in room: RoomID, of person: PersonID) async throws -> FoundMessages?

    /// One message; with a person, only where its room is theirs.
    func message(_ id: MessageID, of person: PersonID?) async throws -> ChatMessage?

    /// The messages around one, so many on each side, in the order of their numbers.
    func messages(around message: ChatMessage, within reach: Int) async throws -> [ChatMessage]

    /// What open rooms are about of which nobody was asked since `moment`; those first of which nobody was asked for longest.
    func subjects(askedBefore moment: Date, atMost limit: Int) async throws -> [DueSubject]

    /// Which of these pictures belong to a message.
    func photos(among photos: [String]) async throws -> [String]

    /// At most so many pictures of rooms of which nothing is left, in the order of the rooms. While a room's messages are still being deleted
    /// its pictures are not among them: another one of its messages may show the same.
    func leftPhotos(atMost limit: Int) async throws -> [LeftPhotos]

    /// Does what a person asked for once, however often the request comes, and answers the same each time. All of it is
    /// done or, if the body throws, nothing.
    func command<Reply: Codable & Sendable>(
        _ request: RequestContext, _ body: @Sendable @escaping (Transaction) async throws -> Reply
    ) async throws -> Reply

    /// The same of a message, in two steps: all that has to be known is asked at once, under the locks of the writer and of the room, and what
    /// `body` decides is written at once.
    func write<Reply: Codable & Sendable>(
        _ id: MessageID, in room: RoomID, by person: PersonID, _ request: RequestContext,
        _ body: @Sendable @escaping (WritingDesk) throws -> (Reply, RoomDecision?)
    ) async throws -> Reply

    /// The same without anybody's request.
    func transaction<Result: Sendable>(
        _ body: @Sendable @escaping (Transaction) async throws -> Result
    ) async throws -> Result
}

/// What may be done in rooms, all together or not at all. Whatever changes a room also tells its events.
protocol RoomTransaction: Sendable {
    /// The moment at which all of it happens, in whole milliseconds.
    var now: Date { get }

    /// From here to the end of the transaction these people's other commands wait, and so does the erasure of any of them.
    func lock(_ people: Set<PersonID>) async throws

    /// What is known of people, without asking anybody else.
    func people(_ ids: Set<PersonID>, for viewer: PersonID) async throws -> KnownPeople

    /// How much a person has done lately. Lock them first, so that the numbers stay true.
    func activity(of person: PersonID, since moment: Date) async throws -> RecentActivity

    /// Locks the room and says how it is; nil where there is none for this person.
    func room(_ id: RoomID, of person: PersonID) async throws -> ChatRoom?

    /// The one room of a subject and two people, locked.
    func room(about subject: Subject, of person: PersonID, with other: PersonID) async throws -> ChatRoom?

    /// Whether the two may meet: both are known, not apart and not suspended.
    func areTogether(_ person: PersonID, _ other: PersonID) async throws -> Bool

    /// What was said of a subject since that moment.
    func news(of subject: Subject, since moment: Date) async throws -> SubjectNews?

    func message(_ number: Int, in room: RoomID) async throws -> ChatMessage?

    /// Makes the room, unless there is one of these two about this: then that is the answer.
    func add(_ decision: RoomDecision) async throws -> ChatRoom

    /// Keeps what was decided of a room that is locked.
    func keep(_ decision: RoomDecision) async throws

    /// Tells the other one that somebody writes, unless that was told just now.
    func tellTyping(in room: ChatRoom, unlessSince moment: Date) async throws

    /// Gives the rooms of a subject what was said of it.
    func follow(_ subject: Subject, _ facts: RoomSubjectFacts) async throws

    /// People of whose suspension, or of whose end, their open rooms have not been told; at most so many.
    func suspensionsToTell(atMost limit: Int) async throws -> [PersonID]

    /// Tells the two of somebody's open rooms to look whether one can write there, unless they know; of so many rooms at the most, the newest.
    func tellOfSuspension(of person: PersonID, inAtMost count: Int) async throws

    /// Whether all open rooms of the subject have it as it is: of what is open to some of them alone, none does.
    func say(_ facts: RoomSubjectFacts, of subject: Subject) async throws -> Bool

    /// Keeps that it was asked what rooms are about.
    func note(_ subject: Subject, askedAt moment: Date) async throws

    /// Hides a message from both, or shows it again, as moderators say; nothing where it is gone, or is so already.
    func hide(_ id: MessageID, at moment: Date?) async throws

    /// Deletes rooms that were closed or last written in before `moment`; at most so many, and none that another process is at.
    /// - Returns: How many.
    func forget(endedBefore moment: Date, atMost limit: Int) async throws -> Int

    /// Deletes messages of rooms that are gone, and news of subjects that are older than `moment`; at most so many of each. The pictures of
    /// the messages are left for the gateway, which has them.
    /// - Returns: How many messages.
    func clear(newsBefore moment: Date, atMost limit: Int) async throws -> Int

    /// Forgets pictures of which the gateway says that they are gone, or that somebody else shows them.
    func settle(_ photos: LeftPhotos) async throws
}

/// A room with its newest message.
struct FoundRoom: Hashable, Sendable {
    var room: ChatRoom
    var newest: ChatMessage?
}

/// What lies before somebody who writes a message.
struct WritingDesk: Hashable, Sendable {
    /// The moment at which it is written.
    var now: Date
    /// The message that has this id already, whoever's it is.
    var known: ChatMessage?
    var isSuspended: Bool
    /// How many messages they have written within the last minute.
    var lately: Int
    /// Nil where there is no such room for them.
    var room: ChatRoom?
}

/// What somebody has done lately.
struct RecentActivity: Hashable, Sendable {
    var roomsOpened: Int
    var messages: Int
    var isSuspended: Bool
}

/// What the service that has a subject said of it.
struct SubjectNews: Hashable, Sendable {
    var title: String?
    var photo: String?
    var isOpen: Bool
    /// Else to its partners alone.
    var isOpenToAll = true
    var partners: [PersonID] = []

    func isOpen(to person: PersonID) -> Bool { isOpen && (isOpenToAll || partners.contains(person)) }
}
