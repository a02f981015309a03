// Requests and replies of the places service.

public typealias PlaceID = ID<Place>

/// Somewhere that has a name or an address: a town, a street, a house, a restaurant.
public struct Place: Codable, Hashable, Sendable {
    /// The same for the same thing of the same source, however often it is imported and wherever.
    public var id: PlaceID
    public var kind: PlaceKind
    /// In the language that was asked for where the source says it, else the local one.
    public var name: String
    /// The other name by which a search found it, as its source writes it, where that is not `name`.
    public var foundBy: String?
    /// How a search found it.
    public var match: PlaceMatch?
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
        id: PlaceID, kind: PlaceKind, name: String, foundBy: String? = nil, match: PlaceMatch? = nil,
        names: [PlaceName]? = nil,
        address: String? = nil, postcode: String? = nil, locality: String? = nil, region: String? = nil,
        country: String? = nil, position: Position, distance: Int? = nil, attribution: String
    ) {
        (self.id, self.kind, self.name, self.foundBy, self.match, self.names) = (id, kind, name, foundBy, match, names)
        (self.address, self.postcode, self.locality) = (address, postcode, locality)
        (self.region, self.country) = (region, country)
        (self.position, self.distance, self.attribution) = (position, distance, attribution)
    }
}

/// How a place that was found goes with what was typed.
public enum PlaceMatch: String, Codable, CaseIterable, Hashable, Sendable {
    /// One of its names, whole.
    case name
    /// The beginning of one of its names.
    case beginning
    /// A name that is much like it.
    case similar
    /// Its postcode, or the beginning of it.
    case postcode
    /// A house of that street with another number; the one that was asked for is not known.
    case otherNumber
    /// The street of a house that is not known.
    case street
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
    /// In which its name is wanted, as BCP 47 says it.
    public var language: String?

    public init(id: PlaceID, language: String? = nil) { (self.id, self.language) = (id, language) }
}

/// `GET /v1/places`: what somebody is typing.
public struct PlaceQuery: Codable, Hashable, Sendable {
    /// 2 to 100 characters: a name, a house with its number, a postcode; `name, region` asks for a name in a region, country or town.
    public var q: String
    /// Where the one is who types: what is near comes first.
    public var near: Position?
    public var kind: PlaceKind?
    /// 10 where absent, 20 at most.
    public var limit: Int?
    /// In which names are wanted, as BCP 47 says it (`de`); what a source does not say in it has its local name.
    public var language: String?

    public init(
        q: String, near: Position? = nil, kind: PlaceKind? = nil, limit: Int? = nil, language: String? = nil
    ) {
        (self.q, self.near, self.kind, self.limit, self.language) = (q, near, kind, limit, language)
    }
}

/// What `GET /v1/places` found, the best first.
public struct PlaceSuggestions: Codable, Hashable, Sendable {
    public var items: [Place]
    /// What of the question is known nowhere and was left out of it, as it was written; nil where nothing was.
    public var leftOut: [String]?

    public init(items: [Place], leftOut: [String]? = nil) { (self.items, self.leftOut) = (items, leftOut) }
}

/// `GET /v1/places/reverse`.
public struct ReversePlaceQuery: Codable, Hashable, Sendable {
    public var at: Position
    /// In which names are wanted, as BCP 47 says it.
    public var language: String?

    public init(at: Position, language: String? = nil) { (self.at, self.language) = (at, language) }
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
    /// In which names are wanted, as BCP 47 says it.
    public var language: String?

    public init(
        at: Position, kind: PlaceKind, radius: Int? = nil, limit: Int? = nil, cursor: String? = nil,
        language: String? = nil
    ) {
        (self.at, self.kind, self.radius, self.limit) = (at, kind, radius, limit)
        (self.cursor, self.language) = (cursor, language)
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
    package static let stream = PublishedStream(of: .places)
}

package enum PlacesMethods {
    package static let search = Method<PlaceQuery, Nothing, PlaceSuggestions>("places.search", .query)
    package static let place = Method<PlaceReference, Nothing, Place>(
        "places.place", .query, peers: [.gateway, .matching])
    package static let reverse = Method<ReversePlaceQuery, Nothing, PlaceDescription>(
        "places.reverse", .query, peers: [.gateway, .rides])
    package static let nearby = Method<NearbyPlaceQuery, Nothing, Page<Place>>(
        "places.nearby", .query, peers: [.gateway, .matching])
    package static let region = Method<ReversePlaceQuery, Nothing, PlaceRegion>(
        "places.region", .query, peers: Set(PeerRole.services).subtracting([.places]))
    package static let route = Method<PlaceRouteQuery, Nothing, PlaceRoute>(
        "places.route", .query, peers: Set(PeerRole.services).subtracting([.places]))
    package static let distances = Method<PlaceDistanceQuery, Nothing, PlaceDistances>(
        "places.distances", .query, peers: Set(PeerRole.services).subtracting([.places]))
}
