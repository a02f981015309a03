import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

// What was decided is written, told, and followed: an order follows its match, then an availability does.

extension DeliveryTransaction {
    // MARK: What begins

    func add(_ decision: AvailabilityDecision) async throws {
        _ = try await transaction.query(decision.availability.insertion(at: now))
        tell(decision)
    }

    /// With the offer to whom it asks for by name.
    func add(_ decision: OrderDecision) async throws {
        _ = try await transaction.query(try decision.order.insertion(words))
        if let offer = decision.offer { try await make(offer, of: decision.order) }
    }

    /// An order is offered to somebody, whose availability is locked.
    private func make(_ offer: MatchAgreement, of order: PlacedOrder) async throws {
        _ = try await transaction.query(try offer.insertion(words, at: now))
        tell(offer, of: order, among: try await people([offer.orderer, offer.deliverer], for: nil))
    }

    /// Offers that were decided at once, each with its order as it was. All of it is locked.
    func make(_ decisions: [(decision: OrderDecision, before: PlacedOrder)]) async throws {
        let offers = decisions.compactMap { made in made.decision.offer.map { (offer: $0, of: made.decision.order) } }
        if offers.isEmpty { return }
        let updates = try decisions.map { try $0.decision.order.update(after: $0.before, words) }
        try await transaction.pipeline(updates + (try offers.map { try $0.offer.insertion(words, at: now) }))
        let known = try await people(Set(offers.flatMap { [$0.offer.orderer, $0.offer.deliverer] }), for: nil)
        for (offer, order) in offers { tell(offer, of: order, among: known) }
    }

    private func tell(_ offer: MatchAgreement, of order: PlacedOrder, among known: KnownPeople) {
        let news = MatchNews(offer, of: order, by: order.orderer, among: known)
        publish(NewMatch(match: news), about: offer, to: [offer.deliverer])
    }

    // MARK: What becomes of a match

    /// Keeps what became of a match that is locked, with its order and its availability.
    /// - Returns: all three as they are then.
    @discardableResult
    func keep(_ decision: MatchDecision, of held: LockedMatch) async throws -> LockedMatch {
        let followed = held.order.follow(decision.match, at: now)
        let order = followed?.order ?? held.order
        try await write(decision.match, insteadOf: held.match)
        if order != held.order { _ = try await transaction.query(try order.update(after: held.order, words)) }
        let availability = try await follow(decision, of: held)
        try await tell(decision, in: order)
        if followed?.hasLapsed ?? false { tellLapse(of: order) }
        try await giveTurnsBack(of: decision.match, decision.turnsBack)
        return LockedMatch(match: decision.match, order: order, availability: availability)
    }

    private func write(_ match: MatchAgreement, insteadOf before: MatchAgreement) async throws {
        if match == before { return }
        _ = try await transaction.query(match.update(at: now))
        if match.roomFacts(at: now) != before.roomFacts(at: now) { tellRoom(of: match) }
    }

    /// Who answers is there; of who does not, time after time, that is asked. What has ended by its time is ended by the rounds, which withdraw what is
    /// offered besides.
    private func follow(_ decision: MatchDecision, of held: LockedMatch) async throws -> OfferedAvailability {
        var availability = held.availability
        if decision.match.fillsHand != held.match.fillsHand {
            availability = try await self.availability(availability.id)
        }
        guard let followed = availability.follow(decision, at: now), followed.availability.state != .ended else {
            return availability
        }
        _ = try await transaction.query(followed.availability.update(at: now))
        tell(followed)
        return followed.availability
    }

    // MARK: What becomes of an order

    /// Keeps what became of an order that is locked as `lockedOrders` does it: of the offer that was open, and a new one. Whom it is offered to is locked too.
    /// - Returns: as it is then.
    @discardableResult
    func keep(_ decision: OrderDecision, insteadOf before: PlacedOrder) async throws -> PlacedOrder {
        let order = decision.order
        if let match = decision.match { try await close(match, in: order) }
        if order != before { _ = try await transaction.query(try order.update(after: before, words)) }
        if let offer = decision.offer { try await make(offer, of: order) }
        if decision.hasLapsed { tellLapse(of: order) }
        return order
    }

    /// Something became of the offer that was open, as the order says already.
    private func close(_ decision: MatchDecision, in order: PlacedOrder) async throws {
        let rows = try await transaction.query(
            "SELECT \(MatchAgreement.columns) FROM matches WHERE id = \(decision.match.id)")
        let before = try MatchAgreement(rows[0], words)
        let availability = try await availability(before.availability)
        try await write(decision.match, insteadOf: before)
        _ = try await follow(decision, of: LockedMatch(match: before, order: order, availability: availability))
        try await tell(decision, in: order)
        try await giveTurnsBack(of: decision.match, decision.turnsBack)
    }

    // MARK: What becomes of an availability

    /// Keeps what became of an availability that is locked. What is offered to them is withdrawn where they end it, or offer something else.
    /// - Parameter person: who did it; nil where time did it, or the community.
    /// - Returns: as it is then.
    @discardableResult
    func keep(
        _ decision: AvailabilityDecision, insteadOf before: OfferedAvailability, by person: PersonID? = nil
    ) async throws -> OfferedAvailability {
        let after = decision.availability
        if after != before { _ = try await transaction.query(after.update(at: now)) }
        tell(decision)
        let held = try await lockedMatches(with: after)
        let unfit = after.state == .ended ? held.map(\.match) : after.noLonger(held.map(\.match))
        var last = after
        for var offer in held where unfit.contains(where: { $0.id == offer.match.id }) {
            offer.availability = last
            guard let gone = offer.match.gone(by: person, at: now) else { continue }
            last = try await keep(gone, of: offer).availability
        }
        return last
    }
}
