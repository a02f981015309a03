import WireProtocol

/// What can be asked of places.
struct PlaceUseCases<Store: PlaceStore>: Sendable {
    let store: Store
    /// Where so many begin as was typed, it was typed as it was meant; of more letters, where any does: another name seldom is one letter away.
    private static func enough(of letters: Int) -> Int { letters < 6 ? 3 : 1 }

    /// The best that begin as is typed; where these are few, those with a last word that names a region, and those that are much alike.
    func search(_ query: PlaceQuery) async throws -> PlaceSuggestions {
        try PlaceSearch.check(query)
        let parts = PlaceSearch.parts(of: query.q.oneLine)
        let keys = try await store.keys(of: [parts.name] + parts.contexts)
        // Before the comma there may be less than there is in all.
        guard keys[0].unicodeScalars.count >= 2 else {
            throw PlaceError.invalid([FieldError("q", "too_short", "At least two letters or digits.")])
        }
        var search = PlaceSearch(
            key: keys[0], contexts: keys.dropFirst().compactMap(PlaceSearch.context), near: query.near,
            kind: query.kind,
            limit: query.limit ?? PlaceSearch.usual)
        var found = try await beginning(&search)
        if found.isEmpty {
            // They are what was meant; what is alike elsewhere is not.
            for var other in [search.withoutJoiner, search.withFirstWordLast, search.withLastWordAsContext].compactMap(
                \.self)
            {
                found = try await beginning(&other)
                if !found.isEmpty { return PlaceSuggestions(items: found.map(\.place)) }
            }
        }
        let letters = search.key.unicodeScalars.count
        if letters >= 4, found.count < Self.enough(of: letters) {
            var others = try await store.slipped(search)
            if found.isEmpty, others.isEmpty { others = try await store.alike(search) }
            let known = Set(found.map(\.place.id))
            found += others.filter { !known.contains($0.place.id) }
            found.sort { ($0.score, $1.place.id) > ($1.score, $0.place.id) }
        }
        return PlaceSuggestions(items: found.prefix(search.limit).map(\.place))
    }

    private func beginning(_ search: inout PlaceSearch) async throws -> [FoundPlace] {
        if let context = search.contexts.first {
            search.contextCells = Set(try await store.towns(called: context).flatMap(PlaceCell.around)).sorted()
        }
        return try await store.beginning(search)
    }

    func place(_ id: PlaceID) async throws -> Place {
        guard let place = try await store.place(id) else { throw PlaceError.notFound }
        return place
    }

    /// What a person would call a point: a house number right here, else a house or the like with a name, else the street that one
    /// stands on, else what is a little farther, else the town.
    private static var steps: [(kinds: [PlaceKind], metres: Double)] {
        [
            ([.address], 40), ([.building, .station, .school, .venue, .hotel, .restaurant, .shop], 30),
            ([.street], 60), ([.parking, .park], 60), ([.address], 120), ([.street], 250),
            ([.building, .station, .school, .venue, .park], 150), ([.district], 500),
        ]
    }

    func reverse(_ point: Position) async throws -> PlaceDescription {
        guard point.isValid else {
            throw PlaceError.invalid([FieldError("at", "out_of_range", "Latitude and longitude in degrees.")])
        }
        // Half the way around the earth: there is always a nearest town.
        var reach: [PlaceKind: Double] = [.town: 21_000_000]
        for step in Self.steps { for kind in step.kinds { reach[kind] = max(reach[kind] ?? 0, step.metres) } }
        let nearest = try await store.nearest(to: point, of: reach)
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
        guard point.isValid else {
            throw PlaceError.invalid([FieldError("at", "out_of_range", "Latitude and longitude in degrees.")])
        }
        guard let region = try await store.region(at: point) else { throw PlaceError.notFound }
        return region
    }

    func nearby(_ query: NearbyPlaceQuery) async throws -> Page<Place> {
        let page = try NearbyPage(query)
        let found = try await store.nearby(page)
        let shown = found.prefix(page.limit)
        return Page(
            items: shown.map(\.place),
            next: found.count > page.limit ? shown.last.map { NearbyCursor($0).text } : nil)
    }
}
