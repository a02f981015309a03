#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// One agreement for all that is rented: requests and replies of the listings service.

public typealias RentalID = ID<Rental>

/// A request for a thing, and what became of it. Seen by its owner, its renter, and by moderators where it is disputed.
public struct Rental: Codable, Hashable, Sendable {
    public var id: RentalID
    public var thing: RentedThing
    public var owner: PersonSummary
    public var renter: PersonSummary
    /// As the caller is in it; absent for moderators.
    public var role: RentalRole?
    public var state: RentalState
    /// In the thing's own time.
    public var from: String
    public var until: String
    public var zone: String
    public var startsAt: Date
    public var endsAt: Date
    public var units: Int
    /// As it was agreed: a later price changes nothing of it.
    public var terms: RentalTerms
    /// For the whole period; nil where it costs nothing.
    public var cost: Money?
    /// What the renter owes as things stand.
    public var owed: Money?
    public var message: String?
    public var requestedAt: Date
    /// Until when the owner may answer; only while it is requested.
    public var answerBy: Date?
    /// When it was agreed; absent where it never was, or was before this was kept.
    public var acceptedAt: Date?
    /// When the state began.
    public var changedAt: Date
    /// Who brought it into this state; absent where time did, and of what is declined because somebody else has it then.
    public var changedBy: PersonSummary?
    /// Why, in their words.
    public var reason: String?
    /// What the two showed, and said with what they did, the earliest first.
    public var evidence: [RentalEvidence]
    /// What the caller may do now.
    public var possible: [RentalAct]

    public init(
        id: RentalID, thing: RentedThing, owner: PersonSummary, renter: PersonSummary, role: RentalRole?,
        state: RentalState, from: String, until: String, zone: String, startsAt: Date, endsAt: Date, units: Int,
        terms: RentalTerms, cost: Money?, owed: Money?, message: String?, requestedAt: Date, answerBy: Date?,
        acceptedAt: Date? = nil, changedAt: Date, changedBy: PersonSummary?, reason: String?,
        evidence: [RentalEvidence], possible: [RentalAct]
    ) {
        self.id = id
        self.thing = thing
        self.owner = owner
        self.renter = renter
        self.role = role
        self.state = state
        self.from = from
        self.until = until
        self.zone = zone
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.units = units
        self.terms = terms
        self.cost = cost
        self.owed = owed
        self.message = message
        self.requestedAt = requestedAt
        self.answerBy = answerBy
        self.acceptedAt = acceptedAt
        self.changedAt = changedAt
        self.changedBy = changedBy
        self.reason = reason
        self.evidence = evidence
        self.possible = possible
    }
}

/// What of a thing stands on an agreement.
public struct RentedThing: Codable, Hashable, Sendable {
    public var id: ThingID
    public var kind: ThingKind
    public var title: String
    public var photo: String?
    /// From the acceptance on.
    public var address: String?
    public var position: Position?

    public init(
        id: ThingID, kind: ThingKind, title: String, photo: String? = nil, address: String? = nil,
        position: Position? = nil
    ) {
        self.id = id
        self.kind = kind
        self.title = title
        self.photo = photo
        self.address = address
        self.position = position
    }
}

public enum RentalRole: String, Codable, CaseIterable, Hashable, Sendable {
    case owner, renter
}

public enum RentalState: String, Codable, CaseIterable, Hashable, Sendable {
    case requested, accepted, handedOver, returned, declined
    /// Nobody answered in time, or nobody handed anything over.
    case lapsed
    case cancelled, noShow, disputed
    /// A moderator has settled the dispute.
    case settled
}

/// What one may do to an agreement.
public enum RentalAct: String, Codable, CaseIterable, Hashable, Sendable {
    case accept, decline, cancel, handOver, giveBack, reportNoShow, dispute
    /// What one of the two has to say, and to show, of what they are at odds about.
    case explain
    /// By moderators.
    case settle

    /// Whether photos come with it.
    public var takesPhotos: Bool {
        switch self {
        case .handOver, .giveBack, .dispute, .explain: true
        case .accept, .decline, .cancel, .reportNoShow, .settle: false
        }
    }

    /// How it is called in addresses.
    public var path: String {
        switch self {
        case .handOver: "hand-over"
        case .giveBack: "return"
        case .reportNoShow: "no-show"
        case .accept, .decline, .cancel, .dispute, .explain, .settle: rawValue
        }
    }

    public init?(path: String) {
        guard let act = Self.allCases.first(where: { $0.path == path }) else { return nil }
        self = act
    }
}

/// What one of the two showed of the thing's state, or said with what they did: it stays whatever becomes of the agreement.
public struct RentalEvidence: Codable, Hashable, Sendable {
    public var by: RentalRole
    /// With which act; with `handOver` and `giveBack` also where nothing was said.
    public var at: RentalAct
    public var photos: [String]
    public var note: String?
    public var madeAt: Date

    public init(by role: RentalRole, at act: RentalAct, photos: [String], note: String? = nil, madeAt: Date) {
        self.by = role
        self.at = act
        self.photos = photos
        self.note = note
        self.madeAt = madeAt
    }
}

/// `POST /v1/cars/{id}/rentals`.
public struct RentalDraft: Codable, Hashable, Sendable {
    /// The first day (`2026-12-01`), or the hour at which it begins (`2026-12-01T14:00`), in the thing's own time.
    public var from: String
    /// The last day, or the hour at which it ends.
    public var until: String
    /// Up to 1,000 characters to the owner.
    public var message: String?
    /// As the thing said them when it was looked at: where its price, unit, policy, zone or way of accepting is another one meanwhile, nothing is
    /// asked for.
    public var expected: RentalTerms?

    public init(from: String, until: String, message: String? = nil, expected: RentalTerms? = nil) {
        self.from = from
        self.until = until
        self.message = message
        self.expected = expected
    }
}

/// `GET /v1/cars/{id}/quote`.
public struct RentalQuoteQuery: Codable, Hashable, Sendable {
    public var id: ThingID
    public var kind: ThingKind?
    public var from: String
    public var until: String

    public init(id: ThingID, kind: ThingKind? = nil, from: String, until: String) {
        self.id = id
        self.kind = kind
        self.from = from
        self.until = until
    }
}

/// What a period would cost, before it is asked for.
public struct RentalQuote: Codable, Hashable, Sendable {
    public var startsAt: Date
    public var endsAt: Date
    public var units: Int
    public var cost: Money?
    /// Whether nobody has it then.
    public var isFree: Bool
    /// The caller's own request or agreement for some of it, that has not ended.
    public var rental: RentalID?

    public init(
        startsAt: Date, endsAt: Date, units: Int, cost: Money? = nil, isFree: Bool, rental: RentalID? = nil
    ) {
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.units = units
        self.cost = cost
        self.isFree = isFree
        self.rental = rental
    }
}

public struct RentalReference: Codable, Hashable, Sendable {
    public var id: RentalID
    public init(id: RentalID) { self.id = id }
}

/// `GET /v1/rentals`: the caller's own, the latest request first.
public struct RentalQuery: Codable, Hashable, Sendable {
    /// Both where absent.
    public var role: RentalRole?
    public var state: RentalState?
    /// In one of its states.
    public var stage: RentalStage?
    /// Of one thing.
    public var thing: ThingID?
    /// To moderators: everybody's that are disputed, and nothing else.
    public var disputed: Bool?
    public var limit: Int?
    public var cursor: String?

    public init(
        role: RentalRole? = nil, state: RentalState? = nil, stage: RentalStage? = nil, thing: ThingID? = nil,
        disputed: Bool? = nil, limit: Int? = nil, cursor: String? = nil
    ) {
        self.role = role
        self.state = state
        self.stage = stage
        self.thing = thing
        self.disputed = disputed
        self.limit = limit
        self.cursor = cursor
    }
}

/// `GET /v1/rentals/{id}/contact`: how the two of an agreement reach each other, from its acceptance until it is over.
public struct RentalContact: Codable, Hashable, Sendable {
    /// The other one's telephone number; absent where they have given none.
    public var phone: String?
    public init(phone: String?) { self.phone = phone }
}
