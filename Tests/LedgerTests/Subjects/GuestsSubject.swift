import Foundation
import KampongClient
import TestKit
import WireProtocol

/// People who erase themselves and people who take their data along, while everything breaks. Nothing of the former is left in any service, and
/// what the latter had heard to be done is in their archive.
struct GuestsSubject: LedgerSubject {
    static let password = "a walk along the harbour"
    let service = PeerRole.auth
    let book = GuestBook()

    func command(for person: LedgerPerson, using random: inout SeededGenerator) -> (any LedgerCommand)? {
        let guest = book.guest(of: person, using: &random)
        let life = guest.now
        guard let me = life.id else { return ArriveCommand(guest: guest) }
        guest.live { $0.plans -= 1 }
        if life.plans <= 0 {
            // Some of those who go have an archive under way.
            let wantsArchive = !guest.leaves || Int.random(in: 0..<3, using: &random) == 0
            if wantsArchive, !life.export.isAsked { return ExportCommand(guest: guest) }
            if guest.leaves { return EraseCommand(guest: guest) }
        }
        return act(as: guest, life, me, using: &random)
    }

    private func act(
        as guest: Guest, _ life: Guest.Life, _ me: PersonID, using random: inout SeededGenerator
    ) -> (any LedgerCommand)? {
        if let spot = life.holds {
            guest.live { $0.holds = nil }
            return GuestParkCommand(guest: guest, spot: spot)
        }
        switch Int.random(in: 0..<100, using: &random) {
        case ..<35:
            return GuestPostCommand(guest: guest, place: place(using: &random))
        case ..<60:
            let other = book.other(than: guest, using: &random) { !$0.spots.isEmpty }
            return other?.now.spots.randomElement(using: &random).map { GuestClaimCommand(guest: guest, spot: $0) }
        case ..<80:
            return book.other(than: guest, using: &random)?.now.id.map { GuestBefriendCommand(guest: guest, other: $0) }
        case ..<86:
            return book.other(than: guest, using: &random)?.now.id.map {
                GuestBlockCommand(guest: guest, other: $0, book: book)
            }
        case ..<92:
            return book.other(than: guest, using: &random)?.now.id.map { GuestReportCommand(guest: guest, other: $0) }
        default:
            return GuestReviewCommand(guest: guest)
        }
    }

    private func place(using random: inout SeededGenerator) -> Position {
        Position(
            latitude: .random(in: -60...60, using: &random), longitude: .random(in: -170...170, using: &random))
    }

    /// Whose work each event is, is the matter of the other subjects.
    func isOfItsOwn(_ event: PublishedEvent) -> Bool { true }

    // MARK: Audit

    let rows = [
        "receipts": """
        SELECT id, completed_at IS NOT NULL AS done,
            (SELECT count(*) FROM auth.erasure_parts WHERE erasure = id AND done_at IS NULL) AS waiting
        FROM auth.erasures
        """,
        "exports": "SELECT person, ready_at IS NOT NULL AS ready FROM auth.exports",
        "guestAccounts": "SELECT id FROM auth.accounts",
        // What nobody has posted and nobody has taken is nobody's.
        "nobodysSpots": """
        SELECT id FROM listings.spots
        WHERE posted_by = '00000000-0000-0000-0000-000000000000'
            AND (claimed_by IS NULL OR claimed_by = '00000000-0000-0000-0000-000000000000')
        """,
        // Every table that there is, but those that keep events and answers for some days, as auth's README says.
        "tables": """
        SELECT schemaname || '.' || tablename AS name,
            query_to_xml(format('SELECT * FROM %I.%I', schemaname, tablename), false, true, '')::text AS content
        FROM pg_tables
        WHERE schemaname IN ('auth', 'listings', 'rides', 'matching', 'notification', 'chat') AND tablename NOT IN ('outbox', 'requests', 'refusals')
        """,
    ]

    private struct Receipt: Decodable {
        var id: ErasureID
        var done: Bool
        var waiting: Int
    }

    private struct Export: Decodable {
        var person: PersonID
        var ready: Bool
    }

    private struct Account: Decodable { var id: PersonID }

    private struct Spot: Decodable { var id: SpotID }

    private struct Table: Decodable {
        var name: String
        var content: String
    }

    func audit(_ evidence: LedgerEvidence, _ work: AttributedWork) -> [Finding] {
        do {
            let accounts = Set(try evidence.rows("guestAccounts", as: Account.self).map(\.id))
            // Who never heard what became of it, and is gone, has to be gone wholly, too.
            let gone = book.all.filter { guest in
                let life = guest.now
                return life.erasure.isAcknowledged
                    || life.erasure.isAsked && life.id.map { !accounts.contains($0) } ?? false
            }
            let left = try evidence.rows("nobodysSpots", as: Spot.self).map {
                Finding(.halfDone, "the spot \($0.id) is left, of which nobody has anything")
            }
            return try receipts(evidence) + traces(of: gone, evidence) + left + exports(evidence, accounts)
        } catch { return [Finding(.rowsDiffer, "the rows of guests cannot be read: \(error)")] }
    }

    private func receipts(_ evidence: LedgerEvidence) throws -> [Finding] {
        let receipts = try evidence.rows("receipts", as: Receipt.self)
        let kept = Set(receipts.map(\.id))
        let lost = book.all.compactMap(\.now.receipt).filter { !kept.contains($0) }.map {
            Finding(.lost, "the receipt \($0) was given to somebody, and is not there")
        }
        let open = receipts.filter { !$0.done || $0.waiting > 0 }.map {
            Finding(.stuck, "the erasure \($0.id) is not complete; \($0.waiting) services are not done")
        }
        return lost + open
    }

    /// Ids and words of those who are gone, wherever they stand.
    private func traces(of gone: [Guest], _ evidence: LedgerEvidence) throws -> [Finding] {
        let ids = Dictionary(gone.compactMap { guest in guest.now.id.map { ("\($0)", guest) } }) { first, _ in first }
        let words = Dictionary(gone.map { ($0.word, $0) }) { first, _ in first }
        return try evidence.rows("tables", as: Table.self).flatMap { table -> [Finding] in
            let tokens = Set(table.content.split { !$0.isLetter && !$0.isNumber && $0 != "-" })
            return tokens.compactMap { token in
                // That somebody is erased is kept, so that nothing that comes late brings them back.
                let isKept = table.name.hasSuffix(".people_erased") && words[String(token)] == nil
                guard !isKept, ids[String(token)] != nil || words[String(token)] != nil else { return nil }
                return Finding(.halfDone, "\(token), who is erased, stands in \(table.name)")
            }
        }
    }

    private func exports(_ evidence: LedgerEvidence, _ accounts: Set<PersonID>) throws -> [Finding] {
        let exports = try evidence.rows("exports", as: Export.self)
        let begun = Set(exports.map(\.person))
        let stuck = exports.filter { !$0.ready }.map { Finding(.stuck, "the archive of \($0.person) is not ready") }
        let lost = book.all.compactMap { guest -> Finding? in
            let life = guest.now
            guard life.export.isAcknowledged, let id = life.id, accounts.contains(id), !begun.contains(id) else {
                return nil
            }
            return Finding(.lost, "\(id) has asked for an archive, and none is there")
        }
        return stuck + lost
    }
}
