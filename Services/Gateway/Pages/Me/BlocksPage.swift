import Hummingbird
import WireProtocol

/// `/me/blocks`: whom one has blocked. Their names stand here and nowhere else; there is no way to their pages.
struct BlocksPage {
    struct Row {
        var person: PersonView
        var since: Moment
        var unblockLabel: String
    }

    var rows: [Row]
    var any: Bool
    var more: String?
    var key = Visit.newKey()

    static func register(on routes: PageRoutes) {
        routes.get("/me/blocks") { visit in
            try visit.context.requirePerson()
            let query = BlockQuery(limit: 20, cursor: visit.query("cursor"))
            let found = try await visit.ask(AuthMethods.blocks, query, Nothing())
            let frame = PageFrame(title: visit.words["blocks.title"], tab: .me)
            return try await visit.page("me/blocks", BlocksPage(found, in: visit), frame)
        }
    }

    private init(_ found: Page<BlockedPerson>, in visit: Visit) {
        rows = found.items.map { blocked in
            Row(
                person: PersonView(blocked.person), since: visit.moment(blocked.since, .ago),
                unblockLabel: visit.words["blocks.unblockOf", ["name": blocked.person.name]])
        }
        any = !rows.isEmpty
        more = found.next.map { "/me/blocks?cursor=\(LocalPath.encoded($0))" }
    }
}
