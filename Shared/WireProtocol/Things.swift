#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Cars, storage spaces and private parking, which people rent to each other: requests and replies of the listings service.

public typealias ThingID = ID<Thing>

/// What somebody shares for rent, as one person may see it.
public struct Thing: Codable, Hashable, Sendable {
    public var id: ThingID
    public var kind: ThingKind
    public var state: ThingState
    /// Empty only in a draft.
    public var title: String
    public var description: String?
    /// Of a car, out of the catalogue.
    public var brand: String?
    public var model: String?
    /// Of a car's plate: only to its owner.
    public var plate: String?
    /// Of a space: square metres.
    public var size: Int?
    /// One of the community's.
    public var region: String?
    /// What everybody may know of where it is: a street, a quarter.
    public var place: String?
    /// The door: only to its owner, and to who rents it from the acceptance on.
    public var address: String?
    /// To whom `address` is told, exactly; to everybody else the middle of the field of a fixed grid in which it lies.
    public var position: Position?
    /// Whether `position` is exact.
    public var isExact: Bool
    /// Photos' ids, shown at `/photos/{id}/{thumb|medium|full}`. The first one is the cover.
    public var photos: [String]
    /// The days in which it is let; always where absent.
    public var available: AvailableDays?
    /// For one unit.
    public var terms: RentalTerms
    public var owner: PersonSummary
    /// When it was first listed; of a draft, when it was begun.
    public var postedAt: Date
    /// Metres from the point that was asked for, to `position` as everybody is told it.
    public var distance: Int?
    /// Whether the caller shares it.
    public var mine: Bool
    /// What the caller may do with it now.
    public var action: ThingAction
    /// The caller's own request or agreement that has not ended.
    public var rental: RentalID?
    /// Where moderators have hidden it: only to its owner, and to moderators.
    public var hidden: Hiding?
    /// Names what its owner says of it, to its owner alone.
    public var version: String?

    public init(
        id: ThingID, kind: ThingKind, state: ThingState, title: String, description: String? = nil,
        brand: String? = nil, model: String? = nil, plate: String? = nil, size: Int? = nil, region: String? = nil,
        place: String? = nil, address: String? = nil, position: Position? = nil, isExact: Bool = false,
        photos: [String] = [], available: AvailableDays? = nil, terms: RentalTerms, owner: PersonSummary,
        postedAt: Date, distance: Int? = nil,
        mine: Bool, action: ThingAction, rental: RentalID? = nil, hidden: Hiding? = nil, version: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.state = state
        self.title = title
        self.description = description
        self.brand = brand
        self.model = model
        self.plate = plate
        self.size = size
        self.region = region
        self.place = place
        self.address = address
        self.position = position
        self.isExact = isExact
        self.photos = photos
        self.available = available
        self.terms = terms
        self.owner = owner
        self.postedAt = postedAt
        self.distance = distance
        self.mine = mine
        self.action = action
        self.rental = rental
        self.hidden = hidden
        self.version = version
    }
}

public enum ThingKind: String, Codable, CaseIterable, Hashable, Sendable {
    case car, space
    /// A garage or a driveway, which is guaranteed for its hours.
    case parking

    /// What a period is counted in.
    public var unit: RentalUnit { self == .parking ? .hour : .day }
}

public enum ThingState: String, Codable, CaseIterable, Hashable, Sendable {
    /// Seen by its owner alone.
    case draft
    case listed
    /// Taken off the list by its owner; what was agreed stays agreed.
    case withdrawn
}

/// The one button of a thing.
public enum ThingAction: String, Codable, CaseIterable, Hashable, Sendable {
    case rent
    /// The caller has asked or agreed, and may still cancel.
    case cancel
    case own
    /// Somebody else has it now, or it is not listed. A later period may be free: the calendar says so.
    case unavailable
}

/// On what terms a thing is let.
public struct RentalTerms: Codable, Hashable, Sendable {
    /// Of one unit; nil where it costs nothing.
    public var price: Money?
    public var unit: RentalUnit
    /// The most units of one agreement; the community's limit where absent.
    public var longest: Int?
    public var cancellation: CancellationPolicy
    /// Whether a request is accepted as it comes.
    public var isInstant: Bool
    /// IANA's name of the time zone in which its days and hours are counted.
    public var zone: String

    public init(
        price: Money? = nil, unit: RentalUnit, longest: Int? = nil, cancellation: CancellationPolicy,
        isInstant: Bool = false, zone: String
    ) {
        self.price = price
        self.unit = unit
        self.longest = longest
        self.cancellation = cancellation
        self.isInstant = isInstant
        self.zone = zone
    }
}

public enum RentalUnit: String, Codable, CaseIterable, Hashable, Sendable {
    case day, hour
}

/// What a renter owes who cancels: which share of the price, by how long before the beginning.
public enum CancellationPolicy: String, Codable, CaseIterable, Hashable, Sendable {
    case flexible, moderate, strict
}

/// The first and the last day on which a thing is let, in its own time (`2026-12-01`); open where one is absent.
public struct AvailableDays: Codable, Hashable, Sendable {
    public var from: String?
    public var until: String?

    public init(from: String? = nil, until: String? = nil) {
        self.from = from
        self.until = until
    }
}

/// `POST /v1/cars`, `PUT /v1/cars/{id}`, and of spaces and parking: what is absent is removed, but for `plate`, which stays. `PATCH` changes
/// what is there and nothing else.
public struct ThingDraft: Codable, Hashable, Sendable {
    /// Of a new thing; a thing stays what it is.
    public var kind: ThingKind?
    /// Up to 120 characters.
    public var title: String?
    /// Up to 4,000 characters.
    public var description: String?
    public var brand: String?
    public var model: String?
    public var plate: String?
    public var size: Int?
    public var region: String?
    public var place: String?
    public var address: String?
    public var position: Position?
    /// At most twelve, the cover first.
    public var photos: [String]?
    public var available: AvailableDays?
    public var price: Money?
    /// Zero in an amendment takes it away.
    public var longest: Int?
    /// `flexible` where absent.
    public var cancellation: CancellationPolicy?
    public var isInstant: Bool?
    /// The community's where absent. It stays while somebody has or asked for the thing, or dates are blocked.
    public var zone: String?
    /// False for what is not to be listed yet: it may be incomplete, and nobody else sees it. Of a new thing only.
    public var isComplete: Bool?
    /// That of the thing as it was when the change was made up: where it is another one by now, nothing is changed (`changed_meanwhile`). An
    /// amendment is refused only where what it is about has changed.
    public var version: String?

    public init(
        kind: ThingKind? = nil, title: String? = nil, description: String? = nil, brand: String? = nil,
        model: String? = nil, plate: String? = nil, size: Int? = nil, region: String? = nil, place: String? = nil,
        address: String? = nil, position: Position? = nil, photos: [String]? = nil, available: AvailableDays? = nil,
        price: Money? = nil,
        longest: Int? = nil, cancellation: CancellationPolicy? = nil, isInstant: Bool? = nil, zone: String? = nil,
        isComplete: Bool? = nil, version: String? = nil
    ) {
        self.kind = kind
        self.title = title
        self.description = description
        self.brand = brand
        self.model = model
        self.plate = plate
        self.size = size
        self.region = region
        self.place = place
        self.address = address
        self.position = position
        self.photos = photos
        self.available = available
        self.price = price
        self.longest = longest
        self.cancellation = cancellation
        self.isInstant = isInstant
        self.zone = zone
        self.isComplete = isComplete
        self.version = version
    }
}

public struct ThingReference: Codable, Hashable, Sendable {
    public var id: ThingID
    /// What it must be to be found here: a space is no car.
    public var kind: ThingKind?

    public init(id: ThingID, kind: ThingKind? = nil) {
        self.id = id
        self.kind = kind
    }
}

public typealias DateBlockID = ID<DateBlock>

/// A period in which its owner does not let a thing.
public struct DateBlock: Codable, Hashable, Sendable {
    public var id: DateBlockID
    public var from: String
    public var until: String

    public init(id: DateBlockID, from: String, until: String) {
        self.id = id
        self.from = from
        self.until = until
    }
}
