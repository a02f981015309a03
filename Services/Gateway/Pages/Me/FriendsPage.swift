import Hummingbird
import WireProtocol

/// `/me/friends`: one's friends, and with `of=waiting` or `of=asked` the questions that are open.
struct FriendsPage {
    struct Row {
        var person: PersonView
        var since: Moment?
        var waiting: Bool
        var asked: Bool
        var acceptLabel: String
        var declineLabel: String
        var takeBackLabel: String
    }

    struct Choice {
        var href: String
        var text: String
        var current: Bool
    }

    var heading: String
    var choices: [Choice]
    var rows: [Row]
    var any: Bool
    var more: String?
    var emptyTitle: String
    var emptyText: String
    /// Where a form in the list leads back to.
    var next: String
    var key = Visit.newKey()

    private static let states = [FriendState.friends, .waiting, .asked]

    static func register(on routes: PageRoutes) {
        routes.get("/me/friends") { visit in
            try visit.context.requirePerson()
            let state = states.first { $0.rawValue == visit.query("of") } ?? .friends
            let query = FriendQuery(state: state, limit: 20, cursor: visit.query("cursor"))
            let found = try await visit.ask(AuthMethods.friends, query, Nothing())
            let page = FriendsPage(found, state, in: visit)
            return try await visit.page("me/friends", page, PageFrame(title: page.heading, tab: .me))
        }
    }

    private static func path(_ state: FriendState) -> String {
        state == .friends ? "/me/friends" : "/me/friends?of=\(state.rawValue)"
    }

    private init(_ found: Page<Friend>, _ state: FriendState, in visit: Visit) {
        let words = visit.words
        heading = words["friends.\(state.rawValue)"]
        choices = Self.states.map {
            Choice(href: Self.path($0), text: words["friends.\($0.rawValue)"], current: $0 == state)
        }
        rows = found.items.map { friend in
            let name = ["name": friend.person.name]
            return Row(
                person: PersonView(friend.person), since: friend.since.map { visit.moment($0, .ago) },
                waiting: friend.state == .waiting, asked: friend.state == .asked,
                acceptLabel: words["friend.acceptOf", name], declineLabel: words["friend.declineOf", name],
                takeBackLabel: words["friend.takeBackOf", name])
        }
        any = !rows.isEmpty
        next = Self.path(state)
        more = found.next.map { "/me/friends?of=\(state.rawValue)&cursor=\(LocalPath.encoded($0))" }
        emptyTitle = words["friends.empty.\(state.rawValue)"]
        emptyText = words["friends.empty.\(state.rawValue)Text"]
    }
}
