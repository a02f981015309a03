#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// One order with one deliverer, first as an offer, then as a delivery: replies of the matching service.

public typealias MatchID = ID<DeliveryMatch>

/// One order that is offered to somebody, or that they bring. Seen by the two, and by moderators where it is disputed.
public struct DeliveryMatch: Codable, Hashable, Sendable {
    public var id: MatchID
    public var order: OrderID
    public var state: MatchState
    public var orderer: PersonSummary
    public var deliverer: PersonSummary
    /// As the caller is in it; absent for moderators.
    public var role: MatchRole?
    public var restaurant: DeliveryPlace
    public var items: String
    /// Of a point of the orderer's own the deliverer has the middle of its field of the grid once it is over.
    public var dropOff: DeliveryPlace
    /// Where the deliverer goes anyway: to others, of a point of theirs the middle of its field of the grid.
    public var destination: DeliveryPlace
    /// To the orderer, and to the deliverer from the acceptance on, while it is not over.
    public var door: String?
    /// The same, of goods that are paid for.
    public var pickUpCode: String?
    /// As they were when it was offered, but for a limit that was raised: a later change of the order is another offer.
    public var terms: OrderTerms
    /// Metres on foot that the deliverer goes out of the way, and seconds where streets are known.
    public var detour: Int
    public var detourSeconds: Int?
    /// Whether it was offered to this one because it was their turn.
    public var isTurn: Bool
    public var offeredAt: Date
    /// Until when the deliverer may answer; only of an offer.
    public var expiresAt: Date?
    public var acceptedAt: Date?
    /// When it is expected to be there, as the deliverer says, or as the way tells.
    public var expectedAt: Date?
    public var pickedUpAt: Date?
    /// On the goods.
    public var spent: Money?
    /// A picture of it.
    public var receipt: String?
    public var tip: Money?
    /// What the orderer owes: spent, fee and tip. Once it is picked up.
    public var owed: Money?
    /// Four digits, to the orderer: whoever brings it and is told them may complete it for both.
    public var code: String?
    /// Whether the deliverer shows where they are.
    public var isShared: Bool
    /// When the state began.
    public var changedAt: Date
    /// Who brought it into this state; absent where time did.
    public var changedBy: PersonSummary?
    /// Why, in their words.
    public var reason: String?
    /// What the two said where it is disputed.
    public var statements: [MatchStatement]
    /// What the caller may do now.
    public var possible: [MatchAct]

    public init(
        id: MatchID, order: OrderID, state: MatchState, orderer: PersonSummary, deliverer: PersonSummary,
        role: MatchRole? = nil, restaurant: DeliveryPlace, items: String, dropOff: DeliveryPlace,
        destination: DeliveryPlace, door: String? = nil, pickUpCode: String? = nil, terms: OrderTerms, detour: Int,
        detourSeconds: Int? = nil, isTurn: Bool = false, offeredAt: Date, expiresAt: Date? = nil,
        acceptedAt: Date? = nil, expectedAt: Date? = nil, pickedUpAt: Date? = nil, spent: Money? = nil,
        receipt: String? = nil, tip: Money? = nil, owed: Money? = nil, code: String? = nil, isShared: Bool = false,
        changedAt: Date, changedBy: PersonSummary? = nil, reason: String? = nil, statements: [MatchStatement] = [],
        possible: [MatchAct] = []
    ) {
        self.id = id
        self.order = order
        self.state = state
        self.orderer = orderer
        self.deliverer = deliverer
        self.role = role
        self.restaurant = restaurant
        self.items = items
        self.dropOff = dropOff
        self.destination = destination
        self.door = door
        self.pickUpCode = pickUpCode
        self.terms = terms
        self.detour = detour
        self.detourSeconds = detourSeconds
        self.isTurn = isTurn
        self.offeredAt = offeredAt
        self.expiresAt = expiresAt
        self.acceptedAt = acceptedAt
        self.expectedAt = expectedAt
        self.pickedUpAt = pickedUpAt
        self.spent = spent
        self.receipt = receipt
        self.tip = tip
        self.owed = owed
        self.code = code
        self.isShared = isShared
        self.changedAt = changedAt
        self.changedBy = changedBy
        self.reason = reason
        self.statements = statements
        self.possible = possible
    }
}

/// Who somebody is in a match.
public enum MatchRole: String, Codable, CaseIterable, Hashable, Sendable {
    case orderer
    case deliverer
}

/// What becomes of a match: as an offer, then as a delivery.
public enum MatchState: String, Codable, CaseIterable, Hashable, Sendable {
    case offered
    case declined
    /// Nobody answered in time.
    case expired
    /// The orderer took it back, the deliverer went, or the two are apart.
    case withdrawn
    case accepted
    case pickedUp
    /// The deliverer says that it is there, or the orderer that they have it: the other one has not said so yet.
    case delivered
    case received
    case completed
    /// By one of the two, before it was picked up.
    case cancelled
    /// By the deliverer, with a reason.
    case givenUp
    /// Nothing was heard of it for hours.
    case lapsed
    /// One of the two did not come, as the other one says.
    case noShow
    case disputed
    /// A moderator has settled the dispute.
    case settled

    /// Whether it is over.
    public var isOver: Bool {
        switch self {
        case .offered, .accepted, .pickedUp, .delivered, .received, .disputed: false
        case .declined, .expired, .withdrawn, .completed, .cancelled, .givenUp, .lapsed, .noShow, .settled: true
        }
    }
}

/// What one may do to a match.
public enum MatchAct: String, Codable, CaseIterable, Hashable, Sendable {
    case accept, decline
    case cancel
    /// With what was spent.
    case pickUp
    /// With the reason.
    case giveUp
    /// It comes later.
    case postpone
    /// By the deliverer: it is there. By the orderer: they have it. With the orderer's code: both.
    case complete
    /// Within two minutes, while the other one has not said it too.
    case undo
    case reportNoShow
    case dispute
    case explain
    /// By moderators.
    case settle
    /// By the orderer, within a day, once.
    case tip
    /// By the orderer, until it is picked up.
    case raiseLimit

    /// How it is called in addresses.
    public var path: String {
        switch self {
        case .pickUp: "pick-up"
        case .giveUp: "give-up"
        case .reportNoShow: "no-show"
        case .raiseLimit: "raise-limit"
        default: rawValue
        }
    }

    public init?(path: String) {
        guard let act = Self.allCases.first(where: { $0.path == path }) else { return nil }
        self = act
    }
}

/// What somebody said about what is disputed.
public struct MatchStatement: Codable, Hashable, Sendable {
    public var by: PersonSummary
    public var text: String
    public var at: Date

    public init(by: PersonSummary, text: String, at: Date) {
        self.by = by
        self.text = text
        self.at = at
    }
}

/// `GET /v1/matches/{id}/contact`: how the two reach each other, from the acceptance until it is over.
public struct MatchContact: Codable, Hashable, Sendable {
    /// The other one's telephone number; absent where they have given none.
    public var phone: String?

    public init(phone: String? = nil) { self.phone = phone }
}
