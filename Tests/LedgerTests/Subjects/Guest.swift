import Foundation
import KampongClient
import Synchronization
import TestKit
import WireProtocol

/// Somebody who comes for a while: joins, deals with others like them, takes their data along, and stays or erases themselves.
final class Guest: Sendable {
    struct Life: Sendable {
        var id: PersonID?
        var wasGiven = false
        /// How much more they do before they go or want their archive.
        var plans: Int
        var spots: [SpotID] = []
        var holds: SpotID?
        /// What the archive has to say, and of whom: what was between the two goes where the other one does.
        var records: [Record] = []
        /// The same, of the moment at which the archive was asked for and that was acknowledged.
        var archive: [Record]?
        var export: Asked = .not
        var erasure: Asked = .not
        var receipt: ErasureID?
    }

    struct Record: Hashable, Sendable {
        var text: String
        var other: PersonID?
    }

    enum Asked: Sendable {
        case not
        /// Without an answer that says that it is done.
        case perhaps
        case acknowledged
    }

    /// Stands in their name, their address and in what has to go with them. What they called a spot that somebody else took stays, as a report does.
    let word = "guest" + UUID().uuidString.lowercased().replacing("-", with: "")
    let client: KampongClient
    let leaves: Bool
    private let life: Mutex<Life>

    init(at address: URL, leaves: Bool, plans: Int) {
        client = KampongClient(baseURL: address)
        self.leaves = leaves
        life = Mutex(Life(plans: plans))
    }

    var now: Life { life.withLock { $0 } }
    func live(_ body: (inout Life) -> Void) { life.withLock { body(&$0) } }
    func keep(_ text: String, of other: PersonID? = nil) {
        live { $0.records.append(Record(text: text, other: other)) }
    }
}

/// All guests of a run.
final class GuestBook: Sendable {
    private struct Pages: Sendable {
        var guests: [Guest] = []
        /// Who is looked after by whom of the ledger's people.
        var current: [Int: Guest] = [:]
        /// Pairs of which one has blocked the other, or tried to.
        var apart: Set<Set<PersonID>> = []
    }

    private let pages = Mutex(Pages())

    var all: [Guest] { pages.withLock { $0.guests } }

    /// The one whom a person of the ledger looks after now; a new one where the last has gone, settled, or never came.
    func guest(of person: LedgerPerson, using random: inout SeededGenerator) -> Guest {
        let (leaves, plans) = (Int.random(in: 0..<3, using: &random) > 0, Int.random(in: 3...10, using: &random))
        return pages.withLock { pages in
            if let guest = pages.current[person.number] {
                let life = guest.now
                let isHere = life.id != nil || !life.wasGiven
                let isDone = guest.leaves ? life.erasure.isAsked : life.export.isAsked && life.plans < -3
                if isHere && !isDone { return guest }
            }
            let guest = Guest(at: person.client.baseURL, leaves: leaves, plans: plans)
            pages.guests.append(guest)
            pages.current[person.number] = guest
            return guest
        }
    }

    /// Somebody else who is here and has not asked to be erased.
    func other(than guest: Guest, using random: inout SeededGenerator, where fits: (Guest.Life) -> Bool = { _ in true })
        -> Guest?
    {
        let present = pages.withLock { $0.current }.sorted { $0.key < $1.key }.map(\.value).filter { other in
            let life = other.now
            return other !== guest && life.id != nil && !life.erasure.isAsked && fits(life)
        }
        return present.randomElement(using: &random)
    }

    func part(_ one: PersonID, _ other: PersonID) { pages.withLock { _ = $0.apart.insert([one, other]) } }
    func areApart(_ one: PersonID, _ other: PersonID) -> Bool { pages.withLock { $0.apart.contains([one, other]) } }

    /// Who may not be there any more: asked to be erased, whatever they heard.
    var leavers: Set<PersonID> { Set(all.map(\.now).filter(\.erasure.isAsked).compactMap(\.id)) }
}

extension Guest.Asked {
    var isAsked: Bool { if case .not = self { false } else { true } }
    var isAcknowledged: Bool { if case .acknowledged = self { true } else { false } }
}
