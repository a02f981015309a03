import Foundation
import KampongClient
import TestKit
import WireProtocol

/// Orders and who brings them, of `matching`: three restaurants beside each other, and few hands, so that many are asked for the same.
struct DeliveriesSubject: LedgerSubject {
    let service = PeerRole.matching
    let book = DeliveryBook()
    let street: EatingStreet

    func command(for person: LedgerPerson, using random: inout SeededGenerator) -> (any LedgerCommand)? {
        let me = person.id!
        switch Int.random(in: 0..<100, using: &random) {
        case ..<45:
            if let act = act(by: me, using: &random) { return act }
            return go(me, using: &random)
        case ..<65:
            return OrderCommand(
                wish: .place(street.order(asking: whom(me, using: &random), using: &random)), book: book)
        case ..<73:
            return book.order(using: &random) { $0.orderer == me && [.waiting, .offered].contains($0.state) }.map {
                OrderCommand(wish: .change($0.id, street.change(using: &random)), book: book)
            }
        case ..<79:
            return book.order(using: &random) { $0.orderer == me && $0.state == .asking }.map {
                OrderCommand(wish: .ask($0.id, whom(me, using: &random)), book: book)
            }
        case ..<85:
            return book.order(using: &random) { $0.orderer == me && [.waiting, .asking, .offered].contains($0.state) }
                .map { OrderCommand(wish: .cancel($0.id), book: book) }
        default: return go(me, using: &random)
        }
    }

    /// One in three asks somebody by name.
    private func whom(_ me: PersonID, using random: inout SeededGenerator) -> AvailabilityID? {
        Int.random(in: 0..<3, using: &random) == 0 ? book.somebody(but: me, using: &random) : nil
    }

    private func go(_ me: PersonID, using random: inout SeededGenerator) -> GoCommand {
        switch (book.availability(of: me)?.state, Int.random(in: 0..<8, using: &random)) {
        case (.paused, ..<6): GoCommand(person: me, wish: .resume, book: book)
        case (.available, 0): GoCommand(person: me, wish: .end, book: book)
        default: GoCommand(person: me, wish: .offer(street.way(using: &random)), book: book)
        }
    }

    /// Something to a match of theirs, mostly what leads it on.
    private func act(by me: PersonID, using random: inout SeededGenerator) -> MatchCommand? {
        let running: Set<MatchState> = [.offered, .accepted, .pickedUp, .delivered, .received, .completed]
        let isTheirs = { (match: DeliveryBook.KnownMatch) in
            guard match.orderer == me || match.deliverer == me, running.contains(match.state) else { return false }
            return match.state != .completed || match.orderer == me && !match.isTipped
        }
        guard let match = book.match(using: &random, where: isTheirs) else { return nil }
        let (act, draft) =
            match.deliverer == me
            ? street.errand(of: match, using: &random) : street.wish(of: match, using: &random)
        return act.map { MatchCommand(match: match.id, act: $0, draft: draft, book: book) }
    }

    let rows = [
        "availabilities": """
        SELECT id, person, state, capacity, taken, coalesce(due_at < now() - interval '10 seconds', false) AS "isLate"
        FROM matching.availabilities
        """,
        "orders": """
        SELECT id, state, coalesce(due_at < now() - interval '10 seconds', false) AS "isLate" FROM matching.orders
        """,
        "matches": """
        SELECT id, "order", availability, deliverer, state, fills_hand AS "fillsHand",
            coalesce(due_at < now() - interval '10 seconds', false) AS "isLate"
        FROM matching.matches
        """,
    ]

    /// What rounds find and time does, what rooms are told, and what somebody's command brings to others.
    func isOfItsOwn(_ event: PublishedEvent) -> Bool {
        switch event.type {
        case NewMatch.type, MatchReminder.type, OrderLapsed.type, RestaurantsChanged.type, RoomSubjectChanged.type,
            EncounterCompleted.type:
            true
        // Who answers is there, whatever was thought of them before.
        case AvailabilityChanged.type: event.availabilityChange?.what != .began
        case MatchUpdate.type: event.matchUpdate.map { [.expired, .withdrawn, .lapsed].contains($0.what) } ?? false
        default: false
        }
    }

    func audit(_ evidence: LedgerEvidence, _ work: AttributedWork) -> [Finding] {
        do {
            let service = evidence.services["matching"]
            let history = DeliveryHistory(
                availabilities: try evidence.rows("availabilities", as: DeliveryHistory.AvailabilityRow.self),
                orders: try evidence.rows("orders", as: DeliveryHistory.OrderRow.self),
                matches: try evidence.rows("matches", as: DeliveryHistory.MatchRow.self),
                events: service?.events ?? [])
            let isDone = { (entry: LedgerEntry) in service?.requests[entry.requestID] != nil }
            return history.findings() + history.compare(evidence.ledger, isDone: isDone)
        } catch { return [Finding(.rowsDiffer, "the rows of deliveries cannot be read: \(error)")] }
    }
}
