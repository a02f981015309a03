import Hummingbird
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `/`: what the community shares now, and what waits for the one who looks.
struct HomePage {
    struct Waiting {
        var href: String
        var icon: String
        var name: String
        var status: String
        var time: Moment?
    }

    var greeting: String
    var verticals: [Vertical]
    var waiting: [Waiting]
    var hasWaiting: Bool
    /// Known, and not only unheard of.
    var nothingWaits: Bool
    /// There are more reviews to write than are said here.
    var moreReviews: Bool
    var cars: Shelf
    var spots: [SpotCard]
    var hasSpots: Bool
    /// Spaces and private parking.
    var others: Shelf
    /// Campuses keep to themselves here, and the one who looks has shown none.
    var needsCampus: Bool
    /// Their address may be a stranger's.
    var needsEmail: Bool

    /// The newest of what is for rent.
    struct Shelf {
        var things: [ThingCard] = []
        var any = false
        /// That nothing is shared yet is known; neither is where listings is away.
        var none = false
        var isShown: Bool

        /// - Parameter kinds: of each kind its newest; nil where listings is away for it.
        init(_ kinds: [[Thing]?], in visit: Visit) {
            let newest = kinds.compactMap(\.self).joined().sorted { $0.postedAt > $1.postedAt }
            things = newest.map { ThingCard($0, isMixed: kinds.count > 1, in: visit) }
            any = !things.isEmpty
            none = things.isEmpty && !kinds.contains { $0 == nil }
            isShown = any || none
        }
    }

    static func register(on routes: PageRoutes) {
        routes.get("/") { visit in
            guard visit.isSignedIn else {
                // A session that died is told; somebody who never had one is welcomed.
                if let trouble = visit.context.sessionTrouble { throw trouble }
                return try await WelcomePage.answer(visit)
            }
            return try await show(visit)
        }
        // Whether the session still holds, for a page whose stream was refused.
        routes.get("/me/alive") { visit in
            if let trouble = visit.context.sessionTrouble, trouble.code != .unauthenticated { throw trouble }
            return Response(status: visit.isSignedIn ? .noContent : .unauthorized)
        }
    }

    private static func show(_ visit: Visit) async throws -> Response {
        try visit.context.requirePerson()
        let box = Distance.box(around: visit.community.center, metres: SpotSearch.reach)
        async let newest = visit.ask(ListingsMethods.spots, SpotQuery(bbox: box, limit: 6), Nothing())
        async let me = try? visit.ask(AuthMethods.me, Nothing(), Nothing(), within: 1)
        async let cars = visit.newest(.car, 6)
        async let spaces = visit.newest(.space, 3)
        async let parking = visit.newest(.parking, 3)
        async let waiting = WaitingRows.asked(by: visit)
        var page = HomePage(of: await me, newest: try await newest.items, await waiting, in: visit)
        page.cars = Shelf([try await cars], in: visit)
        page.others = Shelf([try await spaces, try await parking], in: visit)
        let frame = PageFrame(title: visit.words["home.title"], tab: .home, width: "middle")
        return try await visit.page("home/home", page, frame)
    }

    private init(of me: Person?, newest: [Spot], _ waits: WaitingRows, in visit: Visit) {
        let words = visit.words
        let first = me?.name.split(separator: " ").first.map(String.init)
        greeting = first.map { words["home.greeting", ["name": $0]] } ?? visit.community.name
        waiting = waits.rows
        hasWaiting = !waiting.isEmpty
        nothingWaits = waiting.isEmpty && waits.isWhole
        moreReviews = waits.moreReviews
        verticals = Vertical.all(in: visit)
        (cars, others) = (Shelf([nil], in: visit), Shelf([nil], in: visit))
        spots = newest.map { SpotCard($0, from: nil, in: visit) }
        hasSpots = !spots.isEmpty
        needsEmail = me?.emailVerified == false
        needsCampus = visit.community.campuses.areApart && (me.map { $0.campus == nil } ?? false)
    }
}

extension Visit {
    /// Nil where listings is away.
    fileprivate func newest(_ kind: ThingKind, _ number: Int) async throws -> [Thing]? {
        try await askUnlessAway(ListingsMethods.things, ThingQuery(kind: kind, limit: number))?.items
    }
}
