import FoundationEssentials
import People
import WireProtocol

// What people are told of matches.

extension MatchAgreement {
    /// Whether somebody is told the door, and the code by which goods are picked up that are paid for.
    func showsDoor(to role: MatchRole?) -> Bool { role == .orderer || role == .deliverer && isInHand }

    /// Whether somebody is told the very point where it is brought, where that is the orderer's own: who brings it or is asked to, until it is over.
    func showsDropOff(to role: MatchRole?) -> Bool { role == .orderer || role == .deliverer && !state.isOver }

    /// Whether somebody is told the four digits that complete it.
    func showsCode(to role: MatchRole?) -> Bool {
        role == .orderer && [.accepted, .pickedUp, .delivered].contains(state)
    }

    /// Whom an answer about it may name.
    var people: Set<PersonID> { Set([orderer, deliverer] + (changedBy.map { [$0] } ?? [])) }

    /// Who hears of it, on their streams.
    var audience: Set<PersonID> { Set([orderer, deliverer]).subtracting([.nobody]) }
}

extension DeliveryPlace {
    /// As those are told it whom a point of somebody's own is not for: the middle of its field of the grid. What Places knows is everybody's.
    var coarse: DeliveryPlace {
        place == nil ? DeliveryPlace(name: name, address: address, position: position.onGrid) : self
    }
}

extension DeliveryMatch {
    /// For one of the two; or for a moderator, who is told no door and no code.
    init(
        _ stored: MatchAgreement, of order: PlacedOrder, for viewer: PersonID, isModerator: Bool = false,
        among people: KnownPeople, at now: Date
    ) {
        let match = stored.pass(at: now)?.match ?? stored
        let role = match.role(of: viewer)
        let showsDoor = match.showsDoor(to: role)
        self.init(
            id: match.id, order: match.order, state: match.state, orderer: people[match.orderer],
            deliverer: people[match.deliverer], role: role, restaurant: match.restaurant, items: match.items,
            dropOff: match.showsDropOff(to: role) ? match.dropOff : match.dropOff.coarse,
            destination: role == .deliverer ? match.destination : match.destination.coarse,
            door: showsDoor ? order.door : nil,
            pickUpCode: showsDoor ? order.pickUpCode : nil, terms: match.terms, detour: match.detour,
            detourSeconds: match.detourSeconds, isTurn: match.isTurn, offeredAt: match.offeredAt,
            expiresAt: match.state == .offered ? match.expiresAt : nil, acceptedAt: match.acceptedAt,
            expectedAt: match.expectedAt, pickedUpAt: match.pickedUpAt, spent: match.spent, receipt: match.receipt,
            tip: match.tip, owed: match.owed, code: match.showsCode(to: role) ? match.code : nil,
            isShared: match.isShared, changedAt: match.changedAt, changedBy: match.changedBy.map { people[$0] },
            reason: match.reason,
            statements: match.statements.map {
                MatchStatement(by: people[match.person($0.by)], text: $0.text, at: $0.at)
            }, possible: match.possible(for: MatchParty(role, isModerator: isModerator), at: now))
    }
}

extension MatchNews {
    /// - Parameters:
    ///   - order: as it is once this has happened.
    ///   - person: who did what is told; nil where time did it.
    init(_ match: MatchAgreement, of order: PlacedOrder, by person: PersonID?, among people: KnownPeople) {
        self.init(
            id: match.id, order: match.order, state: match.state, orderState: order.state,
            orderer: people[match.orderer], deliverer: people[match.deliverer], restaurant: match.restaurant.name,
            dropOff: match.dropOff.name, expiresAt: match.state == .offered ? match.expiresAt : nil,
            expectedAt: match.expectedAt, by: person)
    }
}
