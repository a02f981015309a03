import Hummingbird
import WireProtocol

/// `/moderation/deliveries`: deliveries that the two do not agree about, for moderators to settle.
struct MatchDisputesPage {
    struct Row {
        var href: String
        var title: String
        var when: Moment
        var with: String
        var state: String
        var tone: String
    }

    static let path = "/moderation/deliveries"

    var rows: [Row]
    var any: Bool
    var more: String?

    static func register(on routes: PageRoutes) {
        routes.get("/moderation/deliveries") { visit in
            try visit.context.requirePerson()
            let query = MatchQuery(disputed: true, limit: 20, cursor: visit.query("cursor"))
            let found = try await visit.ask(MatchingMethods.matches, query, Nothing())
            let frame = PageFrame(
                title: visit.words["matches.disputes.title"], tab: .me, width: "middle", styles: ["rentals"])
            return try await visit.page("matches/disputes", MatchDisputesPage(found, in: visit), frame)
        }
    }

    private init(_ found: Page<DeliveryMatch>, in visit: Visit) {
        let words = visit.words
        rows = found.items.map { match in
            let names = ["deliverer": match.deliverer.name, "orderer": match.orderer.name]
            return Row(
                href: match.path, title: match.title, when: visit.moment(match.changedAt, .ago),
                with: words["matches.disputes.between", names], state: match.stateText(in: words),
                tone: match.stateTone)
        }
        any = !rows.isEmpty
        more = found.next.map { "\(Self.path)?cursor=\(LocalPath.encoded($0))" }
    }
}
