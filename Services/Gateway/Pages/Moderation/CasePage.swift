import Hummingbird
import WireProtocol

/// `/moderation/cases/{id}`: a case with what it takes to decide it.
struct CasePage {
    struct Said {
        var title: String
        var text: String?
        var photo: String?
        var stars: Stars?

        init(_ snapshot: SubjectSnapshot, in words: Words) {
            title = snapshot.title
            text = snapshot.text
            photo = snapshot.photo
            stars = snapshot.rating.map { Stars($0, in: words) }
        }
    }

    struct ReportRow {
        var by: PersonView?
        var reason: String
        var text: String?
        var when: Moment
        /// As it was reported, where it is something else now.
        var was: Said?
    }

    struct Way {
        var href: String
        var text: String
        var isGrave: Bool
    }

    var title: String
    var about: String
    var person: PersonView
    /// Where the subject itself is looked at.
    var look: String?
    /// Where a reported message is read, which is noted.
    var read: String?
    /// Somebody else has acted since this moderator looked.
    var meanwhile: Bool
    var decision: String?
    var decidedAt: Moment?
    var own: Bool
    var hidden: String?
    var suspended: String?
    var now: Said?
    var nothing: String
    var reports: [ReportRow]
    var ways: [Way]
    var acts: [AuditRow]
    var anyActs: Bool
    var allActs: String

    static func register(on routes: PageRoutes) {
        routes.get("/moderation/cases/{id}") { visit in
            try visit.context.requirePerson()
            let id: CaseID = try visit.id()
            let file = try await visit.ask(AuthMethods.caseFile, CaseReference(id: id), Nothing())
            let page = CasePage(file, in: visit)
            return try await visit.page(
                "moderation/case", page, PageFrame(title: page.title, tab: .me, width: "middle"))
        }
    }

    private init(_ file: CaseFile, in visit: Visit) {
        let (words, about) = (visit.words, file.about)
        title = about.title
        self.about = words["moderation.about.\(about.subject.kind.reportWord)", ["name": about.person.name]]
        person = PersonView(about.person, badge: visit.badge(of: about.person.campus))
        look = visit.href(of: about.subject)
        let isReadable =
            about.subject.kind == .message && about.state == .open && about.person.id != visit.context.caller.person
        read = isReadable ? "/moderation/cases/\(about.id)/messages" : nil
        meanwhile = visit.query("meanwhile") != nil
        decision = about.decision.map { $0.told(in: words) }
        decidedAt = about.decision.map { visit.moment($0.at, .ago) }
        own = about.person.id == visit.context.caller.person
        hidden = file.hidden.map { words["moderation.hidden", ["reason": $0.reason]] }
        suspended = file.suspension.map { suspension in
            let end = suspension.until.map { visit.moment($0, .date).full }
            return words[
                end == nil ? "moderation.suspendedForGood" : "moderation.suspended",
                ["date": end ?? "", "reason": suspension.reason]]
        }
        now = file.now.map { Said($0, in: words) }
        nothing = words["moderation.nothingNow"]
        reports = file.reports.map { report in
            ReportRow(
                by: report.by.map { PersonView($0) }, reason: words["report.reason.\(report.reason.rawValue)"],
                text: report.text, when: visit.moment(report.at, .ago),
                was: report.subject == file.now ? nil : Said(report.subject, in: words))
        }
        ways = file.possible.map { act in
            Way(
                href: "/moderation/cases/\(about.id)/\(act.rawValue)",
                text: words["moderation.act.\(act.rawValue).open"],
                isGrave: act.isGrave)
        }
        acts = file.acts.map { AuditRow($0, in: visit) }
        anyActs = !acts.isEmpty
        allActs = "/moderation/audit?person=\(about.person.id)"
    }
}

extension ModerationAct {
    /// Whether it takes something from somebody.
    var isGrave: Bool {
        switch self {
        case .dismiss, .restore, .reinstate: false
        case .hide, .warn, .suspend: true
        }
    }
}
