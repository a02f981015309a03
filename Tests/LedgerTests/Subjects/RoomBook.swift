import Synchronization
import TestKit
import WireProtocol

/// What the people of the ledger know of their rooms, and what they were told. Safe from any task.
final class RoomBook: Sendable {
    private struct Content {
        var people: Set<PersonID> = []
        var rooms: Set<RoomID> = []
        var mine: [PersonID: Set<RoomID>] = [:]
        var last: [RoomID: Int] = [:]
        var drafts: [PersonID: [(room: RoomID, draft: MessageDraft)]] = [:]
        var acknowledged: [Message] = []
    }

    private let content = Mutex(Content())

    var count: Int { content.withLock { $0.rooms.count } }

    /// Every message that somebody was told to be sent, as often as they were told.
    var acknowledged: [Message] { content.withLock { $0.acknowledged } }

    func meet(_ person: PersonID) { content.withLock { _ = $0.people.insert(person) } }

    func add(_ room: Room, of person: PersonID) {
        content.withLock {
            $0.rooms.insert(room.id)
            for member in [person, room.with.id] { $0.mine[member, default: []].insert(room.id) }
        }
    }

    func rooms(of person: PersonID) -> [RoomID] { content.withLock { $0.mine[person] ?? [] }.sorted() }

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

    /// What somebody wrote last, who may be waiting for the answer still.
    func latest(using random: inout SeededGenerator) -> (author: PersonID, room: RoomID, draft: MessageDraft)? {
        let latest = content.withLock { $0.drafts.mapValues { $0[$0.count - 1] } }
        guard let author = latest.keys.sorted().randomElement(using: &random), let last = latest[author] else {
            return nil
        }
        return (author: author, room: last.room, draft: last.draft)
    }

    /// All that was ever sent, whatever was heard of it.
    var drafts: [(author: PersonID, room: RoomID, draft: MessageDraft)] {
        content.withLock { $0.drafts }.flatMap { author, all in
            all.map { (author: author, room: $0.room, draft: $0.draft) }
        }
    }

    func acknowledge(_ message: Message) {
        content.withLock {
            $0.acknowledged.append(message)
            $0.last[message.room] = max($0.last[message.room] ?? 0, message.number)
        }
    }
}
