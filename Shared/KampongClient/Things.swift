import Foundation
public import WireProtocol

// What people share for rent: cars, storage spaces, private parking. Each kind has its own addresses, and a thing is found at
// those of its kind alone. A command takes the idempotency key of an earlier try; without one it makes its own.

extension KampongClient {
    /// Things of the query's kind; of all kinds where it says none, which goes with `by` or `mine` alone.
    public func things(_ query: ThingQuery) async throws -> Page<Thing> {
        try await call(
            .get, query.kind.map(Self.path) ?? "v1/things",
            query: Self.query([
                ("q", query.q), ("region", query.region), ("brand", query.brand), ("model", query.model),
                ("highestPrice", query.highestPrice.map(String.init)), ("from", query.from), ("until", query.until),
                ("sort", query.sort?.rawValue), ("near", query.near.map { "\($0.latitude),\($0.longitude)" }),
                ("by", query.by.map { "\($0)" }), ("mine", query.mine.map(String.init)),
                ("limit", query.limit.map(String.init)), ("cursor", query.cursor),
            ]))
    }

    public func thing(_ id: ThingID, _ kind: ThingKind) async throws -> Thing {
        try await call(.get, Self.path(kind, id))
    }

    /// Lists it; or begins a draft, where `isComplete` is false.
    public func postThing(_ draft: ThingDraft, as kind: ThingKind, key: String? = nil) async throws -> Thing {
        try await call(.post, Self.path(kind), body: draft, key: key)
    }

    /// What the draft leaves out is removed, but for the plate.
    public func changeThing(_ id: ThingID, _ kind: ThingKind, to draft: ThingDraft, key: String? = nil) async throws
        -> Thing
    {
        try await call(.put, Self.path(kind, id), body: draft, key: key)
    }

    /// What the draft leaves out stays.
    public func amendThing(_ id: ThingID, _ kind: ThingKind, with draft: ThingDraft, key: String? = nil) async throws
        -> Thing
    {
        try await call(.patch, Self.path(kind, id), body: draft, key: key)
    }

    /// Lists a draft, or again what was withdrawn.
    public func publishThing(_ id: ThingID, _ kind: ThingKind, key: String? = nil) async throws -> Thing {
        try await call(.post, "\(Self.path(kind, id))/publish", key: key)
    }

    /// Takes it off the list; a draft is gone by it.
    public func withdrawThing(_ id: ThingID, _ kind: ThingKind, key: String? = nil) async throws {
        let _: Nothing = try await call(.delete, Self.path(kind, id), key: key)
    }

    public func carModels() async throws -> CarModels { try await call(.get, "v1/car-models") }

    /// When a thing is taken.
    /// - Parameter from: A day, such as `2026-12-01`; where there was more than one answer holds, the `next` of the one before.
    public func calendar(of id: ThingID, _ kind: ThingKind, from: String? = nil, until: String? = nil) async throws
        -> ThingCalendar
    {
        try await call(
            .get, "\(Self.path(kind, id))/calendar", query: Self.query([("from", from), ("until", until)]))
    }

    /// Keeps a period for its owner.
    /// - Throws: `Problem` with code `overlaps` where it is let already.
    public func blockDates(of id: ThingID, _ kind: ThingKind, _ period: PeriodDraft, key: String? = nil) async throws
        -> DateBlock
    {
        try await call(.post, "\(Self.path(kind, id))/date-blocks", body: period, key: key)
    }

    public func unblockDates(_ id: DateBlockID, key: String? = nil) async throws {
        let _: Nothing = try await call(.delete, "v1/date-blocks/\(id)", key: key)
    }

    /// Where things of a kind are.
    static func path(_ kind: ThingKind) -> String {
        switch kind {
        case .car: "v1/cars"
        case .space: "v1/spaces"
        case .parking: "v1/private-parking"
        }
    }

    static func path(_ kind: ThingKind, _ id: ThingID) -> String { "\(path(kind))/\(id)" }
}
