import FoundationEssentials
import People
import WireProtocol

// What people are told of orders.

extension DeliveryOrder {
    /// For its orderer alone.
    /// - Parameters:
    ///   - matches: all of it.
    ///   - possible: how many who are there could bring it and were not asked yet.
    init(
        _ stored: PlacedOrder, _ matches: [MatchAgreement], possible: Int, among people: KnownPeople, at now: Date
    ) {
        let (order, matches) = stored.asItIs(matches, at: now)
        let asked = matches.first { $0.state == .offered }
        self.init(
            id: order.id, state: order.state,
            from: order.from.map { OrderedFrom(restaurant: $0.restaurant.shown, items: $0.items) },
            around: order.around, dropOff: order.dropOff, door: order.door, terms: order.terms, rollsOn: order.rollsOn,
            steps: OrderStep.steps(of: matches, among: people),
            asked: asked.map {
                AskedDeliverer(person: people[$0.deliverer], match: $0.id, until: $0.expiresAt)
            }, possibleDeliverers: order.state == .matched || order.state.isOver ? 0 : possible,
            placedAt: order.placedAt, waitsUntil: order.waitsUntil, match: matches.last(where: \.isItsOwn)?.id,
            possible: order.possible(for: order.orderer, at: now))
    }
}

extension MatchAgreement {
    /// Whether the order is, or was, with this one.
    fileprivate var isItsOwn: Bool { acceptedAt != nil && !comesBack }
}

extension OrderStep {
    /// The earliest first.
    fileprivate static func steps(of matches: [MatchAgreement], among people: KnownPeople) -> [OrderStep] {
        matches.flatMap { match in
            let person = match.deliverer == .nobody ? nil : people[match.deliverer]
            return match.steps.map { OrderStep(what: $0.what, person: person, at: $0.at) }
        }.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }
}

extension MatchAgreement {
    fileprivate var steps: [(what: OrderStep.What, at: Date)] {
        let accepted = acceptedAt.map { [(OrderStep.What.accepted, $0)] } ?? []
        return [(.asked, offeredAt)] + accepted + (ending.map { [($0, changedAt)] } ?? [])
    }

    /// How it came back.
    private var ending: OrderStep.What? {
        guard comesBack else { return nil }
        return switch state {
        case .declined: .declined
        case .expired: .expired
        case .withdrawn: .gone
        default: .gaveUp
        }
    }
}

extension OrderLapsed {
    init(_ order: PlacedOrder) { self.init(order: order.id, dropOff: order.dropOff.name, orderer: order.orderer) }
}
