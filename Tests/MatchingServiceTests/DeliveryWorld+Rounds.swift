import FoundationEssentials
import WireProtocol

@testable import MatchingService

// What time does, who is asked, and what must never be.

extension World {
    mutating func pass() {
        for match in matches { keep(match.pass(at: now)) }
        for (number, order) in orders.enumerated() {
            if let decision = order.pass(at: now) { keep(decision, number) }
        }
        for availability in availabilities { keep(availability.pass(at: now)) }
        withdrawAll(by: nil)
    }

    /// - Returns: who is asked for what, by numbers.
    mutating func round() -> [(order: Int, availability: Int)] {
        var round = DeliveryRound()
        for availability in availabilities where availability.isThere(at: now) {
            round.add(counted(availability), of: nil)
        }
        for order in orders where order.state == .waiting { round.add(order, after: all(of: order), of: nil) }
        return round.decide(at: now).offers.compactMap { offer in
            guard let number = orders.firstIndex(where: { $0.id == offer.order.id }),
                let place = availabilities.firstIndex(where: { $0.id == offer.availability.id }),
                let decision = try? orders[number].offer(
                    to: offer.availability, offer.fit, id: .new(at: now), code: "0472", until: now + limits.offer,
                    at: now)
            else { return nil }
            keep(decision, number)
            return (number, place)
        }
    }

    /// What must never be, and is.
    var promises: [String] {
        var broken: [String] = []
        for availability in availabilities where counted(availability).taken > availability.capacity {
            broken.append("too many hands")
        }
        for order in orders {
            let own = all(of: order)
            if own.count(where: { $0.fillsHand || $0.isInHand }) > 1 { broken.append("brought twice") }
            let asked = own.filter { $0.state != .withdrawn }.map(\.deliverer)
            if Set(asked).count < asked.count { broken.append("asked twice") }
            if asked.contains(order.orderer) { broken.append("brought to themselves") }
            if (order.state == .offered) != (open(order) != nil) { broken.append("nobody is asked") }
            if order.state == .waiting || order.state == .asking, order.asked != nil { broken.append("still asked") }
        }
        for match in matches where (match.spent?.amount ?? 0) > match.terms.limit?.amount ?? 0 {
            broken.append("too much spent")
        }
        return broken
    }
}
