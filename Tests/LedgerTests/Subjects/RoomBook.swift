import Synchronization
import TestKit
import WireProtocol

/// What the people of the ledger know of their rooms, and what they were told. Safe from any task.
final class RoomBook: Sendable {
    private struct Content {
        var people: Set<PersonID> = []
        var rooms: [RoomID: Set<PersonID>] = [:]
        var last: [RoomID: Int] = [:]
        var drafts: [PersonID: [(room: RoomID, draft: MessageDraft)]] = [:]
        var acknowledged: [Message] = []
    }

    private let content = Mutex(Content())

    var count: Int { content.withLock { $0.rooms.count } }

    /// Every message that somebody was told to be sent, as often as they were told.
    var acknowledged: [Message] { content.withLock { $0.acknowledged } }

    func meet(_ person: PersonID) { content.withLock { _ = $0.people.insert(person) } }

    func add(_ room: Room, of person: PersonID) { content.withLock { $0.rooms[room.id] = [person, room.with.id] } }

    func rooms(of person: PersonID) -> [RoomID] {
        content.withLock { $0.rooms.filter { $0.value.contains(person) }.keys.sorted() }
    }

    func stranger(to person: PersonID, using random: inout SeededGenerator) -> PersonID? {
        content.withLock { $0.people.subtracting([person]).sorted() }.randomElement(using: &random)
    }

    func last(of room: RoomID) -> Int? { content.withLock { $0.last[room] } }

    /// Before the answer, whatever it is.
    func note(_ draft: MessageDraft, by person: PersonID, in room: RoomID) {
        content.withLock { $0.drafts[person, default: []].append((room, draft)) }
    }

    func draft(of person: PersonID, using random: inout SeededGenerator) -> (room: RoomID, draft: MessageDraft)? {
        content.withLock { $0.drafts[person] ?? [] }.randomElement(using: &random)
    }

    func acknowledge(_ message: Message) {
        content.withLock {
            $0.acknowledged.append(message)
            $0.last[message.room] = max($0.last[message.room] ?? 0, message.number)
        }
    }
}
