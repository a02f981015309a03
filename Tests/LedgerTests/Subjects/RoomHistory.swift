import TestKit
import WireProtocol

/// What must be true of messages and marks, whatever died meanwhile: each acknowledged message once, one order for both, no gap, and marks that
/// never move back. Pure.
struct RoomHistory {
    struct Room: Decodable {
        var id: RoomID
        var last: Int
    }

    struct Member: Decodable {
        var room: RoomID
        var person: PersonID
        var delivered: Int
        var read: Int
        var unread: Int
    }

    struct Message: Decodable, Hashable {
        var room: RoomID
        var number: Int
        var id: MessageID
        var author: PersonID
        var text: String
    }

    var rooms: [Room]
    var members: [Member]
    var messages: [Message]
    var events: [PublishedEvent]

    func findings() -> [Finding] {
        let events = Dictionary(grouping: events, by: \.aggregate)
        let members = Dictionary(grouping: members, by: \.room)
        let messages = Dictionary(grouping: messages, by: \.room)
        return rooms.flatMap { room in
            let told = (events["room/\(room.id)"] ?? []).sorted { $0.number < $1.number }
            let written = (messages[room.id] ?? []).sorted { $0.number < $1.number }
            return numbers(in: room, written) + tellings(of: written, told, in: room)
                + marks(of: members[room.id] ?? [], told, written, in: room)
        }
    }

    /// Everybody who was told that a message is sent, was told what is there.
    func compare(_ acknowledged: [WireProtocol.Message]) -> [Finding] {
        let kept = Dictionary(grouping: messages, by: \.id)
        return acknowledged.compactMap { message in
            let due = Message(message)
            let found = kept[message.id] ?? []
            if found == [due] { return nil }
            return Finding(found.isEmpty ? .lost : .rowsDiffer, "\(due) was acknowledged, and there is \(found)")
        }
    }

    private func numbers(in room: Room, _ written: [Message]) -> [Finding] {
        guard written.map(\.number) != Array(1..<(room.last + 1)) else { return [] }
        return [Finding(.gap, "room \(room.id) ends with \(room.last) and has the numbers \(written.map(\.number))")]
    }

    private func tellings(of written: [Message], _ events: [PublishedEvent], in room: Room) -> [Finding] {
        let told = events.compactMap { $0.decoded(as: MessageSent.self)?.message }.map { Message($0) }
        guard told != written else { return [] }
        return [Finding(.disorder, "of room \(room.id) was told \(told.map(\.number)), and there is otherwise")]
    }

    private func marks(
        of members: [Member], _ events: [PublishedEvent], _ written: [Message], in room: Room
    ) -> [Finding] {
        members.flatMap { member -> [Finding] in
            let told = events.compactMap { $0.decoded(as: MessagesRead.self) }.filter { $0.by == member.person }
                .map(\.marks)
            var findings: [Finding] = []
            for (before, next) in zip(told, told.dropFirst())
            where next.read < before.read || next.delivered < before.delivered {
                findings.append(Finding(.disorder, "marks of \(member.person) in \(room.id) moved back to \(next)"))
            }
            let now = RoomMarks(delivered: member.delivered, read: member.read)
            if now != told.last ?? RoomMarks(delivered: 0, read: 0) {
                findings.append(Finding(.rowsDiffer, "\(member.person) in \(room.id) is at \(now), and told otherwise"))
            }
            let unread = written.count { $0.author != member.person && $0.number > member.read }
            if unread != member.unread {
                findings.append(
                    Finding(.rowsDiffer, "\(member.person) in \(room.id) has not read \(unread), not \(member.unread)"))
            }
            return findings
        }
    }
}

extension RoomHistory.Message {
    init(_ message: WireProtocol.Message) {
        self.init(
            room: message.room, number: message.number, id: message.id, author: message.by, text: message.text)
    }
}
