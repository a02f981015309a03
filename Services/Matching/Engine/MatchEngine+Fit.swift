import FoundationEssentials

/// Who fits, and what that is worth.
extension MatchEngine {
    /// The best deliverers for an order, the best first, and how many fit.
    mutating func candidates(for slot: Int32, at now: Date) -> (best: [Candidate], fitting: Int) {
        var asked = questions
        // Not kept twice, or it would be copied.
        questions = Questions(most: 0)
        defer { questions = asked }
        return candidates(for: orders[slot], at: now, &asked)
    }

    private func candidates(for order: OrderEntry, at now: Date, _ asked: inout Questions) -> (
        best: [Candidate], fitting: Int
    ) {
        var (best, fitting): ([Candidate], Int) = ([], 0)
        best.reserveCapacity(settings.edges + 1)
        for restaurant in order.restaurants where !here[Int(restaurant)].isEmpty && isOpen(restaurant, at: now) {
            let leg = leg(from: restaurant, to: order, &asked)
            guard hasTime(order, for: leg, at: now) else { continue }
            for standing in here[Int(restaurant)] where standing.mayBring(order, by: leg) {
                guard let found = look(at: standing.deliverer, for: order, by: leg, at: now, &asked) else { continue }
                fitting += 1
                keep(found, in: &best)
            }
        }
        return (best, fitting)
    }

    private func keep(_ found: Candidate, in best: inout [Candidate]) {
        if best.count == settings.edges {
            guard let last = best.last, isBetter(found, last) else { return }
            best.removeLast()
        }
        var place = best.count
        while place > 0, isBetter(found, best[place - 1]) { place -= 1 }
        best.insert(found, at: place)
    }

    /// Ties go by id, so that replicas agree.
    private func isBetter(_ one: Candidate, _ other: Candidate) -> Bool {
        one.value != other.value
            ? one.value > other.value : deliverers.key(one.deliverer) < deliverers.key(other.deliverer)
    }

    /// One deliverer, who is at the restaurant where the leg begins and has a free hand.
    func look(
        at slot: Int32, for order: OrderEntry, by leg: Leg, at now: Date, _ asked: inout Questions
    ) -> Candidate? {
        guard mayMeet(slot, order, at: now) else { return nil }
        let detour = detour(of: slot, for: order, by: leg, &asked)
        guard detour <= deliverers[slot].detour else { return nil }
        let credit = settings.credit * counted(credits.value(of: deliverers[slot].person, at: now))
        let waited = min(settings.mostWaited, max(0, now.timeIntervalSince(order.placedAt)) * settings.waited)
        let together = deliverers[slot].carries.contains(order.building) ? settings.sameBuilding : 0
        return Candidate(
            deliverer: slot, worth: MatchSettings.units(settings.served + waited + credit - detour + together),
            credit: MatchSettings.units(credit), hand: handCost(deliverers[slot].taken), detour: detour)
    }

    private func counted(_ credit: Double) -> Double { max(-settings.mostCredit, min(settings.mostCredit, credit)) }

    /// Whether the two want what the other does, may meet, and have not been asked before.
    private func mayMeet(_ slot: Int32, _ order: OrderEntry, at now: Date) -> Bool {
        let person = deliverers[slot].person
        guard person != order.person, deliverers[slot].campus == order.campus, deliverers[slot].leastFee <= order.fee,
            deliverers[slot].until > now, !order.declinedBy.contains(person)
        else { return false }
        return (order.asks == nil || order.asks == deliverers.key(slot)) && !apart.contains(person, order.person)
    }

    /// Metres of way in addition.
    private func detour(of slot: Int32, for order: OrderEntry, by leg: Leg, _ asked: inout Questions) -> Double {
        let building = deliverers[slot].building
        guard building != order.building else { return 0 }
        let straight = order.point.metres(to: deliverers[slot].point)
        let onwards = streets(from: order.building, to: building, straight: straight, &asked)
        return max(0, leg.streets + onwards - deliverers[slot].trip)
    }

    /// So much does a deliverer's hand cost who has so many full.
    func handCost(_ full: Int) -> Int32 { MatchSettings.units(settings.fullHand * Double(full)) }

    func leg(from restaurant: Int32, to order: OrderEntry, _ asked: inout Questions) -> Leg {
        let straight = ground.point(restaurant)?.metres(to: order.point) ?? 0
        return Leg(
            straight: straight, streets: streets(from: restaurant, to: order.building, straight: straight, &asked))
    }

    /// As it was learned, or guessed and asked for.
    private func streets(from one: Int32, to other: Int32, straight: Double, _ asked: inout Questions) -> Double {
        if let known = ground.streets(one, other) { return known }
        asked.note(ground.hop(one, other))
        return straight * settings.streetsForStraight
    }

    func hasTime(_ order: OrderEntry, for leg: Leg, at now: Date) -> Bool {
        now.addingTimeInterval(leg.streets / settings.pace) <= order.waitsUntil
    }

    func isOpen(_ restaurant: Int32, at now: Date) -> Bool { closed.isEmpty || (closed[restaurant] ?? now) <= now }
}
