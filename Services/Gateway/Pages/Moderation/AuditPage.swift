import Hummingbird
import WireProtocol

/// `/moderation/audit`: what moderators and the operator did; with `person=` what concerned one person.
struct AuditPage {
    var rows: [AuditRow]
    var any: Bool
    var more: String?
    /// Whom the list is limited to.
    var only: String?

    static func register(on routes: PageRoutes) {
        routes.get("/moderation/audit") { visit in
            try visit.context.requirePerson()
            let person = visit.query("person").flatMap { PersonID($0) }
            let query = AuditQuery(person: person, limit: 20, cursor: visit.query("cursor"))
            let found = try await visit.ask(AuthMethods.audit, query, Nothing())
            let frame = PageFrame(title: visit.words["moderation.audit"], tab: .me, width: "middle")
            return try await visit.page("moderation/audit", AuditPage(found, of: person, in: visit), frame)
        }
    }

    private init(_ found: Page<AuditEntry>, of person: PersonID?, in visit: Visit) {
        rows = found.items.map { AuditRow($0, in: visit) }
        any = !rows.isEmpty
        let filter = person.map { "person=\($0)&" } ?? ""
        more = found.next.map { "/moderation/audit?\(filter)cursor=\(LocalPath.encoded($0))" }
        only = person.map { id in
            visit.words["moderation.only", ["name": found.items.first?.person.name ?? id.description]]
        }
    }
}

/// One line of the audit log.
struct AuditRow {
    var what: String
    var person: PersonView
    var reason: String?
    var when: Moment
    /// `hidden: false → true`
    var changes: String
    var onlyHref: String
    var caseHref: String?

    init(_ entry: AuditEntry, in visit: Visit) {
        let words = visit.words
        what =
            words[
                "moderation.did.\(entry.act.rawValue)", ["name": entry.by?.name ?? words["moderation.operator"]]]
        person = PersonView(entry.person)
        reason = entry.reason
        when = visit.moment(entry.at, .ago)
        changes = entry.changes.map { "\($0.of): \($0.from ?? "–") → \($0.to ?? "–")" }.joined(separator: ", ")
        onlyHref = "/moderation/audit?person=\(entry.person.id)"
        caseHref = entry.case.map { "/moderation/cases/\($0)" }
    }
}
