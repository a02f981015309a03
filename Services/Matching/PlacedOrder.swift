import FoundationEssentials
import WireProtocol

// What is true of an order. No I/O and no clock.

/// What somebody wants brought, and what became of it.
struct PlacedOrder: Hashable, Sendable {
    let id: OrderID
    let orderer: PersonID
    let placedAt: Date
    var state: OrderState
    /// One to eight; or, where it may come from any of a circle, those that there were.
    var from: [WantedFrom]
    var around: OrderedAround?
    var dropOff: DeliveryPlace
    var door: String?
    var terms: OrderTerms
    /// Of goods that are paid for.
    var pickUpCode: String?
    /// Who alone is asked; nil where anybody is.
    var asked: AvailabilityID?
    /// Whether anybody is asked where that one can't.
    var rollsOn: Bool
    /// Until when somebody may come.
    var waitsUntil: Date
    /// When the state began.
    var changedAt: Date

    /// What is wanted from a restaurant; nil where it may not come from there.
    func items(from restaurant: KnownPlace) -> String? {
        if let around { return restaurant.isInside(around) ? around.items : nil }
        return from.first { $0.restaurant.id == restaurant.id }?.items
    }
}

/// A restaurant, and what is wanted from there.
struct WantedFrom: Hashable, Sendable {
    var restaurant: KnownPlace
    var items: String
}

extension OrderState {
    var isOver: Bool {
        switch self {
        case .waiting, .asking, .offered, .matched: false
        case .completed, .cancelled, .lapsed: true
        }
    }
}

/// An order after a transition, and what happens with it.
struct OrderDecision: Hashable, Sendable {
    var order: PlacedOrder
    /// What becomes of the offer that was open: it is kept before a new one.
    var match: MatchDecision?
    /// A new offer, which is told as `newMatch`.
    var offer: MatchAgreement?
    /// Whether it is told that nobody could bring it.
    var hasLapsed = false
}
