#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// What somebody wants brought: requests and replies of the matching service.

public typealias OrderID = ID<DeliveryOrder>

/// What somebody wants brought, as they see it.
public struct DeliveryOrder: Codable, Hashable, Sendable {
    public var id: OrderID
    public var state: OrderState
    /// Each restaurant that they would take it from, with what from there; or, where they said `around`, those that there were.
    public var from: [OrderedFrom]
    /// Any restaurant of that circle.
    public var around: OrderedAround?
    public var dropOff: DeliveryPlace
    /// Told to who has accepted.
    public var door: String?
    public var terms: OrderTerms
    /// Whether anybody is asked where the one who was asked for can't.
    public var rollsOn: Bool
    /// Who was asked and what they said, the earliest first.
    public var steps: [OrderStep]
    /// Who is asked now.
    public var asked: AskedDeliverer?
    /// How many who are there now could bring it and were not asked yet: 100 at most, and as long as ways are guessed to be.
    public var possibleDeliverers: Int
    public var placedAt: Date
    /// Until when somebody may come; then it lapses.
    public var waitsUntil: Date
    /// Who brings it.
    public var match: MatchID?
    /// What one may do with it now.
    public var possible: [OrderAct]

    public init(
        id: OrderID, state: OrderState, from: [OrderedFrom], around: OrderedAround? = nil, dropOff: DeliveryPlace,
        door: String? = nil, terms: OrderTerms, rollsOn: Bool, steps: [OrderStep] = [], asked: AskedDeliverer? = nil,
        possibleDeliverers: Int = 0, placedAt: Date, waitsUntil: Date, match: MatchID? = nil, possible: [OrderAct] = []
    ) {
        self.id = id
        self.state = state
        self.from = from
        self.around = around
        self.dropOff = dropOff
        self.door = door
        self.terms = terms
        self.rollsOn = rollsOn
        self.steps = steps
        self.asked = asked
        self.possibleDeliverers = possibleDeliverers
        self.placedAt = placedAt
        self.waitsUntil = waitsUntil
        self.match = match
        self.possible = possible
    }
}

/// What becomes of an order.
public enum OrderState: String, Codable, CaseIterable, Hashable, Sendable {
    /// For somebody who can bring it.
    case waiting
    /// The one who was asked for can't, and the orderer says whom to ask.
    case asking
    /// Somebody is asked.
    case offered
    /// Somebody brings it.
    case matched
    case completed
    case cancelled
    /// Nobody could in time, or no restaurant was left.
    case lapsed
}

/// A restaurant, and what is wanted from there.
public struct OrderedFrom: Codable, Hashable, Sendable {
    public var restaurant: DeliveryPlace
    public var items: String

    public init(restaurant: DeliveryPlace, items: String) {
        self.restaurant = restaurant
        self.items = items
    }
}

/// Any restaurant that is not farther than this from a point.
public struct OrderedAround: Codable, Hashable, Sendable {
    public var position: Position
    /// Metres.
    public var radius: Int
    public var items: String

    public init(position: Position, radius: Int, items: String) {
        self.position = position
        self.radius = radius
        self.items = items
    }
}

/// What is paid: agreed when somebody accepts, recorded, and moved by nobody.
public struct OrderTerms: Codable, Hashable, Sendable {
    /// To who brings it; nil for nothing.
    public var fee: Money?
    /// The most that may be spent on the goods; nil where they are paid for already.
    public var limit: Money?
    public var paidBy: OrderPayment
    /// Whether the goods are paid for, and picked up by a code.
    public var isPrepaid: Bool

    public init(fee: Money? = nil, limit: Money? = nil, paidBy: OrderPayment, isPrepaid: Bool = false) {
        self.fee = fee
        self.limit = limit
        self.paidBy = paidBy
        self.isPrepaid = isPrepaid
    }
}

/// How what was spent is paid back.
public enum OrderPayment: String, Codable, CaseIterable, Hashable, Sendable {
    case cash
    case credits
}

/// What was done for an order.
public struct OrderStep: Codable, Hashable, Sendable {
    public var what: What
    public var person: PersonSummary?
    public var at: Date

    public enum What: String, Codable, CaseIterable, Hashable, Sendable {
        case asked, declined, expired
        /// They went, or what they had said no longer fits.
        case gone
        case accepted
        /// They could not go on.
        case gaveUp
    }

    public init(what: What, person: PersonSummary? = nil, at: Date) {
        self.what = what
        self.person = person
        self.at = at
    }
}

/// Who is asked, and until when they may say.
public struct AskedDeliverer: Codable, Hashable, Sendable {
    public var person: PersonSummary
    public var match: MatchID
    public var until: Date

    public init(person: PersonSummary, match: MatchID, until: Date) {
        self.person = person
        self.match = match
        self.until = until
    }
}

/// What one may do with an order.
public enum OrderAct: String, Codable, CaseIterable, Hashable, Sendable {
    case change
    case cancel
    /// Where it is `asking`: anybody, or one.
    case ask
}

/// `POST /v1/orders`, `PATCH /v1/orders/{id}`. In a change what is absent stays.
public struct OrderDraft: Codable, Hashable, Sendable {
    /// One to eight; or `around`.
    public var from: [OrderedFromDraft]?
    public var around: OrderedAroundDraft?
    public var dropOff: DropOffDraft?
    /// Up to 200 characters: told to who has accepted, and to nobody else.
    public var door: String?
    /// An amount of 0, or nothing, for nothing.
    public var fee: Money?
    /// Of the goods; required unless they are paid for.
    public var limit: Money?
    /// `cash` where absent.
    public var paidBy: OrderPayment?
    /// Of goods that are paid for: up to 60 characters, told to who has accepted.
    public var pickUpCode: String?
    /// Whom to ask first.
    public var availability: AvailabilityID?
    /// Whether anybody is asked where that one can't; false where absent. Without `availability` anybody is asked.
    public var rollsOn: Bool?
    /// How long it waits: 15 to 180; 60 where absent.
    public var minutes: Int?

    public init(
        from: [OrderedFromDraft]? = nil, around: OrderedAroundDraft? = nil, dropOff: DropOffDraft? = nil,
        door: String? = nil, fee: Money? = nil, limit: Money? = nil, paidBy: OrderPayment? = nil,
        pickUpCode: String? = nil, availability: AvailabilityID? = nil, rollsOn: Bool? = nil, minutes: Int? = nil
    ) {
        self.from = from
        self.around = around
        self.dropOff = dropOff
        self.door = door
        self.fee = fee
        self.limit = limit
        self.paidBy = paidBy
        self.pickUpCode = pickUpCode
        self.availability = availability
        self.rollsOn = rollsOn
        self.minutes = minutes
    }
}

/// A restaurant that Places knows, and what is wanted from there.
public struct OrderedFromDraft: Codable, Hashable, Sendable {
    public var restaurant: PlaceID?
    /// Up to 1,000 characters.
    public var items: String?

    public init(restaurant: PlaceID? = nil, items: String? = nil) {
        self.restaurant = restaurant
        self.items = items
    }
}

/// Any restaurant around a point.
public struct OrderedAroundDraft: Codable, Hashable, Sendable {
    public var position: Position?
    /// 100 to 1,000 metres; 400 where absent.
    public var radius: Int?
    /// Up to 1,000 characters.
    public var items: String?

    public init(position: Position? = nil, radius: Int? = nil, items: String? = nil) {
        self.position = position
        self.radius = radius
        self.items = items
    }
}

/// `GET /v1/orders`: the caller's own, the latest first.
public struct OrderQuery: Codable, Hashable, Sendable {
    /// Those that are over, or only those that are not; all where absent.
    public var isOver: Bool?
    public var limit: Int?
    public var cursor: String?

    public init(isOver: Bool? = nil, limit: Int? = nil, cursor: String? = nil) {
        self.isOver = isOver
        self.limit = limit
        self.cursor = cursor
    }
}

/// Names an order.
public struct OrderReference: Codable, Hashable, Sendable {
    public var id: OrderID

    public init(id: OrderID) { self.id = id }
}

/// `POST /v1/orders/{id}/ask`: whom to ask next.
public struct OrderAsking: Codable, Hashable, Sendable {
    /// Anybody where absent.
    public var availability: AvailabilityID?

    public init(availability: AvailabilityID? = nil) { self.availability = availability }
}
