import FoundationEssentials
import Hummingbird
import WireProtocol

/// `/wanted`: standing searches. Somebody says once what they look for, and is told when it appears.
enum WantedPages {
    static let path = "/wanted"

    static func register(on routes: PageRoutes) {
        WantedListPage.register(on: routes)
        WantedNewPage.register(on: routes)
        WantedPage.register(on: routes)
        WantedEditPage.register(on: routes)
        WantedActPages.register(on: routes)
    }
}

extension Wanted {
    var path: String { "\(WantedPages.path)/\(id)" }

    /// Whether it ends because the time is over for which something is looked for: nothing can renew it then.
    /// - Parameter zone: by whose clocks days are meant.
    func endsByItself(in zone: String) -> Bool {
        var end: Date?
        if let rides = query.rides {
            end = rides.before ?? rides.at ?? rides.after
        } else if let deliverers = query.deliverers {
            end = deliverers.until
        } else if let from = query.things?.from {
            // What has begun is rented to nobody who looks for all of it.
            let wall = WallTime(from) ?? CivilDay(from).map { WallTime($0) }
            end = wall.flatMap { Zone.named(zone)?.firstMoment(of: $0) }
        }
        // The services know to the minute, by the clocks where it is.
        return end.map { $0 - 86_400 <= expiresAt } ?? false
    }
}

extension WantedQuery {
    /// Whether it says itself how long it looks.
    var endsByItsWords: Bool { rides != nil || things?.from != nil || deliverers?.until != nil }
}

extension WantedState {
    /// The colour of what says it.
    var tone: String { self == .live ? "" : "plain" }

    func text(in words: Words) -> String { words["wanted.state.\(rawValue)"] }
}

extension Visit {
    /// The search in the address: to everybody but its person there is none.
    /// - Throws: `unauthenticated`, `notFound`.
    func ownWanted() async throws -> Wanted {
        try context.requirePerson()
        return try await ask(MatchingMethods.wanted, WantedReference(id: try id()), Nothing())
    }

    /// What is looked for, in words.
    /// - Parameter known: what points are called, as far as the page knows that.
    func sentence(of query: WantedQuery, knowing known: [Position: String] = [:]) async -> String {
        await sentences(of: [query], knowing: known)[0]
    }

    /// The same of several.
    func sentences(of queries: [WantedQuery], knowing known: [Position: String] = [:]) async -> [String] {
        async let restaurants = restaurantNames(of: Set(queries.compactMap { $0.deliverers?.restaurant }))
        let names = await placeNames(at: Set(queries.flatMap(\.points)), knowing: known)
        let called = await restaurants
        return queries.map { query in
            if let ride = query.rides { return WantedSentence.ride(ride, names, in: community.zone, words) }
            if let deliverers = query.deliverers {
                let restaurant = deliverers.restaurant.flatMap { called[$0] }
                return WantedSentence.deliverer(
                    deliverers, names, at: restaurant, in: community.zone, now: now, words)
            }
            let around = query.spots?.near.flatMap { names[$0] }
            return WantedSentence.text(query, around: around, currency: community.currency, in: words)
        }
    }

    /// What points are called: each is asked for once, all of them at the same time.
    func placeNames(at points: Set<Position>, knowing known: [Position: String] = [:]) async -> [Position: String] {
        await withTaskGroup(of: (Position, String?).self) { group in
            for point in points where known[point] == nil {
                group.addTask { (point, await self.placeName(at: point)) }
            }
            var names = known
            for await (point, name) in group { names[point] = name }
            return names
        }
    }

    /// What restaurants are called: each is asked for once, all of them at the same time.
    func restaurantNames(of places: Set<PlaceID>) async -> [PlaceID: String] {
        await withTaskGroup(of: (PlaceID, String?).self) { group in
            for id in places {
                group.addTask { (id, await self.place(id)?.shownName) }
            }
            var names: [PlaceID: String] = [:]
            for await (id, name) in group { names[id] = name }
            return names
        }
    }

    /// `Fabianinkatu 33, Helsinki`; nil where that is not known now.
    func placeName(at point: Position) async -> String? {
        let query = ReversePlaceQuery(at: point, language: words.code)
        return try? await ask(PlacesMethods.reverse, query, Nothing(), within: 1).name
    }
}

extension WantedQuery {
    /// Those that a sentence names.
    fileprivate var points: [Position] {
        [spots?.near, rides?.from, rides?.to, deliverers?.near, deliverers?.to].compactMap { $0 }
    }
}
