import FoundationEssentials
import WireProtocol

// What becomes of an order. No I/O and no clock.

extension PlacedOrder {
    /// What somebody may do with it now.
    func possible(for viewer: PersonID?, at now: Date) -> [OrderAct] {
        guard viewer == orderer else { return [] }
        return OrderRule.of(.orderer, for: self, at: now).compactMap(\.act)
    }

    /// Before somebody has accepted; after that it is the match that is cancelled.
    /// - Parameter match: the offer that is open.
    func cancel(_ match: MatchAgreement?, at now: Date) throws(DeliveryError) -> OrderDecision {
        let rule = try rule(of: .cancel, at: now)
        return OrderDecision(order: become(rule, at: now), match: match?.takenBack(at: now))
    }

    /// The engine found somebody, or the orderer did.
    /// - Parameters:
    ///   - id: of the match, and its four digits.
    ///   - until: when they have to have answered.
    func offer(
        to availability: OfferedAvailability, _ fit: DeliveryFit, id: MatchID, code: String, until answerBy: Date,
        at now: Date
    ) throws(DeliveryError) -> OrderDecision {
        guard let rule = OrderRule.of(.engine, for: self, at: now).first,
            let items = items(from: availability.restaurant)
        else { throw .orderOver(possible(for: orderer, at: now)) }
        let offer = MatchAgreement(
            of: self, items, to: availability, fit, id: id, code: code, until: answerBy, at: now)
        return OrderDecision(order: become(rule, at: now), offer: offer)
    }

    /// Something became of the offer that was open, or of the delivery.
    /// - Returns: Nil where nothing becomes of the order.
    func follow(_ match: MatchAgreement, at now: Date) -> OrderDecision? {
        guard let rule = OrderRule.of(.match, for: self, with: match, at: now).first else {
            guard state == .matched, match.state == .accepted, match.terms != terms else { return nil }
            var after = self
            after.terms = match.terms
            return OrderDecision(order: after)
        }
        var after = become(rule, at: now)
        if rule.condition == .rollsOn || rule.condition == .asksFirst { after.asked = nil }
        return OrderDecision(order: after, hasLapsed: rule.hasLapsed)
    }

    /// What time has done to it; nil where nothing.
    func pass(at now: Date) -> OrderDecision? { become(by: .time, at: now) }

    /// Its orderer may not take part any more, or has gone; nil where it is over, or somebody brings it.
    /// - Parameter match: the offer that is open.
    func callOff(_ match: MatchAgreement?, at now: Date) -> OrderDecision? {
        guard var decision = become(by: .community, at: now) else { return nil }
        decision.match = match?.callOff(by: orderer, at: now)
        return decision
    }

    /// When `pass` may next do something; nil where never.
    var dueAt: Date? { state == .waiting || state == .asking ? waitsUntil : nil }

    /// It as it is by now, whether or not the rounds came by, and what was offered of it.
    func asItIs(_ matches: [MatchAgreement], at now: Date) -> (order: PlacedOrder, matches: [MatchAgreement]) {
        var order = self
        let after = matches.map { match in
            guard let decision = match.pass(at: now) else { return match }
            order = order.follow(decision.match, at: now)?.order ?? order
            return decision.match
        }
        return (order.pass(at: now)?.order ?? order, after)
    }

    // MARK: What transitions are made of

    func rule(of act: OrderAct, at now: Date) throws(DeliveryError) -> OrderRule {
        guard let rule = OrderRule.of(.orderer, for: self, at: now).first(where: { $0.act == act }) else {
            throw .orderOver(possible(for: orderer, at: now))
        }
        return rule
    }

    mutating func become(_ next: OrderState, at now: Date) {
        if next != state { (state, changedAt) = (next, now) }
    }

    private func become(_ rule: OrderRule, at now: Date) -> PlacedOrder {
        var after = self
        after.become(rule.next, at: now)
        return after
    }

    private func become(by party: OrderParty, at now: Date) -> OrderDecision? {
        OrderRule.of(party, for: self, at: now).first.map {
            OrderDecision(order: become($0, at: now), hasLapsed: $0.hasLapsed)
        }
    }
}
