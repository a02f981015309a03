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

    /// What is looked at, and what else waits for a moderator.
    var choices: [Choice]
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
            async let others = visit.eachVertical { await $0.cases(in: visit) }
            let found = try await visit.ask(AuthMethods.cases, query, Nothing())
            let frame = PageFrame(title: visit.words["moderation.title"], tab: .me, width: "middle")
            var page = CasesPage(found, state, in: visit)
            page.choices += try await others.flatMap(\.self)
            return try await visit.page("moderation/cases", page, frame)
        }
    }

    private init(_ found: Page<ModerationCase>, _ state: CaseState, in visit: Visit) {
        let words = visit.words
        choices = CaseState.allCases.map {
            Choice(href: $0.href, text: words["moderation.of.\($0.rawValue)"], current: $0 == state)
        }
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

extension CasesPage.Choice {
    /// A list of what else waits, with how many there are, at most as many as one answer holds. That is not said where nobody has answered.
    init<Item: Codable & Sendable>(to href: String, called text: String, counting found: Page<Item>?, in words: Words) {
        (self.href, self.text, current) = (href, text, false)
        guard let found, !found.items.isEmpty else { return }
        let number = found.next == nil ? "\(found.items.count)" : "\(found.items.count)+"
        self.text = words["rentals.list.counted", ["name": text, "n": number]]
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
