import FoundationEssentials
import Messaging
import WireProtocol

// What an orderer does.

extension DeliveryUseCases {
    func placeOrder(_ draft: OrderDraft, _ request: RequestContext) async throws -> DeliveryOrder {
        let places = try await places(of: draft, request)
        await learnWays(to: draft.dropOff, insteadOf: nil, among: places, with: draft.availability)
        return try await store.command(request) { deliveries, person in
            let named = try await deliveries.lockedAvailabilities(draft.availability.map { [$0] } ?? []).first
            let to = DeliveryRules.place(draft.dropOff, insteadOf: nil, among: places)
            let decision = try PlacedOrder.place(
                draft, id: .new(at: deliveries.now), by: person, having: await deliveries.openOrders(of: person),
                asking: await deliveries.requested(named, by: person, to: to), among: places, at: deliveries.now,
                within: limits)
            try await deliveries.add(decision)
            return try await deliveries.answer(decision.order, decision.offer.map { [$0] } ?? [])
        }
    }

    /// What is absent stays. Who is asked is asked no more, and somebody is asked anew.
    func changeOrder(_ id: OrderID, to draft: OrderDraft, _ request: RequestContext) async throws -> DeliveryOrder {
        let before = try await ownOrder(id, request)
        let places = try await places(of: draft).keeping([before])
        await learnWays(
            to: draft.dropOff, insteadOf: before.dropOff, among: places, with: draft.availability ?? before.asked)
        return try await update(id, asking: draft.availability, request) { held, deliveries in
            let to = DeliveryRules.place(draft.dropOff, insteadOf: held.order.dropOff, among: places)
            let named = held.availability(draft.availability ?? held.order.asked)
            let requested = try await deliveries.requested(named, by: held.order.orderer, to: to)
            return try held.order.change(
                draft, of: held.matches, asking: requested, among: places, at: deliveries.now, within: limits)
        }
    }

    /// Before somebody has accepted; after that it is the match that is cancelled.
    func cancelOrder(_ id: OrderID, _ request: RequestContext) async throws {
        _ = try await store.command(request) { deliveries, person in
            let held = try await deliveries.orderAsItIs(id, of: person, naming: nil)
            let decision = try held.order.cancel(held.offer?.match, at: deliveries.now)
            try await deliveries.keep(decision, insteadOf: held.order)
            return Nothing()
        }
    }

    /// The orderer says whom to ask next.
    func askNext(_ id: OrderID, _ asking: OrderAsking, _ request: RequestContext) async throws -> DeliveryOrder {
        let before = try await ownOrder(id, request)
        await learnWays(to: nil, insteadOf: before.dropOff, among: KnownPlaces(), with: asking.availability)
        return try await update(id, asking: asking.availability, request) { held, deliveries in
            let requested = try await deliveries.requested(
                held.availability(asking.availability), by: held.order.orderer, to: held.order.dropOff)
            return try held.order.askNext(asking, requested, of: held.matches, at: deliveries.now, within: limits)
        }
    }

    /// What a new order names. What Places has no more can be ordered again where one of their last orders had it.
    private func places(of draft: OrderDraft, _ request: RequestContext) async throws -> KnownPlaces {
        let places = try await places(of: draft)
        guard draft.places.contains(where: { places[$0] == nil }) else { return places }
        return places.keeping(try await store.lastOrders(of: try request.caller.requirePerson()))
    }

    /// What its orderer does to an order, which is locked, with the one whom they ask for by name.
    private func update(
        _ id: OrderID, asking named: AvailabilityID?, _ request: RequestContext,
        _ decide: @Sendable @escaping (LockedOrder, DeliveryTransaction) async throws -> OrderDecision
    ) async throws -> DeliveryOrder {
        try await store.command(request) { deliveries, person in
            let held = try await deliveries.orderAsItIs(id, of: person, naming: named)
            let decision = try await decide(held, deliveries)
            let order = try await deliveries.keep(decision, insteadOf: held.order)
            return try await deliveries.answer(order, deliveries.matches(of: order.id))
        }
    }

    private func ownOrder(_ id: OrderID, _ request: RequestContext) async throws -> PlacedOrder {
        let person = try request.caller.requirePerson()
        guard let order = try await store.order(id), order.orderer == person else { throw DeliveryError.orderNotFound }
        return order
    }

    /// How long the ways are of the one who is asked for by name, as far as Places says it in time: nothing waits for it once something is locked.
    private func learnWays(
        to draft: DropOffDraft?, insteadOf before: DeliveryPlace?, among places: KnownPlaces,
        with named: AvailabilityID?
    ) async {
        guard let named, let to = DeliveryRules.place(draft, insteadOf: before, among: places),
            let availability = try? await store.availability(named)
        else { return }
        await learnWays(among: [availability.restaurant.shown, availability.dropOff, to])
    }
}

extension LockedOrder {
    fileprivate func availability(_ id: AvailabilityID?) -> OfferedAvailability? {
        availabilities.first { $0.id == id }
    }
}

extension DeliveryRules {
    /// Where something is to be brought; nil where that is not said, or wrong.
    fileprivate static func place(
        _ draft: DropOffDraft?, insteadOf before: DeliveryPlace?, among places: KnownPlaces
    ) -> DeliveryPlace? {
        var errors: [FieldError] = []
        return dropOff(draft, insteadOf: before, among: places, &errors)
    }
}

extension DeliveryTransaction {
    /// Somebody's own, locked, as it is by now: an offer that has expired has done so.
    /// - Throws: `DeliveryError.orderNotFound`.
    fileprivate func orderAsItIs(
        _ id: OrderID, of person: PersonID, naming named: AvailabilityID?
    ) async throws -> LockedOrder {
        func own() async throws -> LockedOrder {
            let found = try await lockedOrders([id], naming: named.map { [$0] } ?? []).first
            guard let found, found.order.orderer == person else { throw DeliveryError.orderNotFound }
            return found
        }
        let held = try await own()
        guard let offer = held.offer, let passed = offer.match.pass(at: now) else { return held }
        try await keep(passed, of: offer)
        return try await own()
    }

    /// Who is asked for by name, as they are now; nil where they are not there for this person. Whom nobody sees, the server alone asks.
    fileprivate func requested(
        _ availability: OfferedAvailability?, by orderer: PersonID, to dropOff: DeliveryPlace?
    ) async throws -> RequestedDeliverer? {
        guard let availability, availability.isListed, try await mayMeet(orderer, availability.deliverer) else {
            return nil
        }
        var chance = SystemRandomNumberGenerator()
        let places = [availability.restaurant.shown, availability.dropOff, dropOff].compactMap { $0 }
        return RequestedDeliverer(
            availability: availability, match: .new(at: now), code: MatchAgreement.code(using: &chance),
            ways: try await ways(among: places))
    }

    /// An order as its orderer sees it who has just done something to it.
    /// - Parameter matches: all of it.
    fileprivate func answer(_ order: PlacedOrder, _ matches: [MatchAgreement]) async throws -> DeliveryOrder {
        let names = try await people(Set(matches.map(\.deliverer)), for: order.orderer)
        return DeliveryOrder(order, matches, possible: try await possible(for: order), among: names, at: now)
    }
}
