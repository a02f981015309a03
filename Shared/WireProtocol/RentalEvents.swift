#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Events about things that are for rent, and about agreements.

/// What everybody sees of a thing: no door, no plate, nothing that depends on who looks.
public struct PublicThing: Codable, Hashable, Sendable {
    public var id: ThingID
    public var kind: ThingKind
    public var title: String
    public var brand: String?
    public var model: String?
    public var region: String?
    public var place: String?
    /// The middle of the field of a fixed grid in which it lies.
    public var position: Position?
    public var photo: String?
    public var terms: RentalTerms
    public var owner: PersonSummary
    public var postedAt: Date

    public init(
        id: ThingID, kind: ThingKind, title: String, brand: String? = nil, model: String? = nil, region: String? = nil,
        place: String? = nil, position: Position? = nil, photo: String? = nil, terms: RentalTerms,
        owner: PersonSummary, postedAt: Date
    ) {
        self.id = id
        self.kind = kind
        self.title = title
        self.brand = brand
        self.model = model
        self.region = region
        self.place = place
        self.position = position
        self.photo = photo
        self.terms = terms
        self.owner = owner
        self.postedAt = postedAt
    }
}

/// A thing is listed: for the first time, or again.
public struct ThingPosted: Codable, Hashable, Sendable {
    public var thing: PublicThing
    public init(thing: PublicThing) { self.thing = thing }
}

/// What is said of a listed thing changed.
public struct ThingChanged: Codable, Hashable, Sendable {
    public var thing: PublicThing
    public init(thing: PublicThing) { self.thing = thing }
}

/// A thing is no longer listed.
public struct ThingWithdrawn: Codable, Hashable, Sendable {
    public var id: ThingID
    public var kind: ThingKind
    public init(id: ThingID, kind: ThingKind) {
        self.id = id
        self.kind = kind
    }
}

/// What the two of an agreement are told of it. No address: that is asked for.
public struct RentalNews: Codable, Hashable, Sendable {
    public var id: RentalID
    public var thing: ThingID
    public var kind: ThingKind
    public var title: String
    public var owner: PersonSummary
    public var renter: PersonSummary
    public var state: RentalState
    public var from: String
    public var until: String
    public var startsAt: Date
    public var endsAt: Date
    public var answerBy: Date?
    /// Who did it; absent where time did.
    public var by: PersonID?

    public init(
        id: RentalID, thing: ThingID, kind: ThingKind, title: String, owner: PersonSummary, renter: PersonSummary,
        state: RentalState, from: String, until: String, startsAt: Date, endsAt: Date, answerBy: Date? = nil,
        by person: PersonID? = nil
    ) {
        self.id = id
        self.thing = thing
        self.kind = kind
        self.title = title
        self.owner = owner
        self.renter = renter
        self.state = state
        self.from = from
        self.until = until
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.answerBy = answerBy
        by = person
    }
}

/// Somebody asks for a thing.
public struct RentalRequested: Codable, Hashable, Sendable {
    public var rental: RentalNews
    public init(rental: RentalNews) { self.rental = rental }
}

/// A request was accepted, declined, or lapsed.
public struct RentalAnswered: Codable, Hashable, Sendable {
    public var rental: RentalNews
    public init(rental: RentalNews) { self.rental = rental }
}

/// An agreement has another state than before.
public struct RentalChanged: Codable, Hashable, Sendable {
    public var rental: RentalNews
    public init(rental: RentalNews) { self.rental = rental }
}

/// Something is due soon, or is overdue. Told once for each.
public struct RentalReminder: Codable, Hashable, Sendable {
    public var rental: RentalNews
    public var about: Occasion

    public enum Occasion: String, Codable, CaseIterable, Hashable, Sendable {
        /// The owner has not answered, and there is little time left.
        case answer
        case beginning
        /// It should be back.
        case overdue

        /// Of the rental whose time it is.
        var state: RentalState {
            switch self {
            case .answer: .requested
            case .beginning: .accepted
            case .overdue: .handedOver
            }
        }
    }

    public init(rental: RentalNews, about occasion: Occasion) {
        self.rental = rental
        about = occasion
    }
}

extension ThingPosted: Event { package static let type = "thingPosted" }
extension ThingChanged: Event { package static let type = "thingChanged" }
extension ThingWithdrawn: Event { package static let type = "thingWithdrawn" }
extension RentalRequested: Event { package static let type = "rentalRequested" }
extension RentalAnswered: Event { package static let type = "rentalAnswered" }
extension RentalChanged: Event { package static let type = "rentalChanged" }
extension RentalReminder: Event { package static let type = "rentalReminder" }
