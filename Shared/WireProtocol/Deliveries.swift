#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Who can bring something along: requests and replies of the matching service.

public typealias AvailabilityID = ID<Availability>

/// A restaurant, or where something is brought: what everybody may know of it. No door.
public struct DeliveryPlace: Codable, Hashable, Sendable {
    /// As Places knows it; absent of a point on the map.
    public var place: PlaceID?
    public var name: String
    public var address: String?
    public var position: Position

    public init(place: PlaceID? = nil, name: String, address: String? = nil, position: Position) {
        self.place = place
        self.name = name
        self.address = address
        self.position = position
    }
}

/// "I am at Unicafe, go to Exactum, and can carry two": what somebody offers to bring along, as they see it.
/// Everybody has one at a time.
public struct Availability: Codable, Hashable, Sendable {
    public var id: AvailabilityID
    public var state: AvailabilityState
    public var restaurant: DeliveryPlace
    /// Where they go from there.
    public var dropOff: DeliveryPlace
    /// How many orders they can carry at once, and how many hands are full: offered to them, or in hand.
    public var capacity: Int
    public var taken: Int
    /// How many metres on foot they would go out of the way for one order.
    public var detour: Int
    public var until: Date
    /// Orders that pay less are not offered to them.
    public var leastFee: Money?
    /// Whether others see them at the restaurant; otherwise the server alone asks them.
    public var isListed: Bool
    /// What is offered to them, the earliest first; then what they have in hand, in the order in which it is best dropped: the way on foot is the shortest.
    public var matches: [MatchID]

    public init(
        id: AvailabilityID, state: AvailabilityState, restaurant: DeliveryPlace, dropOff: DeliveryPlace, capacity: Int,
        taken: Int, detour: Int, until: Date, leastFee: Money? = nil, isListed: Bool, matches: [MatchID] = []
    ) {
        self.id = id
        self.state = state
        self.restaurant = restaurant
        self.dropOff = dropOff
        self.capacity = capacity
        self.taken = taken
        self.detour = detour
        self.until = until
        self.leastFee = leastFee
        self.isListed = isListed
        self.matches = matches
    }
}

/// What becomes of an availability.
public enum AvailabilityState: String, Codable, CaseIterable, Hashable, Sendable {
    case available
    /// Three offers in a row were not answered: they are asked whether they are still there.
    case paused
    /// By themselves, by its time, or because they may not take part.
    case ended
}

/// `PUT /v1/delivery`: what is absent stays where there is one already.
public struct AvailabilityDraft: Codable, Hashable, Sendable {
    /// One that Places knows.
    public var restaurant: PlaceID?
    public var dropOff: DropOffDraft?
    /// 1 to 4; 1 where absent.
    public var capacity: Int?
    /// 0, 150, 300 or 500; 150 where absent.
    public var detour: Int?
    /// 15 to 180 from now on; 30 where absent.
    public var minutes: Int?
    /// An amount of 0 takes it away.
    public var leastFee: Money?
    /// True where absent.
    public var isListed: Bool?

    public init(
        restaurant: PlaceID? = nil, dropOff: DropOffDraft? = nil, capacity: Int? = nil, detour: Int? = nil,
        minutes: Int? = nil, leastFee: Money? = nil, isListed: Bool? = nil
    ) {
        self.restaurant = restaurant
        self.dropOff = dropOff
        self.capacity = capacity
        self.detour = detour
        self.minutes = minutes
        self.leastFee = leastFee
        self.isListed = isListed
    }
}

/// Where something is brought to: a place that Places knows, or a point with a name.
public struct DropOffDraft: Codable, Hashable, Sendable {
    public var place: PlaceID?
    /// Up to 120 characters.
    public var name: String?
    public var position: Position?

    public init(place: PlaceID? = nil, name: String? = nil, position: Position? = nil) {
        self.place = place
        self.name = name
        self.position = position
    }
}

// MARK: Restaurants that have somebody now

/// `GET /v1/restaurants`: those that have a deliverer now, the nearest first.
public struct DeliveryRestaurantQuery: Codable, Hashable, Sendable {
    /// Where who asks is, or wants it brought: computed with, and kept nowhere.
    public var near: Position?
    public var limit: Int?
    public var cursor: String?

    public init(near: Position? = nil, limit: Int? = nil, cursor: String? = nil) {
        self.near = near
        self.limit = limit
        self.cursor = cursor
    }
}

/// A restaurant from which somebody can bring something now.
public struct DeliveryRestaurant: Codable, Hashable, Sendable {
    public var restaurant: DeliveryPlace
    /// How many have a free hand. At least one.
    public var deliverers: Int
    /// Where they go, each once; three at most.
    public var dropOffs: [String]
    /// Until when the last of them is there.
    public var until: Date
    /// Metres from the point that was asked for.
    public var distance: Int?

    public init(restaurant: DeliveryPlace, deliverers: Int, dropOffs: [String], until: Date, distance: Int? = nil) {
        self.restaurant = restaurant
        self.deliverers = deliverers
        self.dropOffs = dropOffs
        self.until = until
        self.distance = distance
    }
}

/// `GET /v1/restaurants/{place}/deliverers`: the least way for them first.
public struct DelivererQuery: Codable, Hashable, Sendable {
    public var restaurant: PlaceID
    /// Where one wants it brought.
    public var to: Position?
    public var limit: Int?
    public var cursor: String?

    public init(restaurant: PlaceID, to: Position? = nil, limit: Int? = nil, cursor: String? = nil) {
        self.restaurant = restaurant
        self.to = to
        self.limit = limit
        self.cursor = cursor
    }
}

/// Somebody who can bring something from a restaurant.
public struct Deliverer: Codable, Hashable, Sendable {
    /// Of what they offer: an order may ask for it.
    public var id: AvailabilityID
    public var person: PersonSummary
    /// Where they go: of a point of their own the middle of its field of the grid.
    public var dropOff: DeliveryPlace
    /// Metres from where they go to the point that was asked for.
    public var distance: Int?
    /// Hands.
    public var free: Int
    public var until: Date
    public var leastFee: Money?

    public init(
        id: AvailabilityID, person: PersonSummary, dropOff: DeliveryPlace, distance: Int? = nil, free: Int,
        until: Date, leastFee: Money? = nil
    ) {
        self.id = id
        self.person = person
        self.dropOff = dropOff
        self.distance = distance
        self.free = free
        self.until = until
        self.leastFee = leastFee
    }
}
