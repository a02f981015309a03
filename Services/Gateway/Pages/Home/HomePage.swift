import Hummingbird
import WireProtocol

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
    var verticals: [PageLink]
    var waiting: [Waiting]
    var hasWaiting: Bool
    /// Known, and not only unheard of.
    var nothingWaits: Bool
    /// There are more reviews to write than are said here.
    var moreReviews: Bool
    var shelves: [HomeShelf]
    /// Campuses keep to themselves here, and the one who looks has shown none.
    var needsCampus: Bool
    /// Their address may be a stranger's.
    var needsEmail: Bool

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
        async let newest = visit.eachVertical { try await $0.newest(in: visit) }
        async let waiting = WaitingRows.asked(by: visit)
        async let me = try? visit.ask(AuthMethods.me, Nothing(), Nothing(), within: 1)
        let shelves = HomeShelf.inTurn(try await newest)
        let page = HomePage(of: await me, shelves, await waiting, in: visit)
        let frame = PageFrame(
            title: visit.words["home.title"], tab: .home, width: "middle", styles: ["rides", "deliveries"])
        return try await visit.page("home/home", page, frame)
    }

    private init(of me: Person?, _ shelves: [HomeShelf], _ waits: WaitingRows, in visit: Visit) {
        let first = me?.name.split(separator: " ").first.map(String.init)
        greeting = first.map { visit.words["home.greeting", ["name": $0]] } ?? visit.community.name
        verticals = visit.lists()
        waiting = waits.rows
        hasWaiting = !waiting.isEmpty
        nothingWaits = waiting.isEmpty && waits.isWhole
        moreReviews = waits.moreReviews
        self.shelves = shelves
        needsEmail = me?.emailVerified == false
        needsCampus = visit.community.campuses.areApart && (me.map { $0.campus == nil } ?? false)
    }
}
