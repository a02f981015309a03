import Hummingbird
import WireProtocol

/// `/matches`: what one brings and what is brought to one; with `over=yes` what was.
struct MatchesPage {
    struct Choice {
        var href: String
        var text: String
        var current: Bool
    }

    static let path = "/matches"
    private static let past = "/matches?over=yes"

    var choices: [Choice]
    var rows: [MatchRow]
    var any: Bool
    var more: String?
    var emptyTitle: String
    var emptyText: String
    var deliver: String
    /// Looked at anew where there are no scripts and something runs.
    var refresh: String?

    static func register(on routes: PageRoutes) {
        routes.get("/matches") { visit in
            try visit.context.requirePerson()
            let page = try await load(visit)
            if visit.isFragment, visit.fragmentTarget == "more" { return visit.fragment("matches/rows", page) }
            let frame = PageFrame(
                title: visit.words["matches.mine"], tab: .me, width: "middle", scripts: ["deliver"],
                styles: ["rentals", "deliveries"])
            return try await visit.page("matches/matches", page, frame)
        }
    }

    private static func load(_ visit: Visit) async throws -> MatchesPage {
        let isOver = visit.query("over") == "yes"
        let query = MatchQuery(isOver: isOver, limit: 20, cursor: visit.query("cursor"))
        async let reviews = isOver ? toReview(visit) : []
        let found = try await visit.ask(MatchingMethods.matches, query, Nothing())
        return MatchesPage(found, isOver: isOver, await reviews, in: visit)
    }

    /// What one may still review; nothing where that can't be had.
    private static func toReview(_ visit: Visit) async -> [Encounter] {
        let found = try? await visit.ask(AuthMethods.encounters, EncounterQuery(limit: 100), Nothing(), within: 2)
        return found?.items ?? []
    }

    private init(_ found: Page<DeliveryMatch>, isOver: Bool, _ reviews: [Encounter], in visit: Visit) {
        let words = visit.words
        choices = [
            Choice(href: Self.path, text: words["matches.tab.running"], current: !isOver),
            Choice(href: Self.past, text: words["matches.tab.over"], current: isOver),
        ]
        rows = found.items.map { MatchRow($0, reviews, in: visit) }
        any = !rows.isEmpty
        let here = isOver ? "\(Self.past)&" : "\(Self.path)?"
        more = found.next.map { "\(here)cursor=\(LocalPath.encoded($0))" }
        let empty = isOver ? "over" : "running"
        (emptyTitle, emptyText) = (words["matches.empty.\(empty)"], words["matches.empty.\(empty)Text"])
        deliver = DeliverPage.path
        refresh = isOver || visit.query("cursor") != nil || rows.isEmpty ? nil : Self.path
    }
}
