import WireProtocol

/// What the use cases need of a store.
protocol PlaceStore: Sendable {
    /// As names are compared.
    func keys(of texts: [String]) async throws -> [String]
    /// Where the most important towns of that name are.
    func towns(called key: String) async throws -> [Position]
    /// Those whose names begin as the search says, the best first.
    func beginning(_ search: PlaceSearch) async throws -> [FoundPlace]
    /// Those whose names begin as they do but for one letter.
    func slipped(_ search: PlaceSearch) async throws -> [FoundPlace]
    /// Those whose names are much like it.
    func alike(_ search: PlaceSearch) async throws -> [FoundPlace]
    func place(_ id: PlaceID) async throws -> Place?
    /// The nearest of each kind, within the metres given.
    func nearest(to point: Position, of kinds: [PlaceKind: Double]) async throws -> [Place]
    /// The community's region that a point is in, else the state or province of the town there.
    func region(at point: Position) async throws -> PlaceRegion?
    func nearby(_ page: NearbyPage) async throws -> [NearbyPlace]
}
