import FoundationEssentials
import WireProtocol

@testable import GatewayService

/// Standing searches of whoever asks, as the matching service shows them. What is looked for from now on is there from then on.
struct PageSearches: Sendable {
    let door: PageDoor
    let all = Mutable<[Wanted]>([])
    /// What each of them has found.
    let finds = Mutable<[WantedFind]>([])
    let estimate = Mutable(WantedEstimate(perMonth: 13, isTooWide: false, fitting: 3))

    init(at door: PageDoor) {
        self.door = door
        playQueries()
        playCommands()
    }

    /// From now on there is this one.
    @discardableResult
    func add(_ query: WantedQuery, _ state: WantedState = .live, _ change: (inout Wanted) -> Void = { _ in }) -> Wanted
    {
        var wanted = Wanted(
            id: .new(), query: query, state: state, createdAt: Date() - 86_400, expiresAt: Date() + 50 * 86_400,
            version: "1")
        change(&wanted)
        all.mutate { [wanted] in $0.insert(wanted, at: 0) }
        return wanted
    }

    @discardableResult
    func change(_ id: WantedID, _ change: (inout Wanted) throws -> Void) throws -> Wanted {
        var wanted = try wanted(id)
        try change(&wanted)
        all.mutate { [wanted] in $0 = $0.map { $0.id == id ? wanted : $0 } }
        return wanted
    }

    private func wanted(_ id: WantedID) throws -> Wanted {
        guard let found = all.value.first(where: { $0.id == id }) else { throw ServiceError.notFound("search") }
        return found
    }

    private func playQueries() {
        let services = door.services
        services.on(MatchingMethods.wanted) { try wanted($0.parameters.id) }
        services.on(MatchingMethods.allWanted) { request in
            Page(all.value, from: request.parameters.cursor, size: request.parameters.limit ?? 20)
        }
        services.on(MatchingMethods.wantedFinds) { request in
            Page(finds.value, from: request.parameters.cursor, size: request.parameters.limit ?? 20)
        }
        services.on(MatchingMethods.wantedFinders) { _ in Page(items: all.value) }
        services.on(MatchingMethods.estimateWanted) { _ in estimate.value }
    }

    private func playCommands() {
        let services = door.services
        services.on(MatchingMethods.postWanted) { request in
            add(request.content.query) { $0.isVisible = request.content.isVisible }
        }
        services.on(MatchingMethods.changeWanted) { request in
            try change(request.parameters.id) { wanted in
                if let query = request.content.query {
                    if let seen = request.content.version, seen != wanted.version {
                        throw ServiceError.changedMeanwhile(wanted.version)
                    }
                    (wanted.query, wanted.version) = (query, "\((Int(wanted.version) ?? 0) + 1)")
                }
                if let isVisible = request.content.isVisible { wanted.isVisible = isVisible }
                if let isPaused = request.content.isPaused { wanted.state = isPaused ? .paused : .live }
            }
        }
        services.on(MatchingMethods.renewWanted) { request in
            try change(request.parameters.id) { ($0.state, $0.expiresAt) = (.live, Date() + 60 * 86_400) }
        }
        services.on(MatchingMethods.removeWanted) { request in
            _ = try wanted(request.parameters.id)
            all.mutate { $0.removeAll { $0.id == request.parameters.id } }
            return Nothing()
        }
    }
}

extension WantedQuery {
    /// A car with a word in its text, for a price.
    static func cars(_ change: (inout ThingQuery) -> Void = { _ in }) -> WantedQuery {
        var query = ThingQuery(kind: .car, q: "roof <b>", highestPrice: 3000)
        change(&query)
        return WantedQuery(things: query)
    }

    /// Free spots around a house that `PagePlaces` has.
    static var freeSpots: WantedQuery {
        WantedQuery(spots: SpotQuery(near: Position(latitude: 60.1712, longitude: 24.9501), radius: 500))
    }
}
