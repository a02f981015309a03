import FoundationEssentials
import WireProtocol

/// One order among those who are free, one free hand among the orders that wait.
extension MatchEngine {
    /// Asks the best deliverer for an order that is in no list, or lets it wait.
    mutating func place(_ slot: Int32, at now: Date) -> Directive {
        guard orders[slot].waitsUntil > now else { return lapse(slot, .timeIsUp) }
        if isClosed(slot, at: now) { return lapse(slot, .allClosed) }
        if let asked = orders[slot].asks, deliverers.slot(of: asked) == nil, !rollOn(slot) {
            return .keepWaiting(orders.key(slot), .asksWhetherToRollOn)
        }
        let found = candidates(for: slot, at: now)
        guard let best = found.best.first else {
            want(slot)
            return .keepWaiting(orders.key(slot), nobody(for: slot, at: now))
        }
        return offer(slot, to: best, of: found.best, at: now)
    }

    /// - Returns: whether others may be asked, now that the one who was asked by name is no more.
    mutating func rollOn(_ slot: Int32) -> Bool {
        orders[slot].asks = nil
        if !orders[slot].rollsOn { orders[slot].stage = .asking }
        return orders[slot].rollsOn
    }

    func nobody(for slot: Int32, at now: Date) -> WaitingReason {
        orders[slot].restaurants.contains { !here[Int($0)].isEmpty && isOpen($0, at: now) } ? .nobodyFits : .nobodyThere
    }

    func isClosed(_ slot: Int32, at now: Date) -> Bool {
        orders[slot].circle == nil && !orders[slot].restaurants.contains { isOpen($0, at: now) }
    }

    mutating func lapse(_ slot: Int32, _ reason: LapseReason) -> Directive {
        let id = orders.key(slot)
        forget(slot)
        return .lapse(id, reason)
    }

    /// The best orders for the free hands of a deliverer, one after the other.
    mutating func fill(_ slot: Int32, at now: Date) -> [Directive] {
        var directives: [Directive] = []
        while deliverers[slot].place >= 0, let (order, found) = bestOrder(for: slot, at: now) {
            unwant(order)
            directives.append(offer(order, to: found, of: [found], at: now))
        }
        return directives
    }

    private mutating func bestOrder(for slot: Int32, at now: Date) -> (Int32, Candidate)? {
        var asked = questions
        questions = Questions(most: 0)
        defer { questions = asked }
        return bestOrder(for: slot, at: now, &asked)
    }

    private func bestOrder(for slot: Int32, at now: Date, _ asked: inout Questions) -> (Int32, Candidate)? {
        let (restaurant, standing) = (
            deliverers[slot].restaurant, here[Int(deliverers[slot].restaurant)][Int(deliverers[slot].place)]
        )
        guard isOpen(restaurant, at: now) else { return nil }
        var best: (order: Int32, found: Candidate)?
        for order in wanting[Int(restaurant)] {
            let leg = leg(from: restaurant, to: orders[order], &asked)
            guard standing.mayBring(orders[order], by: leg), hasTime(orders[order], for: leg, at: now),
                let found = look(at: slot, for: orders[order], by: leg, at: now, &asked)
            else { continue }
            if let best, (best.found.value, orders.key(order)) >= (found.value, orders.key(best.order)) { continue }
            best = (order, found)
        }
        return best
    }

    /// - Parameter all: who could have been asked.
    mutating func offer(_ slot: Int32, to found: Candidate, of all: [Candidate], at now: Date) -> Directive {
        let (order, deliverer) = (orders.key(slot), deliverers.key(found.deliverer))
        let chances = all.count > 1 ? all.map { deliverers[$0.deliverer].person } : []
        orders[slot].stage = .offered(deliverer)
        (orders[slot].asked, orders[slot].chances) = (deliverers[found.deliverer].person, chances)
        credits.share(among: chances, asked: orders[slot].asked, times: 1, at: now)
        deliverers[found.deliverer].taken += 1
        deliverers[found.deliverer].asked.append(slot)
        if deliverers[found.deliverer].free == 0 { leave(found.deliverer) }
        return .offer(
            Proposal(
                order: order, deliverer: deliverer, restaurant: ground[deliverers[found.deliverer].restaurant],
                detour: Int(found.detour.rounded()), reason: reason(for: found, of: all),
                chances: chances.map { persons[$0] }))
    }

    /// It was somebody's turn where credit alone made them the best.
    private func reason(for found: Candidate, of all: [Candidate]) -> Proposal.Reason {
        guard all.count > 1 else { return .onlyOne }
        let isBest = all.allSatisfy { $0.value <= found.value }
        let isBestWithout = all.allSatisfy { $0.value - $0.credit <= found.value - found.credit }
        return isBest && !isBestWithout ? .turn : .nearest
    }

    /// With what is to be asked now.
    mutating func asking(_ directives: [Directive]) -> [Directive] {
        let hops = questions.take()
        return hops.isEmpty ? directives : directives + [.ask(hops)]
    }
}
