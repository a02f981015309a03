import Foundation
import KampongClient
import Synchronization
import TestKit
import WireProtocol

/// Many rooms of people who are cut off again and again: they write, hear nothing of what they sent, send it again and from another device at the
/// same time, and say how far they have heard.
struct ChatterSubject: LedgerSubject {
    /// The second devices.
    final class Phones: Sendable {
        private let phones = Mutex<[PersonID: Phone]>([:])

        var all: [Phone] { phones.withLock { Array($0.values) } }
        subscript(person: PersonID) -> Phone? { phones.withLock { $0[person] } }
        func add(_ phone: Phone, of person: PersonID) { phones.withLock { $0[person] = phone } }
    }

    let service = PeerRole.chat
    let phones = Phones()
    var book: RoomBook { rooms.book }
    /// Looks at the rows, as where nobody is cut off.
    private let rooms = RoomsSubject()

    func command(for person: LedgerPerson, using random: inout SeededGenerator) -> (any LedgerCommand)? {
        let me = person.id!
        guard let room = book.rooms(of: me).randomElement(using: &random) else { return nil }
        switch Int.random(in: 0..<100, using: &random) {
        case ..<48: return SendCommand(room: room, book: book, draft: .made(using: &random))
        case ..<56:
            let reach = Duration.milliseconds(Int.random(in: 1...60, using: &random))
            return SendCommand(room: room, book: book, draft: .made(using: &random), reach: reach)
        case ..<66:
            // Over another line and in another session; often it is still under way over the first.
            return book.latest(using: &random).flatMap { latest in
                phones[latest.author].map {
                    SendCommand(room: latest.room, book: book, draft: latest.draft, actor: $0.person)
                }
            }
        case ..<72:
            return book.draft(of: me, using: &random).map { SendCommand(room: $0.room, book: book, draft: $0.draft) }
        default:
            // As far as one has heard, or less, as a device that lags behind.
            guard let last = phones[me]?.last(of: room) else { return nil }
            let isNewest = Bool.random(using: &random)
            return MarkCommand(
                room: room, number: isNewest ? last : .random(in: 1...last, using: &random),
                isRead: .random(using: &random))
        }
    }

    var rows: [String: String] { rooms.rows }

    func audit(_ evidence: LedgerEvidence, _ work: AttributedWork) -> [Finding] {
        do {
            let memories = phones.all.map(\.now)
            let history = ChatterHistory(
                drafts: book.drafts, members: try evidence.rows("chatMembers", as: RoomHistory.Member.self),
                messages: try evidence.rows("chatMessages", as: RoomHistory.Message.self),
                heard: memories.map(\.heard), pages: memories.flatMap(\.pages),
                glances: GlanceHistory(
                    glances: memories.flatMap(\.glances), marks: Self.acknowledged(evidence.ledger)))
            return rooms.audit(evidence, work) + history.findings()
        } catch { return [Finding(.rowsDiffer, "the rows of chat cannot be read: \(error)")] }
    }

    private static func acknowledged(_ ledger: [LedgerEntry]) -> [GlanceHistory.Mark] {
        ledger.compactMap { entry in
            guard let command = entry.command as? MarkCommand, case .ok = entry.outcome, let person = entry.person,
                let endedAt = entry.endedAt
            else { return nil }
            return GlanceHistory.Mark(
                room: command.room, of: person, read: command.isRead ? command.number : 0, delivered: command.number,
                answeredAt: endedAt)
        }
    }
}
