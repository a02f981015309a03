import Foundation
public import WireProtocol

// Where things are.

extension KampongClient {
    /// What somebody is typing: the places whose names begin so, the best first.
    /// - Parameters:
    ///   - text: At least two letters; what follows a comma is a region, a country or a town.
    ///   - point: Where the one is who types.
    ///   - language: In which names are wanted, as BCP 47 says it.
    public func places(
        _ text: String, near point: Position? = nil, kind: PlaceKind? = nil, limit: Int? = nil,
        language: String? = nil
    ) async throws -> PlaceSuggestions {
        try await call(
            .get, "v1/places",
            query: Self.query([
                ("q", text), ("near", point.map(Self.text)), ("kind", kind?.rawValue),
                ("limit", limit.map(String.init)), ("language", language),
            ]))
    }

    public func place(_ id: PlaceID) async throws -> Place { try await call(.get, "v1/places/\(id)") }

    /// What a person would call a point.
    public func place(at point: Position) async throws -> PlaceDescription {
        try await call(.get, "v1/places/reverse", query: Self.query([("at", Self.text(point))]))
    }

    /// In which region a point is: one of the community's, else the state or province.
    public func region(at point: Position) async throws -> PlaceRegion {
        try await call(.get, "v1/places/region", query: Self.query([("at", Self.text(point))]))
    }

    /// What of a kind is around a point, nearest first.
    /// - Parameter radius: Metres.
    public func places(
        around point: Position, kind: PlaceKind, radius: Int? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws -> Page<Place> {
        try await call(
            .get, "v1/places/nearby",
            query: Self.query([
                ("at", Self.text(point)), ("kind", kind.rawValue), ("radius", radius.map(String.init)),
                ("limit", limit.map(String.init)), ("cursor", cursor),
            ]))
    }

    /// How far it is from a point to others, in their order: along streets where their places' network is known, else in a straight line.
    /// - Parameters:
    ///   - targets: 1 to 100.
    ///   - towards: Whether the ways from each of them to the point are wanted.
    public func distances(
        from point: Position, to targets: [Position], by mode: TravelMode? = nil, towards: Bool? = nil
    ) async throws -> PlaceDistances {
        let query: [(String, String?)] = [
            ("from", Self.text(point)), ("mode", mode?.rawValue), ("towards", towards.map(String.init)),
        ]
        return try await call(
            .get, "v1/places/distances", query: Self.query(query + targets.map { ("to", Self.text($0)) }))
    }

    /// The way through some points, one after the other.
    /// - Parameters:
    ///   - points: 2 to 8.
    ///   - mode: By car where absent.
    public func route(through points: [Position], by mode: TravelMode? = nil) async throws -> PlaceRoute {
        let query: [(String, String?)] = points.map { ("point", Self.text($0)) } + [("mode", mode?.rawValue)]
        return try await call(.get, "v1/places/route", query: Self.query(query))
    }

    private static func text(_ point: Position) -> String { "\(point.latitude),\(point.longitude)" }
}
