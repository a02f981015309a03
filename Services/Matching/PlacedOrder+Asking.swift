import FoundationEssentials
import WireProtocol

// How an order begins and changes, and who is asked for it. No I/O and no clock.

/// Somebody who is asked for by name, as they are now, and what the offer to them will be called.
struct RequestedDeliverer: Hashable, Sendable {
    let availability: OfferedAvailability
    let match: MatchID
    /// Four digits.
    let code: String
    var ways = KnownWays()

    /// Once an offer is taken back: it may have been to them.
    fileprivate func freed(of match: MatchAgreement?) -> RequestedDeliverer {
        guard match?.availability == availability.id else { return self }
        var availability = availability
        availability.taken -= 1
        return RequestedDeliverer(availability: availability, match: self.match, code: code, ways: ways)
    }
}

extension PlacedOrder {
    /// - Parameters:
    ///   - open: how many orders the person has that are not over.
    ///   - requested: whom the draft asks for, where they are there and may be asked by this person.
    static func place(
        _ draft: OrderDraft, id: OrderID, by orderer: PersonID, having open: Int, asking requested: RequestedDeliverer?,
        among places: KnownPlaces, at now: Date, within limits: DeliveryLimits
    ) throws(DeliveryError) -> OrderDecision {
        let requested = draft.availability == nil ? nil : requested
        let wish = try OrderWish(
            draft, asking: requested?.availability, among: places, at: now, within: limits)
        guard open < limits.orders else { throw .tooManyOrders(limit: limits.orders) }
        let order = PlacedOrder(wish, id: id, by: orderer, at: now)
        guard let asked = draft.availability else { return OrderDecision(order: order) }
        return try order.ask(asked, requested, of: [], at: now, within: limits)
    }

    private init(_ wish: OrderWish, id: OrderID, by orderer: PersonID, at now: Date) {
        self.init(
            id: id, orderer: orderer, placedAt: now, state: .waiting, from: wish.source.restaurants,
            around: wish.source.around, dropOff: wish.dropOff, door: wish.door, terms: wish.terms,
            pickUpCode: wish.pickUpCode, rollsOn: wish.rollsOn, waitsUntil: wish.waitsUntil, changedAt: now)
    }

    /// What the draft leaves out stays. An offer that is open is taken back, and somebody is asked anew: the same one where one was asked for by name.
    /// - Parameters:
    ///   - matches: all of it.
    ///   - requested: whom the draft asks for, or who was asked for (`asked`).
    func change(
        _ draft: OrderDraft, of matches: [MatchAgreement], asking requested: RequestedDeliverer?,
        among places: KnownPlaces, at now: Date, within limits: DeliveryLimits
    ) throws(DeliveryError) -> OrderDecision {
        let rule = try rule(of: .change, at: now)
        let named = draft.availability == nil ? nil : requested?.availability
        let wish = try OrderWish(draft, insteadOf: self, asking: named, among: places, at: now, within: limits)
        var order = saying(wish)
        if order == self, draft.availability == nil { return OrderDecision(order: self) }
        let takenBack = matches.first { $0.state == .offered }?.takenBack(at: now)
        order.become(rule.next, at: now)
        let matches = matches.map { $0.id == takenBack?.match.id ? takenBack?.match ?? $0 : $0 }
        var decision = try order.askAnew(
            draft.availability, requested?.freed(of: takenBack?.match), of: matches, at: now, within: limits)
        decision.match = takenBack
        return decision
    }

    private func saying(_ wish: OrderWish) -> PlacedOrder {
        var order = self
        (order.from, order.around) = (wish.source.restaurants, wish.source.around)
        (order.dropOff, order.door, order.terms) = (wish.dropOff, wish.door, wish.terms)
        (order.pickUpCode, order.rollsOn, order.waitsUntil) = (wish.pickUpCode, wish.rollsOn, wish.waitsUntil)
        return order
    }

    /// - Parameter named: whom a change asks for; nil where it does not say.
    private func askAnew(
        _ named: AvailabilityID?, _ requested: RequestedDeliverer?, of matches: [MatchAgreement], at now: Date,
        within limits: DeliveryLimits
    ) throws(DeliveryError) -> OrderDecision {
        if let named { return try ask(named, requested, of: matches, at: now, within: limits) }
        guard let asked else { return OrderDecision(order: self) }
        do throws(DeliveryError) {
            return try ask(asked, requested, of: matches, at: now, within: limits)
        } catch {
            // The same one as before can't bring what is wanted now.
            return OrderDecision(order: goingOn(at: now))
        }
    }

    /// The only one who was to be asked can't: others may be, or the orderer says so first.
    private func goingOn(at now: Date) -> PlacedOrder {
        var order = self
        order.become(rollsOn ? .waiting : .asking, at: now)
        order.asked = nil
        return order
    }

    /// The orderer says whom to ask next.
    /// - Parameter matches: all of it.
    func askNext(
        _ asking: OrderAsking, _ requested: RequestedDeliverer?, of matches: [MatchAgreement], at now: Date,
        within limits: DeliveryLimits
    ) throws(DeliveryError) -> OrderDecision {
        var order = self
        order.become(try rule(of: .ask, at: now).next, at: now)
        order.asked = nil
        guard let named = asking.availability else { return OrderDecision(order: order) }
        return try order.ask(named, requested, of: matches, at: now, within: limits)
    }

    /// Asks somebody by name, or anybody where that one can't and the orderer wants it so.
    private func ask(
        _ named: AvailabilityID, _ requested: RequestedDeliverer?, of matches: [MatchAgreement], at now: Date,
        within limits: DeliveryLimits
    ) throws(DeliveryError) -> OrderDecision {
        do throws(DeliveryError) {
            return try offer(named, requested, of: matches, at: now, within: limits)
        } catch {
            guard rollsOn, error == .handsFull || error == .notThere else { throw error }
            return OrderDecision(order: goingOn(at: now))
        }
    }

    private func offer(
        _ named: AvailabilityID, _ requested: RequestedDeliverer?, of matches: [MatchAgreement], at now: Date,
        within limits: DeliveryLimits
    ) throws(DeliveryError) -> OrderDecision {
        guard let requested, requested.availability.id == named, requested.availability.isThere(at: now) else {
            throw .notThere
        }
        let availability = requested.availability
        guard availability.deliverer != orderer else { throw .yourOwn }
        var errors = availability.errors(bringing: source, for: terms.fee)
        if matches.contains(where: { $0.deliverer == availability.deliverer && $0.state != .withdrawn }) {
            errors.append(FieldError("availability", "asked_already", "They were asked already."))
        }
        guard errors.isEmpty else { throw .invalid(errors) }
        guard availability.free > 0 else { throw .handsFull }
        guard let fit = DeliveryRound.fit(self, availability, ways: requested.ways, at: now) else {
            throw .invalid([FieldError("availability", "too_far", "It is too far out of their way, or out of time.")])
        }
        var order = self
        order.asked = named
        let answerBy = now + limits.request
        return try order.offer(
            to: availability, fit, id: requested.match, code: requested.code, until: answerBy, at: now)
    }
}
