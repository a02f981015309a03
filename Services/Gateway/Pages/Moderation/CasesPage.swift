import Hummingbird
import WireProtocol

/// `/moderation`: what is reported, and with `of=decided` what became of it.
struct CasesPage {
    struct Row {
        var href: String
        var title: String
        var about: String
        var reports: String
        var reasons: String
        var when: Moment
        var decision: String?
    }

    struct Choice {
        var href: String
        var text: String
        var current: Bool
    }

    var choices: [Choice]
    /// The way to the agreements that wait for a moderator, with their number.
    var disputes: String
    var rows: [Row]
    var any: Bool
    var more: String?
    var emptyTitle: String
    var emptyText: String

    static func register(on routes: PageRoutes) {
        routes.get("/moderation") { visit in
            try visit.context.requirePerson()
            let state = visit.query("of").flatMap(CaseState.init) ?? .open
            let query = CaseQuery(state: state, limit: 20, cursor: visit.query("cursor"))
            async let disputed = disputed(visit)
            let found = try await visit.ask(AuthMethods.cases, query, Nothing())
            let frame = PageFrame(title: visit.words["moderation.title"], tab: .me, width: "middle")
            return try await visit.page("moderation/cases", CasesPage(found, state, disputed, in: visit), frame)
        }
    }

    /// How many agreements wait to be settled, at most as many as one answer holds. The page does without where listings is away.
    private static func disputed(_ visit: Visit) async -> String? {
        let query = RentalQuery(disputed: true, limit: 100)
        guard let found = try? await visit.ask(ListingsMethods.rentals, query, Nothing(), within: 2),
            !found.items.isEmpty
        else { return nil }
        return found.next == nil ? "\(found.items.count)" : "\(found.items.count)+"
    }

    private init(_ found: Page<ModerationCase>, _ state: CaseState, _ disputed: String?, in visit: Visit) {
        let words = visit.words
        choices = CaseState.allCases.map {
            Choice(href: $0.href, text: words["moderation.of.\($0.rawValue)"], current: $0 == state)
        }
        let name = words["rentals.disputes.title"]
        disputes = disputed.map { words["rentals.list.counted", ["name": name, "n": $0]] } ?? name
        rows = found.items.map { one in
            Row(
                href: "/moderation/cases/\(one.id)", title: one.title,
                about: words["moderation.about.\(one.subject.kind.reportWord)", ["name": one.person.name]],
                reports: words["moderation.reports", count: one.reports],
                reasons: one.reasons.map { words["report.reason.\($0.rawValue)"] }.joined(separator: " · "),
                when: visit.moment(one.decision?.at ?? one.openedAt, .ago),
                decision: one.decision.map { $0.told(in: words) })
        }
        any = !rows.isEmpty
        more = found.next.map { "\(state.href)\(state == .open ? "?" : "&")cursor=\(LocalPath.encoded($0))" }
        emptyTitle = words["moderation.empty.\(state.rawValue)"]
        emptyText = words["moderation.empty.\(state.rawValue)Text"]
    }
}

extension CaseState {
    fileprivate var href: String { self == .open ? "/moderation" : "/moderation?of=\(rawValue)" }
}

extension CaseDecision {
    /// `Hidden by Maya`
    func told(in words: Words) -> String {
        words["moderation.did.\(act.rawValue)", ["name": by.name]]
    }
}
