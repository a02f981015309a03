import Hummingbird
import WireProtocol

/// `/me/things`: what one shares for rent, with what waits for an answer: the first few of each state, or with `state=` all of one.
struct MyThingsPage {
    struct Row {
        var id: String
        var title: String
        var path: String
        var icon: String
        var photo: String?
        var price: String
        var posted: Moment
        var hidden: Bool
        /// Its plate can't be read any more, and is to be given again.
        var hasLostPlate: Bool
        /// `2 requests wait for your answer`
        var waiting: String?
        var isDraft: Bool
        var isWithdrawn: Bool
        /// Where a draft goes on.
        var goOn: String
    }

    struct Group {
        var state: String
        var heading: String
        var things: [Row]
        /// To all of them, where there are more.
        var all: String?
    }

    struct Choice {
        var href: String
        var text: String
        var current: Bool
    }

    static let path = "/me/things"
    /// How many of each state an overview shows.
    private static let few = 10

    var choices: [Choice]
    var groups: [Group]
    var any: Bool
    /// Whether one state is looked at.
    var isOneState: Bool
    var kinds: [PageLink]
    var waiting: String?
    var more: String?
    var emptyTitle: String
    var emptyText: String

    static func register(on routes: PageRoutes) {
        routes.get("/me/things") { visit in
            try visit.context.requirePerson()
            let state = visit.query("state").flatMap(ThingState.init)
            let asked = RentalQuery(role: .owner, state: .requested, limit: 100)
            async let requests = visit.askUnlessAway(ListingsMethods.rentals, asked)
            let found = state == nil ? try await overview(visit) : try await list(state, visit)
            let page = MyThingsPage(state, found, try await requests?.items ?? [], in: visit)
            let frame = PageFrame(title: visit.words["sharing.mine.title"], tab: .me, width: "middle")
            return try await visit.page("sharing/mine", page, frame)
        }
    }

    private typealias Found = [(state: ThingState, page: Page<Thing>)]

    /// The first few of each state; what is begun comes first.
    private static func overview(_ visit: Visit) async throws -> Found {
        async let drafts = list(.draft, visit, limit: few)
        async let listed = list(.listed, visit, limit: few)
        async let withdrawn = list(.withdrawn, visit, limit: few)
        return try await drafts + listed + withdrawn
    }

    private static func list(_ state: ThingState?, _ visit: Visit, limit: Int? = nil) async throws -> Found {
        guard let state else { return [] }
        let cursor = limit == nil ? visit.query("cursor") : nil
        let query = ThingQuery(mine: true, state: state, limit: limit ?? 30, cursor: cursor)
        return [(state, try await visit.ask(ListingsMethods.things, query, Nothing()))]
    }

    private static func address(_ state: ThingState?, _ cursor: String? = nil) -> String {
        guard let state else { return path }
        return "\(path)?state=\(state.rawValue)" + (cursor.map { "&cursor=\(LocalPath.encoded($0))" } ?? "")
    }

    private init(_ chosen: ThingState?, _ found: Found, _ requests: [Rental], in visit: Visit) {
        let words = visit.words
        let asked = Dictionary(grouping: requests) { $0.thing.id }.mapValues(\.count)
        choices = [nil, .draft, .listed, .withdrawn].map { (state: ThingState?) in
            Choice(
                href: Self.address(state), text: words["sharing.mine.\(state?.rawValue ?? "all")"],
                current: state == chosen)
        }
        groups = found.compactMap { state, page in
            guard !page.items.isEmpty else { return nil }
            return Group(
                state: state.rawValue, heading: words["sharing.mine.\(state.rawValue)"],
                things: page.items.map { Row($0, asked: asked[$0.id] ?? 0, in: visit) },
                all: chosen == nil && page.next != nil ? Self.address(state) : nil)
        }
        any = !groups.isEmpty
        isOneState = chosen != nil
        kinds = ThingsVertical().ways(at: nil, in: words)
        waiting = requests.isEmpty ? nil : words["sharing.mine.waiting", count: requests.count]
        more = chosen == nil ? nil : found.first?.page.next.map { Self.address(chosen, $0) }
        let empty = chosen.map { "none.\($0.rawValue)" }
        emptyTitle = words["sharing.mine.\(empty ?? "emptyTitle")"]
        emptyText = words["sharing.mine.\(empty.map { "\($0)Text" } ?? "emptyText")"]
    }
}

extension MyThingsPage.Row {
    fileprivate init(_ thing: Thing, asked: Int, in visit: Visit) {
        let words = visit.words
        id = thing.id.description
        title = visit.name(of: thing)
        isDraft = thing.state == .draft
        isWithdrawn = thing.state == .withdrawn
        goOn =
            thing.isDraftSpace
            ? WizardStep.first(lacking: thing, in: visit).path(thing.id) : "/things/\(thing.id)/edit"
        path = isDraft ? goOn : thing.path
        icon = thing.kind.icon
        photo = thing.photos.first
        price = thing.priceTag(in: words)
        posted = visit.moment(thing.postedAt, .ago)
        hidden = thing.hidden != nil
        hasLostPlate = thing.hasLostPlate
        waiting = asked == 0 ? nil : words["sharing.mine.waiting", count: asked]
    }
}
