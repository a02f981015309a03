// Finding things that are for rent, and when they are free.

/// `GET /v1/cars`, `/v1/spaces`, `/v1/private-parking`. With `mine`, the caller's own in every state and nobody else's.
public struct ThingQuery: Codable, Hashable, Sendable {
    /// All kinds where absent.
    public var kind: ThingKind?
    /// Words in title or description, whatever their case; newest first where no order is asked for.
    public var q: String?
    public var region: String?
    public var brand: String?
    public var model: String?
    /// In minor units, for one unit.
    public var highestPrice: Int?
    /// Free from this day (`2026-12-01`) or hour (`2026-12-01T14:00`) on, in the thing's own time; together with `until`. What nobody could ask for is
    /// refused.
    public var from: String?
    /// The last day, or the hour at which it ends.
    public var until: String?
    /// `newest` where absent.
    public var sort: ThingOrder?
    /// Where distances are measured from; required for the order `nearest`.
    public var near: Position?
    /// Whose; newest first.
    public var by: PersonID?
    public var mine: Bool?
    /// Of one's own, those in this state.
    public var state: ThingState?
    public var limit: Int?
    public var cursor: String?

    public init(
        kind: ThingKind? = nil, q: String? = nil, region: String? = nil, brand: String? = nil, model: String? = nil,
        highestPrice: Int? = nil, from: String? = nil, until: String? = nil, sort: ThingOrder? = nil,
        near: Position? = nil, by: PersonID? = nil, mine: Bool? = nil, state: ThingState? = nil, limit: Int? = nil,
        cursor: String? = nil
    ) {
        self.kind = kind
        self.q = q
        self.region = region
        self.brand = brand
        self.model = model
        self.highestPrice = highestPrice
        self.from = from
        self.until = until
        self.sort = sort
        self.near = near
        self.by = by
        self.mine = mine
        self.state = state
        self.limit = limit
        self.cursor = cursor
    }
}

public enum ThingOrder: String, Codable, CaseIterable, Hashable, Sendable {
    case newest, price
    case highestPrice = "-price"
    case region, nearest
}

/// `GET /v1/car-models`: what a car may be.
public struct CarModels: Codable, Hashable, Sendable {
    /// In the order of their names.
    public var brands: [CarBrand]
    public init(brands: [CarBrand]) { self.brands = brands }
}

public struct CarBrand: Codable, Hashable, Sendable {
    public var name: String
    public var models: [String]

    public init(name: String, models: [String]) {
        self.name = name
        self.models = models
    }
}

/// `GET /v1/cars/{id}/calendar`.
public struct CalendarQuery: Codable, Hashable, Sendable {
    public var id: ThingID
    public var kind: ThingKind?
    /// A day (`2026-12-01`); today where absent.
    public var from: String?
    /// A day, at most 400 later; 62 days later where absent.
    public var until: String?

    public init(id: ThingID, kind: ThingKind? = nil, from: String? = nil, until: String? = nil) {
        self.id = id
        self.kind = kind
        self.from = from
        self.until = until
    }
}

/// When a thing is taken, in order.
public struct ThingCalendar: Codable, Hashable, Sendable {
    public var zone: String
    /// A thousand or so at most.
    public var taken: [TakenPeriod]
    /// The last day on which something may begin that is asked for now: what begins later is refused, and so is what is over.
    public var last: String?
    /// The day from which on nothing is said yet (`2026-12-01`): there is more than one answer holds, and the rest is told to who asks again from it on,
    /// with the same last day. What reaches over its midnight is in both.
    public var next: String?

    public init(zone: String, taken: [TakenPeriod], last: String? = nil, next: String? = nil) {
        self.zone = zone
        self.taken = taken
        self.last = last
        self.next = next
    }
}

public struct TakenPeriod: Codable, Hashable, Sendable {
    public var from: String
    public var until: String
    /// Of what the owner has blocked: only to the owner, who may give it free by it.
    public var block: DateBlockID?
    /// Of an agreement: only to its owner and its renter.
    public var rental: RentalID?

    public init(from: String, until: String, block: DateBlockID? = nil, rental: RentalID? = nil) {
        self.from = from
        self.until = until
        self.block = block
        self.rental = rental
    }
}

/// Days, or hours, of a thing in its own time: the first and the last day, or the hours at which it begins and ends.
public struct PeriodDraft: Codable, Hashable, Sendable {
    public var from: String
    public var until: String

    public init(from: String, until: String) {
        self.from = from
        self.until = until
    }
}

/// What is posted at an address that is for one kind alone.
public struct ThingKindParameters: Codable, Hashable, Sendable {
    /// As the draft says where absent.
    public var kind: ThingKind?
    public init(kind: ThingKind? = nil) { self.kind = kind }
}

public struct DateBlockReference: Codable, Hashable, Sendable {
    public var id: DateBlockID
    public init(id: DateBlockID) { self.id = id }
}
