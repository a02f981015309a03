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

/// Names a match.
public struct MatchReference: Codable, Hashable, Sendable {
    public var id: MatchID

    public init(id: MatchID) { self.id = id }
}

/// `POST /v1/matches/{id}/{accept|decline|cancel|pick-up|give-up|postpone|complete|undo|no-show|dispute|explain|settle|tip|raise-limit}`.
public struct MatchActReference: Codable, Hashable, Sendable {
    public var id: MatchID
    public var act: MatchAct

    public init(id: MatchID, act: MatchAct) {
        self.id = id
        self.act = act
    }
}

/// What comes with an act; nothing of it has to be there where the act does not say so.
public struct MatchActDraft: Codable, Hashable, Sendable {
    /// Up to 1,000 characters; required of giving up, of a dispute, of what is said in it, and of its settlement.
    public var reason: String?
    /// Of an acceptance: in how many minutes the food is expected to be ready; of a postponement: in how many it is there.
    public var minutes: Int?
    /// Of a pick-up; not more than the limit. Absent where it is paid for already.
    public var spent: Money?
    /// A picture of it.
    public var receipt: String?
    /// Of a completion by the deliverer: the orderer's four digits.
    public var code: String?
    /// Of a tip; of a limit that is raised.
    public var amount: Money?
    /// Where a dispute is settled: which share of what is owed the orderer owes, 0…100.
    public var share: Int?
    /// As it was shown to who acts: where it is otherwise by now, nothing is done (`terms_changed`).
    public var expected: MatchExpectation?

    public init(
        reason: String? = nil, minutes: Int? = nil, spent: Money? = nil, receipt: String? = nil, code: String? = nil,
        amount: Money? = nil, share: Int? = nil, expected: MatchExpectation? = nil
    ) {
        self.reason = reason
        self.minutes = minutes
        self.spent = spent
        self.receipt = receipt
        self.code = code
        self.amount = amount
        self.share = share
        self.expected = expected
    }
}

/// What a match was when somebody was shown it. What is absent is not compared.
public struct MatchExpectation: Codable, Hashable, Sendable {
    public var state: MatchState?
    /// In minor units; 0 for nothing.
    public var fee: Int?
    /// The same.
    public var limit: Int?

    public init(state: MatchState? = nil, fee: Int? = nil, limit: Int? = nil) {
        self.state = state
        self.fee = fee
        self.limit = limit
    }
}

/// `GET /v1/matches`: the caller's own, the latest first.
public struct MatchQuery: Codable, Hashable, Sendable {
    /// Both where absent.
    public var role: MatchRole?
    /// Those that are over, or only those that are not; all where absent. Offers that came to nothing are in none.
    public var isOver: Bool?
    /// To moderators: everybody's that are disputed, and nothing else.
    public var disputed: Bool?
    public var limit: Int?
    public var cursor: String?

    public init(
        role: MatchRole? = nil, isOver: Bool? = nil, disputed: Bool? = nil, limit: Int? = nil, cursor: String? = nil
    ) {
        self.role = role
        self.isOver = isOver
        self.disputed = disputed
        self.limit = limit
        self.cursor = cursor
    }
}

// MARK: Where they are

/// `PUT /v1/matches/{id}/position`: where the deliverer is, while they have it in hand and show it. Only the last is kept, and goes with the delivery.
public struct MatchPositionDraft: Codable, Hashable, Sendable {
    public var position: Position
    /// Metres.
    public var accuracy: Int?

    public init(position: Position, accuracy: Int? = nil) {
        self.position = position
        self.accuracy = accuracy
    }
}

/// `GET /v1/matches/{id}/position`: to the orderer and the deliverer.
public struct MatchPosition: Codable, Hashable, Sendable {
    public var position: Position
    public var accuracy: Int?
    public var at: Date
    /// To where it is brought.
    public var metres: Int
    /// Along streets, where they are known.
    public var seconds: Int?
    /// How many others are brought before it.
    public var stopsBefore: Int

    public init(
        position: Position, accuracy: Int? = nil, at: Date, metres: Int, seconds: Int? = nil, stopsBefore: Int = 0
    ) {
        self.position = position
        self.accuracy = accuracy
        self.at = at
        self.metres = metres
        self.seconds = seconds
        self.stopsBefore = stopsBefore
    }
}

/// `GET /v1/matches/{id}/contact`: how the two reach each other, from the acceptance until it is over.
public struct MatchContact: Codable, Hashable, Sendable {
    /// The other one's telephone number; absent where they have given none.
    public var phone: String?

    public init(phone: String? = nil) { self.phone = phone }
}
