import Hummingbird
import WireProtocol

/// `/me/things`: what one shares for rent, by state, with what waits for an answer.
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
    }

    static let path = "/me/things"

    var groups: [Group]
    var any: Bool
    var kinds: [SharingKind]
    var waiting: String?
    var more: String?

    static func register(on routes: PageRoutes) {
        routes.get("/me/things") { visit in
            try visit.context.requirePerson()
            let query = ThingQuery(mine: true, limit: 30, cursor: visit.query("cursor"))
            let asked = RentalQuery(role: .owner, state: .requested, limit: 100)
            async let found = visit.ask(ListingsMethods.things, query, Nothing())
            async let requests = visit.askUnlessAway(ListingsMethods.rentals, asked)
            let page = MyThingsPage(try await found, try await requests?.items ?? [], in: visit)
            let frame = PageFrame(title: visit.words["sharing.mine.title"], tab: .me, width: "middle")
            return try await visit.page("sharing/mine", page, frame)
        }
    }

    private init(_ found: Page<Thing>, _ requests: [Rental], in visit: Visit) {
        let words = visit.words
        let asked = Dictionary(grouping: requests) { $0.thing.id }.mapValues(\.count)
        groups = [ThingState.draft, .listed, .withdrawn].compactMap { state in
            let things = found.items.filter { $0.state == state }
            guard !things.isEmpty else { return nil }
            return Group(
                state: state.rawValue, heading: words["sharing.mine.\(state.rawValue)"],
                things: things.map { Row($0, asked: asked[$0.id] ?? 0, in: visit) })
        }
        any = !groups.isEmpty
        kinds = SharingKind.all(nil, in: words).filter { !$0.chosen }
        waiting = requests.isEmpty ? nil : words["sharing.mine.waiting", count: requests.count]
        more = found.next.map { "\(Self.path)?cursor=\(LocalPath.encoded($0))" }
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
        waiting = asked == 0 ? nil : words["sharing.mine.waiting", count: asked]
    }
}
