import Foundation
public import WireProtocol

// What somebody drives on the same days of each week. A command takes the idempotency key of an earlier try; without one it makes its own.

extension KampongClient {
    /// The person's own, the latest posted first.
    public func rideSeries(limit: Int? = nil, cursor: String? = nil) async throws -> Page<RideSeries> {
        try await call(
            .get, "v1/ride-series",
            query: Self.query([("limit", limit.map(String.init)), ("cursor", cursor)]))
    }

    /// One of the person's own; everybody else sees its rides.
    public func rideSeries(_ id: RideSeriesID) async throws -> RideSeries {
        try await call(.get, "v1/ride-series/\(id)")
    }

    /// What a series would be; nothing is posted by it.
    public func quote(_ draft: RideSeriesDraft) async throws -> RideSeriesQuote {
        try await call(.post, "v1/ride-series/quote", body: draft)
    }

    /// Its rides of the next four weeks are there at once, later ones come by themselves.
    public func postRideSeries(_ draft: RideSeriesDraft, key: String? = nil) async throws -> RideSeries {
        try await call(.post, "v1/ride-series", body: draft, key: key)
    }

    /// What the draft leaves out stays, and so do rides that somebody has asked for.
    /// - Throws: `Problem` with code `changed_meanwhile` where the series has another version by now than the draft names.
    public func changeRideSeries(
        _ id: RideSeriesID, with draft: RideSeriesDraft, key: String? = nil
    ) async throws -> RideSeries {
        try await call(.patch, "v1/ride-series/\(id)", body: draft, key: key)
    }

    /// No more rides are made. Those that have not left are called off; where `ending.keepsAsked` is true, those that somebody has asked for stay.
    public func endRideSeries(
        _ id: RideSeriesID, _ ending: RideSeriesEnding = RideSeriesEnding(), key: String? = nil
    ) async throws {
        let _: Nothing = try await call(.delete, "v1/ride-series/\(id)", body: ending, key: key)
    }
}
