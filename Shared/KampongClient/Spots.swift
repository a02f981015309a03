import Foundation
public import WireProtocol

// Parking spots. A command takes the idempotency key of an earlier try; without one it makes its own.

extension KampongClient {
    /// Free spots in a box, newest first.
    public func spots(in box: BoundingBox, limit: Int? = nil, cursor: String? = nil) async throws -> Page<Spot> {
        try await spots([("bbox", "\(box.west),\(box.south),\(box.east),\(box.north)")], limit, cursor)
    }

    /// Free spots around a point, nearest first.
    /// - Parameter radius: Metres.
    public func spots(near point: Position, radius: Int? = nil, limit: Int? = nil, cursor: String? = nil) async throws
        -> Page<Spot>
    {
        try await spots(
            [("near", "\(point.latitude),\(point.longitude)"), ("radius", radius.map(String.init))], limit, cursor)
    }

    /// The person's own spots in every state, newest first.
    public func spots(of ownership: SpotOwnership, limit: Int? = nil, cursor: String? = nil) async throws -> Page<Spot>
    {
        try await spots([("of", ownership.rawValue)], limit, cursor)
    }

    /// Somebody's free spots, newest first.
    public func spots(by person: PersonID, limit: Int? = nil, cursor: String? = nil) async throws -> Page<Spot> {
        try await spots([("by", "\(person)")], limit, cursor)
    }

    private func spots(_ selection: [(String, String?)], _ limit: Int?, _ cursor: String?) async throws -> Page<Spot> {
        let parameters = selection + [("limit", limit.map(String.init)), ("cursor", cursor)]
        return try await call(.get, "v1/spots", query: Self.query(parameters))
    }

    /// Of those parameters that are given.
    static func query(_ parameters: [(String, String?)]) -> [URLQueryItem] {
        parameters.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
    }

    public func spot(_ id: SpotID) async throws -> Spot { try await call(.get, "v1/spots/\(id)") }

    public func postSpot(_ draft: SpotDraft, key: String? = nil) async throws -> Spot {
        try await call(.post, "v1/spots", body: draft, key: key)
    }

    public func changeSpot(_ id: SpotID, to draft: SpotDraft, key: String? = nil) async throws -> Spot {
        try await call(.put, "v1/spots/\(id)", body: draft, key: key)
    }

    public func removeSpot(_ id: SpotID, key: String? = nil) async throws {
        let _: Nothing = try await call(.delete, "v1/spots/\(id)", key: key)
    }

    /// Takes a free spot.
    /// - Parameter price: What the person was shown that it costs, in minor units, 0 for nothing; nil where any price will do.
    /// - Throws: `Problem` with code `already_claimed` when someone was faster, with `terms_changed` where it costs something else by now.
    public func claim(_ id: SpotID, expecting price: Int? = nil, key: String? = nil) async throws -> Spot {
        let query = Self.query([("expectedPrice", price.map(String.init))])
        return try await call(.post, "v1/spots/\(id)/claim", query: query, key: key)
    }

    /// Gives a claimed spot back.
    public func release(_ id: SpotID, key: String? = nil) async throws -> Spot {
        try await call(.delete, "v1/spots/\(id)/claim", key: key)
    }

    public func observe(_ id: SpotID, _ state: ObservedState, key: String? = nil) async throws -> Spot {
        try await call(.post, "v1/spots/\(id)/observations", body: SpotObservation(state: state), key: key)
    }
}
