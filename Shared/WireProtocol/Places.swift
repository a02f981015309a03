// Requests and replies of the places service.

public typealias PlaceID = ID<Place>

/// Somewhere that has a name or an address: a town, a street, a house, a restaurant.
public struct Place: Codable, Hashable, Sendable {
    /// The same for the same thing of the same source, however often it is imported and wherever.
    public var id: PlaceID
    public var kind: PlaceKind
    public var name: String
    /// The name by which a search found it, as it is compared (lower case, without accents), where that is not `name`.
    public var foundBy: String?
    /// By language (`sv`), where the source says; only where one place is asked for.
    public var names: [PlaceName]?
    /// Street and house number.
    public var address: String?
    public var postcode: String?
    /// The town that it is in, or by.
    public var locality: String?
    /// The community's region that it is in, else the name of the state or province.
    public var region: String?
    /// ISO 3166-1, two capitals.
    public var country: String?
    public var position: Position
    /// Metres from the point that was asked for; nil where none was.
    public var distance: Int?
    /// Whose data this is, in the words that its licence asks for.
    public var attribution: String

    public init(
        id: PlaceID, kind: PlaceKind, name: String, foundBy: String? = nil, names: [PlaceName]? = nil,
        address: String? = nil, postcode: String? = nil, locality: String? = nil, region: String? = nil,
        country: String? = nil, position: Position, distance: Int? = nil, attribution: String
    ) {
        (self.id, self.kind, self.name, self.foundBy, self.names) = (id, kind, name, foundBy, names)
        (self.address, self.postcode, self.locality) = (address, postcode, locality)
        (self.region, self.country) = (region, country)
        (self.position, self.distance, self.attribution) = (position, distance, attribution)
    }
}

/// A name in a language.
public struct PlaceName: Codable, Hashable, Sendable {
    /// As the source says it, mostly BCP 47: `sv`, `zh-Hant`.
    public var language: String
    public var name: String

    public init(language: String, name: String) { (self.language, self.name) = (language, name) }
}

public enum PlaceKind: String, Codable, CaseIterable, Hashable, Sendable {
    /// From a metropolis to a hamlet.
    case town
    /// A part of a town.
    case district
    case street
    /// A house number.
    case address
    case building
    /// Where one eats or drinks.
    case restaurant
    case shop, hotel, parking
    /// Where one gets on and off: trains, trams, buses, ferries.
    case station
    case park
    /// From a kindergarten to a university, and libraries.
    case school
    /// Anything else that people go to: museums, offices, clinics.
    case venue
}

public struct PlaceReference: Codable, Hashable, Sendable {
    public var id: PlaceID
    public init(id: PlaceID) { self.id = id }
}

/// `GET /v1/places`: what somebody is typing.
public struct PlaceQuery: Codable, Hashable, Sendable {
    /// 2 to 100 characters; `name, region` asks for a name in a region, country or town.
    public var q: String
    /// Where the one is who types: what is near comes first.
    public var near: Position?
    public var kind: PlaceKind?
    /// 10 where absent, 20 at most.
    public var limit: Int?

    public init(q: String, near: Position? = nil, kind: PlaceKind? = nil, limit: Int? = nil) {
        (self.q, self.near, self.kind, self.limit) = (q, near, kind, limit)
    }
}

/// What `GET /v1/places` found, the best first.
public struct PlaceSuggestions: Codable, Hashable, Sendable {
    public var items: [Place]
    public init(items: [Place]) { self.items = items }
}

/// `GET /v1/places/reverse`.
public struct ReversePlaceQuery: Codable, Hashable, Sendable {
    public var at: Position
    public init(at: Position) { self.at = at }
}

/// What is at a point.
public struct PlaceDescription: Codable, Hashable, Sendable {
    /// `Fabianinkatu 33, Helsinki`; what a person would call the point, after "near".
    public var name: String
    /// The address, house or street that the name begins with, else the town.
    public var place: Place
    /// The nearest town, where the place is none.
    public var town: Place?

    public init(name: String, place: Place, town: Place?) { (self.name, self.place, self.town) = (name, place, town) }
}

/// `GET /v1/places/nearby`: nearest first.
public struct NearbyPlaceQuery: Codable, Hashable, Sendable {
    public var at: Position
    public var kind: PlaceKind
    /// Metres; 1,000 where absent, 50,000 at most.
    public var radius: Int?
    public var limit: Int?
    public var cursor: String?

    public init(at: Position, kind: PlaceKind, radius: Int? = nil, limit: Int? = nil, cursor: String? = nil) {
        (self.at, self.kind, self.radius, self.limit, self.cursor) = (at, kind, radius, limit, cursor)
    }
}

/// `GET /v1/places/region`: in which region a point is.
public struct PlaceRegion: Codable, Hashable, Sendable {
    public var name: String
    /// Whether it is one of the community's own, drawn or listed by its operator; otherwise the state or province of the town there.
    public var community: Bool
    public var attribution: String

    public init(name: String, community: Bool, attribution: String) {
        (self.name, self.community, self.attribution) = (name, community, attribution)
    }
}

package enum PlacesEvents {
    /// Nothing is published yet; the gateway hears every service.
    package static let stream = PublishedStream(of: "places", to: [.gateway])
}

package enum PlacesMethods {
    package static let search = Method<PlaceQuery, Nothing, PlaceSuggestions>("places.search", .query)
    package static let place = Method<PlaceReference, Nothing, Place>("places.place", .query)
    package static let reverse = Method<ReversePlaceQuery, Nothing, PlaceDescription>("places.reverse", .query)
    package static let nearby = Method<NearbyPlaceQuery, Nothing, Page<Place>>("places.nearby", .query)
    package static let region = Method<ReversePlaceQuery, Nothing, PlaceRegion>(
        "places.region", .query, peers: Set(PeerRole.services).subtracting([.places]))
    package static let distances = Method<PlaceDistanceQuery, Nothing, PlaceDistances>(
        "places.distances", .query, peers: Set(PeerRole.services).subtracting([.places]))
}
