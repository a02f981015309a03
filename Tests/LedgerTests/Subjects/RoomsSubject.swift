import Foundation
import KampongClient
import TestKit
import WireProtocol

/// The rooms of `chat`: people open them with each other, write, read, and send again what they are not sure of.
struct RoomsSubject: LedgerSubject {
    let service = PeerRole.chat
    let book = RoomBook()
    /// Few enough that many write in the same ones.
    private static let roomsAtOnce = 12

    func command(for person: LedgerPerson, using random: inout SeededGenerator) -> (any LedgerCommand)? {
        let me = person.id!
        book.meet(me)
        let mine = book.rooms(of: me)
        guard let room = mine.randomElement(using: &random), book.count >= Self.roomsAtOnce / 3 else {
            return book.stranger(to: me, using: &random).map { OpenRoomCommand(with: $0, book: book) }
        }
        switch Int.random(in: 0..<100, using: &random) {
        case ..<55: return SendCommand(room: room, book: book, draft: .made(using: &random))
        case ..<65:
            // What one wrote before, once more under another key: the same message.
            return book.draft(of: me, using: &random).map { SendCommand(room: $0.room, book: book, draft: $0.draft) }
        case ..<80: return book.last(of: room).map { MarkCommand(room: room, number: $0, isRead: true) }
        case ..<90:
            return book.last(of: room).map {
                MarkCommand(room: room, number: .random(in: 1...$0, using: &random), isRead: false)
            }
        case ..<94: return ArchiveCommand(room: room, isArchived: .random(using: &random))
        default:
            guard book.count < Self.roomsAtOnce else { return nil }
            return book.stranger(to: me, using: &random).map { OpenRoomCommand(with: $0, book: book) }
        }
    }

    let rows = [
        "chatRooms": "SELECT id, last FROM chat.rooms",
        "chatMembers": "SELECT room, person, delivered, read, unread FROM chat.members",
        "chatMessages": "SELECT room, number, id, author, text FROM chat.messages",
    ]

    func audit(_ evidence: LedgerEvidence, _ work: AttributedWork) -> [Finding] {
        do {
            let history = RoomHistory(
                rooms: try evidence.rows("chatRooms", as: RoomHistory.Room.self),
                members: try evidence.rows("chatMembers", as: RoomHistory.Member.self),
                messages: try evidence.rows("chatMessages", as: RoomHistory.Message.self),
                events: evidence.services["chat"]?.events ?? [])
            return history.findings() + history.compare(book.acknowledged)
        } catch { return [Finding(.rowsDiffer, "the rows of chat cannot be read: \(error)")] }
    }
}
