import FoundationEssentials
import MatchEngine
import WireProtocol

// From what is stored to what the engine knows, and back. No I/O and no clock.

/// How somebody fits an order.
struct DeliveryFit: Hashable, Sendable {
    /// Metres that they go out of their way, and seconds where streets are known.
    var detour: Int
    var detourSeconds: Int?
    /// Seconds from the restaurant to where it is brought.
    var walk: Int
    /// Whether they are asked because it is their turn.
    var isTurn = false
    /// Who could have been asked.
    var chances: [PersonID] = []
}

/// Somebody who is to be asked for an order.
struct ProposedOffer: Hashable, Sendable {
    let order: PlacedOrder
    let availability: OfferedAvailability
    let fit: DeliveryFit
}

/// A way of unknown length.
struct WayQuestion: Hashable, Sendable {
    let hop: Hop
    let from: Position
    let to: Position
}

/// What is to be done after a round.
struct RoundOutcome: Sendable {
    var offers: [ProposedOffer] = []
    var questions: [WayQuestion] = []
    /// Those that changed, to be kept.
    var credits: [(person: PersonID, credit: Credit)] = []
    /// What may have been missed at most, as a share of the best there is.
    var gap = 0.0
}

/// One round: who waits and who is free, until it is decided.
struct DeliveryRound: Sendable {
    private var engine: MatchEngine
    private var orders: [ID<WaitingOrder>: PlacedOrder] = [:]
    private var availabilities: [ID<FreeDeliverer>: OfferedAvailability] = [:]
    private var positions: [PlaceID: Position] = [:]
    private let ways: KnownWays

    init(ways: KnownWays = KnownWays(), settings: MatchSettings = MatchSettings()) {
        engine = MatchEngine(settings: settings)
        self.ways = ways
        for (hop, way) in ways.ways { engine.learn(hop, metres: way.onFoot) }
    }

    /// - Parameters:
    ///   - carried: where what they have in hand goes.
    ///   - campus: where campuses are kept apart, theirs.
    mutating func add(_ availability: OfferedAvailability, carrying carried: [DeliveryPlace] = [], of campus: String?) {
        let deliverer = FreeDeliverer(availability, carrying: carried, of: campus, ways)
        availabilities[deliverer.id] = availability
        note(deliverer.restaurant, deliverer.building)
        engine.learn(deliverer)
    }

    /// - Parameters:
    ///   - matches: all of it so far.
    ///   - campus: where campuses are kept apart, the orderer's.
    mutating func add(_ order: PlacedOrder, after matches: [MatchAgreement] = [], of campus: String?) {
        let waiting = WaitingOrder(order, of: campus)
        orders[waiting.id] = order
        note(waiting.building)
        for place in order.from { note(place.restaurant.shown.stop) }
        engine.learn(waiting)
        for decline in matches.compactMap(Decline.init) { engine.learn(decline) }
    }

    mutating func add(_ credit: Credit, of person: PersonID) { engine.learn(credit, of: person) }

    /// Two who are not to meet.
    mutating func separate(_ one: PersonID, _ other: PersonID) { engine.learn(one, isApartFrom: other) }

    /// Whether deciding it takes longer than somebody should wait who only asks something.
    var isLarge: Bool { orders.count > 100 }

    func decided(at now: Date) -> RoundOutcome {
        var round = self
        return round.decide(at: now)
    }

    mutating func decide(at now: Date) -> RoundOutcome {
        var outcome = RoundOutcome()
        for directive in engine.decide(at: now) {
            switch directive {
            case .offer(let proposal): outcome.offers += offer(proposal).map { [$0] } ?? []
            case .ask(let hops): outcome.questions += hops.compactMap(question)
            // Each of them waits for anybody, and goes on doing so; what time ends is ended by another round.
            case .keepWaiting, .lapse: break
            }
        }
        outcome.credits = engine.takeCredits()
        outcome.gap = engine.certificate.gap
        return outcome
    }

    private func offer(_ proposal: Proposal) -> ProposedOffer? {
        guard let order = orders[proposal.order], let availability = availabilities[proposal.deliverer] else {
            return nil
        }
        let fit = DeliveryFit(
            detour: proposal.detour, detourSeconds: ways.seconds(of: proposal.detour, for: order, availability),
            walk: ways.walk(with: order, availability), isTurn: proposal.reason == .turn, chances: proposal.chances)
        return ProposedOffer(order: order, availability: availability, fit: fit)
    }

    private func question(_ hop: Hop) -> WayQuestion? {
        guard let from = positions[hop.one], let to = positions[hop.other] else { return nil }
        return WayQuestion(hop: hop, from: from, to: to)
    }

    private mutating func note(_ stops: Stop...) {
        for stop in stops { positions[stop.id] = stop.position }
    }
}

// MARK: One order, and one who may bring it

extension DeliveryRound {
    /// By the engine's own rules; nil where they do not fit. Whether the two may meet, and whether they were asked before, is not looked at.
    static func fit(
        _ order: PlacedOrder, _ availability: OfferedAvailability, ways: KnownWays, at now: Date
    ) -> DeliveryFit? {
        let places = [availability.restaurant.shown, availability.dropOff, order.dropOff]
        var round = DeliveryRound(ways: ways.only(between: places))
        round.add(availability, of: nil)
        round.add(order, of: nil)
        return round.decide(at: now).offers.first?.fit
    }
}
