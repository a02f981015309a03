import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

extension ChatUseCases {
    /// What chat keeps about somebody: their rooms, and what they wrote in them. What others wrote to them is those people's.
    var ownRecords: PersonalSections {
        PersonalSections([
            .init("rooms") { person, cursor in
                let found = try await store.rooms(of: person, after: cursor.flatMap { RoomID($0) }, at: clock())
                let names = try await people.summaries(of: Set(found.map(\.room.other.person)), for: person)
                return Page(
                    items: try found.map { try PersonalRecord("rooms", ExportedRoom(Room($0, among: names))) },
                    next: found.count == PageSize.largest ? found.last?.room.id.description : nil)
            },
            .init("messages") { person, cursor in
                let found = try await store.messages(by: person, after: cursor.flatMap { MomentCursor($0) })
                return Page(
                    items: try found.map { try PersonalRecord("messages", Message($0), photos: [Message($0).photo]) },
                    next: found.count == PageSize.largest ? found.last.map { MomentCursor($0).text } : nil)
            },
        ])
    }
}

/// A room without what the other one wrote last.
private struct ExportedRoom: Codable, Sendable {
    var id: RoomID
    var subject: Subject
    var title: String?
    var with: PersonSummary
    var state: RoomState
    var read: Int
    var archived: Bool
    var createdAt: Date
    var changedAt: Date

    init(_ room: Room) {
        (id, subject, title, with) = (room.id, room.subject, room.title, room.with)
        (state, read, archived) = (room.state, room.read, room.archived)
        (createdAt, changedAt) = (room.createdAt, room.changedAt)
    }
}

extension RoomStore {
    fileprivate func rooms(of person: PersonID, after: RoomID?, at now: Date) async throws -> [FoundRoom] {
        let viewer = RoomViewer(person: person, now: now, campuses: people.campuses)
        let later: SQLQuery = after.map { "AND room > \($0)" } ?? ""
        return try await database.read(
            viewer.found(
                where: """
                    rooms.id IN (SELECT room FROM members WHERE person = \(person) AND listed \(later)
                        ORDER BY room LIMIT \(unescaped: "\(PageSize.largest)"))
                    ORDER BY rooms.id
                    """)
        ).map(FoundRoom.init)
    }

    fileprivate func messages(by person: PersonID, after: MomentCursor?) async throws -> [ChatMessage] {
        let later: SQLQuery = after.map { "AND (sent_at, id) > (\($0.time), \($0.id))" } ?? ""
        return try await database.read(
            """
            SELECT \(ChatMessage.columns) FROM messages WHERE author = \(person) \(later)
            ORDER BY sent_at, id LIMIT \(unescaped: "\(PageSize.largest)")
            """
        ).map(ChatMessage.init)
    }
}
