import Hummingbird
import WireProtocol

/// `/me/spots`: what one shared, or claimed (`of=claimed`), in every state.
struct MySpotsPage {
    struct Row {
        var id: String
        var name: String
        var posted: Moment
        var price: String
        var state: String
        var stateTone: String
    }

    var heading: String
    var showsPosted: Bool
    var showsClaimed: Bool
    var any: Bool
    var spots: [Row]
    var more: String?
    var emptyTitle: String
    var emptyText: String
    var emptyHref: String
    var emptyAction: String

    static func register(on routes: PageRoutes) {
        routes.get("/me/spots") { visit in
            try visit.context.requirePerson()
            let ownership = SpotOwnership(rawValue: visit.query("of") ?? "") ?? .posted
            let query = SpotQuery(of: ownership, limit: 20, cursor: visit.query("cursor"))
            let found = try await visit.ask(ListingsMethods.spots, query, Nothing())
            let page = MySpotsPage(found, ownership, in: visit)
            return try await visit.page("me/spots", page, PageFrame(title: page.heading, tab: .me))
        }
    }

    private init(_ found: Page<Spot>, _ ownership: SpotOwnership, in visit: Visit) {
        let words = visit.words
        let posted = ownership == .posted
        heading = words["me.\(ownership.rawValue)"]
        showsPosted = posted
        showsClaimed = !posted
        spots = found.items.map { spot in
            Row(
                id: spot.id.description, name: spot.name, posted: visit.moment(spot.postedAt, .ago),
                price: spot.priceText(in: words),
                state: words["state.\(spot.hidden == nil ? spot.state.rawValue : "hidden")"],
                stateTone: spot.hidden != nil
                    ? "full" : spot.state == .free ? "" : spot.state == .claimed ? "warm" : "plain")
        }
        any = !spots.isEmpty
        more = found.next.map { "/me/spots?of=\(ownership.rawValue)&cursor=\(LocalPath.encoded($0))" }
        emptyTitle = words[posted ? "me.emptyPosted" : "me.emptyClaimed"]
        emptyText = words[posted ? "me.emptyPostedText" : "me.emptyClaimedText"]
        emptyHref = posted ? "/share" : "/parking"
        emptyAction = words[posted ? "home.emptyAction" : "home.openMap"]
    }
}
