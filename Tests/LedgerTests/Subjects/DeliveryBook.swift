import KampongClient
import Synchronization
import TestKit
import WireProtocol

/// What the people of the ledger know of what they offer, want and bring, so that most of what they ask can be done. Safe from any task.
final class DeliveryBook: Sendable {
    struct KnownOrder: Sendable {
        var id: OrderID
        var orderer: PersonID
        /// As somebody was told it last.
        var state: OrderState
    }

    struct KnownMatch: Sendable {
        var id: MatchID
        var orderer: PersonID
        var deliverer: PersonID
        /// As somebody was told it last.
        var state: MatchState
        /// In minor units.
        var limit: Int
        /// The orderer's digits, which they tell whoever stands at the door.
        var code: String?
        var isTipped: Bool
    }

    private struct Pages {
        var going: [PersonID: Availability] = [:]
        var orders: [OrderID: KnownOrder] = [:]
        var matches: [MatchID: KnownMatch] = [:]
    }
    private let pages = Mutex(Pages())

    func note(_ availability: Availability?, of person: PersonID) {
        pages.withLock { $0.going[person] = availability }
    }

    func note(_ order: DeliveryOrder, of person: PersonID) {
        pages.withLock { $0.orders[order.id] = KnownOrder(id: order.id, orderer: person, state: order.state) }
    }

    func close(_ order: OrderID) { pages.withLock { $0.orders[order]?.state = .cancelled } }

    func note(_ match: DeliveryMatch) {
        pages.withLock { pages in
            pages.matches[match.id] = KnownMatch(
                id: match.id, orderer: match.orderer.id, deliverer: match.deliverer.id, state: match.state,
                limit: match.terms.limit?.amount ?? 0, code: match.code ?? pages.matches[match.id]?.code,
                isTipped: match.tip != nil)
        }
    }

    /// What is offered to somebody comes by itself, and what they have in hand others may end: they look after whatever they have done.
    func look(as person: LedgerPerson) async {
        guard let me = person.id else { return }
        if let own = try? await person.client.availability() { note(own.availability, of: me) }
        if let orders = try? await person.client.orders(OrderQuery(isOver: false)).items {
            pages.withLock { pages in
                for id in pages.orders.values.filter({ $0.orderer == me }).map(\.id) { pages.orders[id] = nil }
            }
            for order in orders { note(order, of: me) }
        }
        if let matches = try? await person.client.matches(MatchQuery(isOver: false)).items {
            let running = Set(matches.map(\.id))
            pages.withLock { pages in
                let theirs = pages.matches.values.filter { $0.orderer == me || $0.deliverer == me }
                for match in theirs where !match.state.isOver && !running.contains(match.id) {
                    pages.matches[match.id] = nil
                }
            }
            for match in matches { note(match) }
        }
    }

    func availability(of person: PersonID) -> Availability? { pages.withLock { $0.going[person] } }

    /// Somebody else who goes, in an order that a seed repeats.
    func somebody(but person: PersonID, using random: inout SeededGenerator) -> AvailabilityID? {
        pages.withLock { $0.going }.filter { $0.key != person }.map(\.value.id).sorted().randomElement(using: &random)
    }

    func order(using random: inout SeededGenerator, where fits: (KnownOrder) -> Bool) -> KnownOrder? {
        pages.withLock { Array($0.orders.values) }.filter(fits).sorted { $0.id < $1.id }.randomElement(using: &random)
    }

    func match(using random: inout SeededGenerator, where fits: (KnownMatch) -> Bool) -> KnownMatch? {
        pages.withLock { Array($0.matches.values) }.filter(fits).sorted { $0.id < $1.id }.randomElement(using: &random)
    }
}
