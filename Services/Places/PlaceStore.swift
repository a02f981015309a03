import WireProtocol

/// What the use cases need of a store.
protocol PlaceStore: Sendable {
    /// As names are compared.
    func keys(of texts: [String]) async throws -> [String]
    /// What may be meant behind a comma.
    /// - Parameter key: `PlaceContext.key`.
    func understood(_ key: String, written text: String) async throws -> PlaceContext
    /// Those whose names begin as the search says, the best first.
    func beginning(_ search: PlaceSearch) async throws -> [FoundPlace]
    /// Those whose names begin as they do but for one letter.
    func slipped(_ search: PlaceSearch) async throws -> [FoundPlace]
    /// Those whose names are much like it.
    func alike(_ search: PlaceSearch) async throws -> [FoundPlace]
    /// Those whose whole name is one of some keys.
    func called(_ keys: [String], _ search: PlaceSearch) async throws -> [FoundPlace]
    func matching(_ pattern: PlaceSearch.Pattern, _ search: PlaceSearch) async throws -> [FoundPlace]
    func place(_ id: PlaceID, in language: String?) async throws -> Place?
    /// The nearest of each kind, within the metres given; the nearest town of the same country, within fifty kilometres.
    func nearest(to point: Position, of kinds: [PlaceKind: Double], in language: String?) async throws -> [Place]
    /// The community's region that a point is in, else the state or province of the town there.
    func region(at point: Position) async throws -> PlaceRegion?
    func nearby(_ page: NearbyPage) async throws -> [NearbyPlace]
}
