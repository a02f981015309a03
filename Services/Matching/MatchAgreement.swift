import FoundationEssentials
import WireProtocol

// What is true of a match. No I/O and no clock. `MatchRule.table` says what may be done; this says what is kept of it.

/// One order that is offered to one deliverer, and what became of it.
struct MatchAgreement: Hashable, Sendable {
    let id: MatchID
    let order: OrderID
    let availability: AvailabilityID
    let orderer: PersonID
    let deliverer: PersonID
    // As all of it was when it was offered.
    let restaurant: DeliveryPlace
    let items: String
    let dropOff: DeliveryPlace
    let destination: DeliveryPlace
    /// The limit may be raised.
    var terms: OrderTerms
    /// Metres.
    let detour: Int
    let detourSeconds: Int?
    /// Seconds from the restaurant to where it is brought.
    let walk: Int
    let isTurn: Bool
    /// Who could have been asked, while that may be given back.
    var chances: [PersonID]
    /// Four digits, the orderer's.
    let code: String
    let offeredAt: Date
    let expiresAt: Date
    var acceptedAt: Date?
    var expectedAt: Date?
    var pickedUpAt: Date?
    var spent: Money?
    var receipt: String?
    var tip: Money?
    /// Percent of what was spent, the fee and the tip that the orderer owes, once it is picked up.
    var share = 100
    var isShared = false
    /// Whether somebody said by mistake that it is there: the hand that it had may have been given away meanwhile, so it has none since.
    var isUndone = false
    /// How often somebody had other digits than the orderer's. The database counts it.
    var wrongCodes = 0
    var state = MatchState.offered
    /// When the state began.
    var changedAt: Date
    /// Nil where time did it, or the two are apart.
    var changedBy: PersonID?
    var reason: String?
    /// What the two said of a dispute: the first one opened it.
    var statements: [MatchRemark] = []
}

/// What one of the two said of a dispute.
struct MatchRemark: Hashable, Sendable {
    var by: MatchRole
    var text: String
    var at: Date
}

extension MatchAgreement {
    init(
        of order: PlacedOrder, _ items: String, to availability: OfferedAvailability, _ fit: DeliveryFit, id: MatchID,
        code: String, until answerBy: Date, at now: Date
    ) {
        self.init(
            id: id, order: order.id, availability: availability.id, orderer: order.orderer,
            deliverer: availability.deliverer, restaurant: availability.restaurant.shown, items: items,
            dropOff: order.dropOff, destination: availability.dropOff, terms: order.terms, detour: fit.detour,
            detourSeconds: fit.detourSeconds, walk: fit.walk, isTurn: fit.isTurn, chances: fit.chances, code: code,
            offeredAt: now, expiresAt: answerBy, changedAt: now)
    }

    func role(of person: PersonID?) -> MatchRole? {
        person == orderer ? .orderer : person == deliverer ? .deliverer : nil
    }

    func person(_ role: MatchRole) -> PersonID { role == .orderer ? orderer : deliverer }

    // MARK: What its state means

    /// Whether it fills one of the deliverer's hands.
    var fillsHand: Bool { state == .offered || isUnderWay && !isUndone }

    /// They go for it, or bring it.
    var isUnderWay: Bool { state == .accepted || state == .pickedUp }

    /// It was accepted and is not over: the two know each other's door and number, and neither leaves the community.
    var isInHand: Bool { !state.isOver && state != .offered }

    /// The order is to be offered to somebody else: nothing was picked up, and it was not the orderer who ended it.
    var comesBack: Bool {
        switch state {
        case .declined, .expired: true
        case .withdrawn, .cancelled: changedBy != orderer
        case .givenUp: pickedUpAt == nil
        default: false
        }
    }

    /// What the orderer owes, rounded to their favour; nil before it is picked up, and where nothing was agreed.
    var owed: Money? {
        let amounts = [spent, terms.fee, tip].compactMap { $0 }
        guard pickedUpAt != nil, let currency = amounts.first?.currency else { return nil }
        return Money(amount: amounts.reduce(0) { $0 + $1.amount } * share / 100, currency: currency)
    }

    /// Four random digits.
    static func code(using chance: inout some RandomNumberGenerator) -> String {
        (0..<4).map { _ in String(Int.random(in: 0...9, using: &chance)) }.joined()
    }
}

/// A match after a transition, and what is told of it.
struct MatchDecision: Hashable, Sendable {
    var match: MatchAgreement
    /// Nil where nothing is.
    var told: MatchUpdate.Change?
    /// Who did it, which need not be who brought the state. Nil where time did it.
    var by: PersonID?
    /// The two have completed something together, on which they may review each other.
    var isCompleted = false
    /// Who was asked and those who could have been have their chances as before: the orderer ended it.
    var turnsBack: [PersonID] = []
}
