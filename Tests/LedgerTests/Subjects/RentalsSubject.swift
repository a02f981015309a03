import Foundation
import KampongClient
import TestKit
import WireProtocol

/// What people rent to each other, of `listings`: spaces of a few people, for few enough days that many want the same ones.
struct RentalsSubject: LedgerSubject {
    let service = PeerRole.listings
    let book = RentalBook()
    private static let thingsAtOnce = 6
    private static let daysAhead = 5

    func command(for person: LedgerPerson, using random: inout SeededGenerator) -> (any LedgerCommand)? {
        let me = person.id!
        let chance = Int.random(in: 0..<100, using: &random)
        if book.count < Self.thingsAtOnce, chance < 30 || book.count < 2 {
            return ShareCommand(book: book, draft: thing(using: &random))
        }
        switch chance {
        case ..<45:
            return book.thing(using: &random) { $0.owner != me }.map { thing in
                RentCommand(thing: thing.id, book: book, draft: request(using: &random))
            }
        case ..<65: return act(.accept, using: &random) { $0.owner == me && $0.state == .requested }
        case ..<69: return act(.decline, using: &random) { $0.owner == me && $0.state == .requested }
        case ..<76:
            return act(.cancel, using: &random) {
                $0.renter == me && $0.state == .requested || $0.has(me) && $0.state == .accepted
            }
        case ..<88:
            return act(.handOver, using: &random) {
                $0.has(me) && [.accepted, .handedOver].contains($0.state)
                    && !$0.shown.contains(.init(person: me, act: .handOver))
            }
        default:
            return act(.giveBack, using: &random) {
                $0.has(me) && [.handedOver, .returned].contains($0.state)
                    && !$0.shown.contains(.init(person: me, act: .giveBack))
            }
        }
    }

    private func act(
        _ act: RentalAct, using random: inout SeededGenerator, where fits: (RentalBook.Known) -> Bool
    ) -> RentalCommand? {
        book.rental(using: &random, where: fits).map { RentalCommand(rental: $0.id, act: act, book: book) }
    }

    private func thing(using random: inout SeededGenerator) -> ThingDraft {
        ThingDraft(
            title: "Space \(UUID().uuidString.prefix(13))", size: 12, region: "North", place: "By the water",
            address: "Door 7",
            price: Money(amount: 900, currency: "SGD"), isInstant: .random(using: &random))
    }

    /// Most begin tomorrow, so that they can be handed over.
    private func request(using random: inout SeededGenerator) -> RentalDraft {
        let first = Bool.random(using: &random) ? 1 : Int.random(in: 1...Self.daysAhead, using: &random)
        let last = first + Int.random(in: 0...1, using: &random)
        return RentalDraft(from: Self.day(first), until: Self.day(last))
    }

    /// In Singapore, which is eight hours ahead all the year round.
    private static func day(_ ahead: Int) -> String {
        String(Date(timeIntervalSinceNow: Double(8 * 3600 + ahead * 86400)).ISO8601Format().prefix(10))
    }

    let rows = [
        "rentals": "SELECT id, thing, owner, renter, state, starts, until, holds FROM listings.rentals",
        "occupied": "SELECT thing, rental, starts, until FROM listings.occupied",
        "things": "SELECT id FROM listings.things",
    ]

    /// What time does: reminders, and the end of what nobody answered. And what somebody else's days bring to who waits for them.
    func isOfItsOwn(_ event: PublishedEvent) -> Bool {
        if event.type == RentalReminder.type { return true }
        return event.rental.map { $0.by == nil && [.lapsed, .declined].contains($0.state) } ?? false
    }

    func audit(_ evidence: LedgerEvidence, _ work: AttributedWork) -> [Finding] {
        do {
            let history = RentalHistory(
                rentals: try evidence.rows("rentals", as: RentalHistory.Row.self),
                occupied: try evidence.rows("occupied", as: RentalHistory.Occupied.self),
                things: Set(try evidence.rows("things", as: RentalHistory.ThingRow.self).map(\.id)),
                events: evidence.services["listings"]?.events ?? [])
            return history.findings()
        } catch { return [Finding(.rowsDiffer, "the rows of rentals cannot be read: \(error)")] }
    }
}
