import WireProtocol

/// What can be asked of places.
struct PlaceUseCases: Sendable {
    let store: PlaceStore
    var regions = RegionMemory()

    /// - Parameter language: in which its name is shown, where its source says it.
    func place(_ id: PlaceID, in language: String? = nil) async throws -> Place {
        guard let place = try await store.place(id, in: language) else { throw PlaceError.notFound }
        return place
    }

    /// What a person would call a point: a house number right here, else a house or the like with a name, else the street that one
    /// stands on, else what is a little farther, else the town; far from everything nothing.
    private static var steps: [(kinds: [PlaceKind], metres: Double)] {
        [
            ([.address], 40), ([.building, .station, .school, .venue, .hotel, .restaurant, .shop], 30),
            ([.street], 60), ([.parking, .park], 60), ([.address], 120), ([.street], 250),
            ([.building, .station, .school, .venue, .park], 150), ([.district], 500),
        ]
    }

    func reverse(_ point: Position, in language: String? = nil) async throws -> PlaceDescription {
        let errors = FieldRules.errors(inPoint: point, at: "at")
        guard errors.isEmpty else { throw PlaceError.invalid(errors) }
        // Of towns the store knows how far one may be.
        var reach: [PlaceKind: Double] = [.town: 0]
        for step in Self.steps { for kind in step.kinds { reach[kind] = max(reach[kind] ?? 0, step.metres) } }
        let nearest = try await store.nearest(to: point, of: reach, in: language)
        let town = nearest.first { $0.kind == .town }
        for step in Self.steps {
            let here = nearest.filter { step.kinds.contains($0.kind) && Double($0.distance ?? 0) <= step.metres }
            guard let place = here.min(by: { ($0.distance ?? 0, $0.id) < ($1.distance ?? 0, $1.id) }) else { continue }
            let name = place.kind == .parking ? place.address ?? place.name : place.name
            return PlaceDescription(
                name: [name, place.locality ?? town?.name].compactMap(\.self).joined(separator: ", "), place: place,
                town: town)
        }
        guard let town else { throw PlaceError.notFound }
        return PlaceDescription(name: town.name, place: town, town: nil)
    }

    func region(_ point: Position) async throws -> PlaceRegion {
        let errors = FieldRules.errors(inPoint: point, at: "at")
        guard errors.isEmpty else { throw PlaceError.invalid(errors) }
        if regions.shouldLook() { regions.see(try await store.imports()) }
        if let known = regions.region(of: point) { return try Self.found(known) }
        let (region, imports) = try await store.region(at: point)
        regions.keep(region, of: point, from: imports)
        return try Self.found(region)
    }

    private static func found(_ region: PlaceRegion?) throws -> PlaceRegion {
        guard let region else { throw PlaceError.notFound }
        return region
    }

    func nearby(_ query: NearbyPlaceQuery) async throws -> Page<Place> {
        let page = try NearbyPage(query)
        let found = FoundPage(try await store.nearby(page), of: page.limit)
        return Page(items: found.shown.map(\.place), next: found.last.map { DistanceCursor($0).text })
    }
}
