import FoundationEssentials
import WireProtocol

/// A case of one report, as auth shows it to moderators. What becomes of it is what a test says.
struct PageCase: Sendable {
    let file: Mutable<CaseFile>
    var path: String { "/moderation/cases/\(file.value.about.id)" }

    /// - Parameter possible: what may be done about it, beside what may always be.
    init(
        of subject: Subject, about person: Person, title: String, by reporter: Person, _ reason: ReportReason,
        _ text: String? = nil, possible: [ModerationAct] = [], at door: PageDoor
    ) {
        let said = SubjectSnapshot(owner: person.id, title: title)
        let report = CaseReport(
            id: .new(), by: reporter.summary, reason: reason, text: text, at: Date(), subject: said)
        let about = ModerationCase(
            id: .new(), subject: subject, person: person.summary, title: title, reports: 1, reasons: [reason],
            openedAt: Date(), reportedAt: Date(), state: .open, version: 0)
        file = Mutable(
            CaseFile(
                about: about, now: said, hidden: nil, suspension: nil, reports: [report], acts: [],
                possible: [.dismiss, .warn, .suspend] + possible))
        answer(at: door)
    }

    private func answer(at door: PageDoor) {
        door.services.on(AuthMethods.cases) { [file] request in
            try request.caller.require(.moderator)
            let one = file.value.about
            return Page(items: one.state == (request.parameters.state ?? .open) ? [one] : [])
        }
        door.services.on(AuthMethods.caseFile) { [file] request in
            try request.caller.require(.moderator)
            guard request.parameters.id == file.value.about.id else { throw ServiceError.notFound("case") }
            return file.value
        }
        door.services.on(AuthMethods.audit) { [file] request in
            try request.caller.require(.moderator)
            let asked = request.parameters.person
            return Page(items: file.value.acts.filter { asked == nil || $0.person.id == asked })
        }
        door.services.on(AuthMethods.act) { [file] request in
            try request.caller.require(.moderator)
            return file.value.about
        }
    }

    /// From now on this has been done.
    /// - Parameter possible: what may be done next.
    func decide(
        _ act: ModerationAct, by moderator: Person, reason: String?, possible: [ModerationAct],
        hidden: Hiding? = nil, suspension: Suspension? = nil
    ) {
        file.mutate { file in
            file.about.version += 1
            file.about.state = .decided
            file.about.decision = CaseDecision(act: act, by: moderator.summary, at: Date())
            (file.hidden, file.suspension, file.possible) = (hidden, suspension, possible)
            let entry = AuditEntry(
                id: .new(), at: Date(), by: moderator.summary, act: AuditedAct(rawValue: act.rawValue) ?? .dismiss,
                person: file.about.person, subject: file.about.subject, case: file.about.id, reason: reason,
                changes: [AuditChange(of: "case", from: "open", to: "decided")])
            file.acts.insert(entry, at: 0)
        }
    }
}
