import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// What many people do at once.
@Suite(.serialized) struct MatchMeleeTests {
    /// Everybody does something, all at once: nobody waits for who waits for them, hands are what is in them, and nobody is asked twice.
    @Test(.timeLimit(.minutes(10))) func whatever_people_do_at_once_all_of_it_fits() async throws {
        try await Deliveries.with(limits: generous) { deliveries in
            let (bringing, wanting) = (crowd(6), crowd(6))
            for person in bringing { try await deliveries.bringing(by: person) { $0.capacity = 2 } }
            for round in 0..<6 {
                let steps = (0..<60).map { Step(number: $0 + 60 * round) }
                let results = await atOnce(steps) { step in
                    let process = step.number % 2 == 0 ? deliveries : deliveries.replica
                    try await step.take(on: process, bringing: bringing, wanting: wanting)
                }
                #expect(others(results.compactMap(\.error)) { _ in true }.isEmpty)
                #expect(try await deliveries.miscounted() == 0)
            }
            let twice = try await deliveries.database.query(
                """
                SELECT count(*) AS twice FROM (
                    SELECT FROM matches WHERE state <> 'withdrawn' GROUP BY "order", deliverer HAVING count(*) > 1) AS asked
                """)
            #expect(try twice[0].get("twice", as: Int.self) == 0)
            let apart = try await deliveries.database.query(
                """
                SELECT count(*) AS apart FROM orders WHERE (state = 'matched') <> EXISTS (
                    SELECT FROM matches WHERE "order" = orders.id
                        AND state IN ('accepted', 'pickedUp', 'delivered', 'received'))
                    OR (state = 'offered') <> EXISTS (SELECT FROM matches WHERE "order" = orders.id AND state = 'offered')
                """)
            #expect(try apart[0].get("apart", as: Int.self) == 0)
            #expect(try await deliveries.told(NewMatch.self).count > 10)
            #expect(deliveries.log.deadlocks == 0)
        }
    }
}

private var generous: DeliveryLimits {
    var limits = limits
    limits.orders = 100
    return limits
}

/// Something that somebody does, by its number: the same number is the same thing.
private struct Step: Sendable {
    let number: Int

    func take(on deliveries: Deliveries, bringing: [PersonID], wanting: [PersonID]) async throws {
        let (deliverer, orderer) = (bringing[number / 7 % 6], wanting[number / 3 % 6])
        switch number % 10 {
        case 0, 1: try await deliveries.ordering(by: orderer)
        case 2, 3: try await deliveries.decide()
        case 4, 5: try await act(on: deliveries, as: deliverer, "deliverer", [.accept, .decline, .pickUp, .cancel])
        case 6: try await act(on: deliveries, as: orderer, "orderer", [.cancel, .complete])
        case 7:
            let open = try await deliveries.database.query(
                """
                SELECT id FROM orders WHERE orderer = \(orderer) AND state IN ('waiting', 'offered') ORDER BY id LIMIT 1
                """)
            guard let id: OrderID = try open.first?.get("id") else { return }
            if number % 20 == 7 { return try await deliveries.useCases.cancelOrder(id, .from(orderer)) }
            let draft = OrderDraft(fee: euros(100 + number))
            _ = try await deliveries.useCases.changeOrder(id, to: draft, .from(orderer))
        case 8:
            guard let there = try await deliveries.store.availability(of: deliverer) else { return }
            let draft = Example.orderDraft {
                ($0.availability, $0.rollsOn) = (there.id, true)
            }
            _ = try await deliveries.useCases.placeOrder(draft, .from(orderer))
        default:
            if number % 20 == 9 { try await deliveries.useCases.endDelivery(.from(deliverer)) }
            try await deliveries.bringing(by: deliverer) { $0.capacity = 2 }
        }
    }

    /// Does what is possible with some match of theirs.
    private func act(
        on deliveries: Deliveries, as person: PersonID, _ role: String, _ acts: [MatchAct]
    ) async throws {
        let column: SQLQuery = role == "orderer" ? "orderer" : "deliverer"
        let rows = try await deliveries.database.query(
            """
            SELECT id FROM matches WHERE \(column) = \(person) AND state IN ('offered', 'accepted', 'pickedUp') ORDER BY id
            """)
        for (offset, row) in rows.enumerated() {
            let act = acts[(number / 10 + offset) % acts.count]
            let spent = act == .pickUp ? euros(500) : nil
            do {
                try await deliveries.act(act, on: try row.get("id"), by: person, MatchActDraft(spent: spent))
            } catch is DeliveryError {}
        }
    }
}
