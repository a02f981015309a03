import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What is reported of one subject, and what was done.
struct PageCase {
    var about: ModerationCase
    var reports: [CaseReport]
    var acts: [AuditEntry] = []
    var hidden: Hiding?
    var suspension: Suspension?
}

extension PageCall {
    /// As auth does, with pages of three.
    func moderation(_ method: String, _ state: inout PageBackend.State) throws -> Outcome {
        let me = try caller.requirePerson()
        if method == "auth.report" { return (try WireJSON.encode(try report(by: me, &state)), []) }
        if method == "auth.notices" {
            return (try WireJSON.encode(Page(items: state.notices.filter { $0.0 == me }.map(\.1))), [])
        }
        if method == "auth.suspension" {
            guard let found = state.suspended[me] else { throw ServiceError.notFound("suspension") }
            return (try WireJSON.encode(found), [])
        }
        if method == "auth.readNotice" {
            let id = try WireJSON.decode(NoticeReference.self, from: parameters).id
            guard state.notices.contains(where: { $0 == me && $1.id == id }) else {
                throw ServiceError.notFound("notice")
            }
            state.notices.removeAll { $1.id == id }
            return ([], [])
        }
        guard caller.roles.contains(.moderator) else { throw ServiceError(.forbidden, "Only moderators may do that.") }
        switch method {
        case "auth.cases":
            let query = try WireJSON.decode(CaseQuery.self, from: parameters)
            let all = state.cases.map(\.about).filter { $0.state == query.state ?? .open }
            let rest = Array(
                query.cursor.map { cursor in all.drop { $0.id.description != cursor }.dropFirst() } ?? all[...])
            let next = rest.count > 3 ? rest[2].id.description : nil
            return (try WireJSON.encode(Page(items: Array(rest.prefix(3)), next: next)), [])
        case "auth.caseFile":
            let one = state.cases[try index(state)]
            let now = state.people.values.first { $0.id.uuid == one.about.subject.id.uuid }.map {
                SubjectSnapshot(owner: $0.id, title: $0.name, text: $0.bio)
            }
            let file = CaseFile(
                about: one.about, now: now ?? one.reports[0].subject, hidden: one.hidden,
                suspension: one.suspension, reports: one.reports, acts: one.acts, possible: possible(one, for: me))
            return (try WireJSON.encode(file), [])
        case "auth.reportedMessages":
            let subject = state.cases[try index(state)].about.subject
            let room = state.rooms.first { $0.messages.contains { $0.id.uuid == subject.id.uuid } }
            let people = room?.people.compactMap { state.people[$0]?.summary } ?? []
            let found = ReportedMessages(
                reported: MessageID(subject.id.uuid), items: room?.messages ?? [], people: people)
            return (try WireJSON.encode(found), [])
        case "auth.act": return (try WireJSON.encode(try act(by: me, &state)), [])
        default:
            let query = try WireJSON.decode(AuditQuery.self, from: parameters)
            let all = state.cases.flatMap(\.acts).filter { query.person == nil || $0.person.id == query.person }
            return (try WireJSON.encode(Page(items: all)), [])
        }
    }

    private func index(_ state: PageBackend.State) throws -> Int {
        let id = try WireJSON.decode(CaseReference.self, from: parameters).id
        guard let index = state.cases.firstIndex(where: { $0.about.id == id }) else {
            throw ServiceError.notFound("case")
        }
        return index
    }

    private func possible(_ one: PageCase, for me: PersonID) -> [ModerationAct] {
        guard one.about.person.id != me else { return [] }
        let hides = one.about.subject.kind != .person
        return (one.about.state == .open ? [.dismiss] : []) + (hides ? [one.hidden == nil ? .hide : .restore] : [])
            + [.warn, one.suspension == nil ? .suspend : .reinstate]
    }

    private func report(by me: PersonID, _ state: inout PageBackend.State) throws -> Report {
        let draft = try WireJSON.decode(ReportDraft.self, from: body)
        guard draft.reason != .other || draft.text?.isEmpty == false else {
            throw ServiceError.invalid([FieldError("text", "required", "Say what.")])
        }
        let spot = state.spots.first { $0.id.uuid == draft.subject.id.uuid }
        let message = state.rooms.flatMap(\.messages).first { $0.id.uuid == draft.subject.id.uuid }
        let person = state.people.values.first { $0.id.uuid == (message?.by.uuid ?? draft.subject.id.uuid) }
        guard let owner = spot?.postedBy ?? person?.summary else {
            throw ServiceError.notFound("thing")
        }
        let said = SubjectSnapshot(owner: owner.id, title: spot?.name ?? owner.name, text: person?.bio)
        let report = CaseReport(
            id: .new(), by: state.people[me]?.summary, reason: draft.reason, text: draft.text, at: Date(), subject: said
        )
        let open = state.cases.firstIndex { $0.about.subject == draft.subject && $0.about.state == .open }
        if let open {
            guard !state.cases[open].reports.contains(where: { $0.by?.id == me }) else {
                throw ServiceError(.alreadyReported, "Already.")
            }
            state.cases[open].reports.insert(report, at: 0)
            state.cases[open].about.reports += 1
        } else {
            let about = ModerationCase(
                id: .new(), subject: draft.subject, person: owner, title: said.title, reports: 1,
                reasons: [draft.reason], openedAt: Date(), reportedAt: Date(), state: .open, version: 0)
            state.cases.append(PageCase(about: about, reports: [report]))
        }
        return Report(
            id: report.id, subject: draft.subject, reason: draft.reason, text: draft.text, reportedAt: report.at)
    }

    private func act(by me: PersonID, _ state: inout PageBackend.State) throws -> ModerationCase {
        let (index, draft) = (try index(state), try WireJSON.decode(ActDraft.self, from: body))
        var one = state.cases[index]
        let isKind = [ModerationAct.dismiss, .restore, .reinstate].contains(draft.act)
        guard isKind || draft.reason?.isEmpty == false else {
            throw ServiceError.invalid([FieldError("reason", "required", "Say why.")])
        }
        guard one.about.version == draft.version else { throw ServiceError(.alreadyDecided, "Faster.") }
        guard possible(one, for: me).contains(draft.act), let by = state.people[me]?.summary else {
            throw ServiceError(.wrongState, "No.")
        }
        if draft.act == .hide { one.hidden = Hiding(at: Date(), reason: draft.reason ?? "") }
        if draft.act == .restore { one.hidden = nil }
        if draft.act == .reinstate { one.suspension = nil }
        if draft.act == .suspend {
            let until = draft.days.map { Date() + Double($0) * 86_400 }
            one.suspension = Suspension(since: Date(), until: until, reason: draft.reason ?? "")
        }
        if draft.act == .warn {
            state.notices.append(
                (
                    one.about.person.id,
                    Notice(id: .new(), kind: .warning, at: Date(), title: nil, text: draft.reason, until: nil)
                ))
        }
        if let spot = state.spots.firstIndex(where: { $0.id.uuid == one.about.subject.id.uuid }) {
            state.spots[spot].hidden = one.hidden
        }
        one.about.version += 1
        one.about.state = .decided
        one.about.decision = CaseDecision(act: draft.act, by: by, at: Date())
        let act = AuditedAct(rawValue: draft.act.rawValue) ?? .dismiss
        one.acts.insert(
            AuditEntry(
                id: .new(), at: Date(), by: by, act: act, person: one.about.person, subject: one.about.subject,
                case: one.about.id, reason: draft.reason,
                changes: [AuditChange(of: "case", from: "open", to: "decided")]), at: 0)
        state.cases[index] = one
        return one.about
    }
}
