import FoundationEssentials
import Messaging
import WireProtocol

/// What moderators can ask: load, decide, save with its events and its line in the audit log.
///
/// Who is a moderator is looked up at each call: what a token says of it may be some minutes old.
struct ModerationUseCases: Sendable {
    let database: any AuthDatabase
    let subjects: Subjects
    let now: @Sendable () -> Date

    /// As much of a case as a moderator is shown at once.
    private static let shownReports = 100
    private static let shownActs = 20

    // MARK: Queries

    func cases(_ query: CaseQuery, for caller: Caller) async throws -> Page<ModerationCase> {
        let stores = database.stores
        _ = try await stores.requireModerator(caller, at: now())
        let (limit, after) = (try Paging.limit(query.limit), try Paging.moment(query.cursor))
        let state = query.state ?? .open
        let found = try await stores.cases.cases(state, after: after, limit: limit)
        return Page(try await stores.named(found), of: limit) { shown in
            MomentCursor(shown.decision?.at ?? shown.openedAt, shown.id.uuid)
        }
    }

    func file(_ id: CaseID, for caller: Caller) async throws -> CaseFile {
        let stores = database.stores
        let me = try await stores.requireModerator(caller, at: now())
        guard let found = try await stores.cases.find(id, locked: false) else { throw ModerationError.unknownCase }
        let standing = try await stores.standing(of: found, at: now())
        let reports = try await stores.reports.reports(of: id, atMost: Self.shownReports)
        let people = try await stores.friends.summaries(of: Array(Set(reports.compactMap(\.reporter))))
        let acts = try await stores.audit.records(of: found.person, after: nil, limit: Self.shownActs)
        return CaseFile(
            about: try await stores.named([found])[0], now: await subject(found), hidden: standing.hiding,
            suspension: standing.suspension,
            reports: reports.map { report in
                CaseReport(
                    id: report.id, by: report.reporter.flatMap { people[$0] }, reason: report.reason,
                    text: report.text, at: report.at, subject: report.snapshot)
            },
            acts: try await stores.named(Array(acts.prefix(Self.shownActs))),
            possible: found.possible(for: me, standing))
    }

    /// A case can be decided without it: what was reported is kept.
    private func subject(_ found: ModeratedCase) async -> SubjectSnapshot? {
        (try? await subjects.snapshot(of: found.subject, for: nil)) ?? nil
    }

    func audit(_ query: AuditQuery, for caller: Caller) async throws -> Page<AuditEntry> {
        let stores = database.stores
        _ = try await stores.requireModerator(caller, at: now())
        let (limit, after) = (try Paging.limit(query.limit), try Paging.moment(query.cursor))
        let found = try await stores.audit.records(of: query.person, after: after, limit: limit)
        return Page(try await stores.named(found), of: limit) { MomentCursor($0.at, $0.id.uuid) }
    }

    /// The message that a case is about, and a few around it: while it is open, and never of a moderator's own. That they looked is in the
    /// audit log before anybody is asked.
    func messages(_ id: CaseID, for caller: Caller) async throws -> ReportedMessages {
        let (stores, now) = (database.stores, now())
        let me = try await stores.requireModerator(caller, at: now)
        guard let found = try await stores.cases.find(id, locked: false), found.subject.kind == .message else {
            throw ModerationError.unknownCase
        }
        guard found.person != me else { throw ModerationError.aboutYou }
        guard found.state == .open else { throw ModerationError.notPossible }
        let entry = AuditRecord(
            id: .new(at: now), at: now, by: me, act: .readMessages, person: found.person, subject: found.subject,
            caseID: id)
        try await database.transaction { try await $0.stores.audit.add(entry) }
        return try await subjects.askForMessages(MessageReference(id: MessageID(found.subject.id.uuid)))
    }

    // MARK: Commands

    func act(_ draft: ActDraft, on id: CaseID, _ context: RequestContext) async throws -> ModerationCase {
        let draft = try draft.checked()
        let now = now()
        return try await database.command(context) { transaction in
            let stores = transaction.stores
            let me = try await stores.requireModerator(context.caller, at: now)
            // Whose it is never changes; their lock comes before the case's row.
            guard let found = try await stores.cases.find(id, locked: false) else { throw ModerationError.unknownCase }
            _ = try await stores.friends.lock(found.person, found.person)
            guard let found = try await stores.cases.find(id, locked: true) else { throw ModerationError.unknownCase }
            let standing = try await stores.standing(of: found, at: now)
            let decision = try found.act(draft, by: me, finding: standing, at: now)
            try await transaction.perform(decision)
            return try await stores.named([decision.decided])[0]
        }
    }
}

extension AuthTransaction {
    fileprivate func perform(_ decision: ActDecision) async throws {
        let (decided, aggregate) = (decision.decided, "subject/\(decision.decided.subject.id)")
        switch decision.effect {
        case .none: break
        case .hide(let hiding):
            try await stores.cases.set(hiding, of: decided.subject)
            try await setReview(hiding, decided.subject)
            publish(SubjectHidden(subject: decided.subject, hiding: hiding), aggregate)
        case .restore:
            try await stores.cases.set(nil, of: decided.subject)
            try await setReview(nil, decided.subject)
            publish(SubjectRestored(subject: decided.subject), aggregate)
        case .suspend(let suspension): try await suspend(decided.person, suspension)
        case .reinstate:
            try await stores.suspensions.set(nil, of: decided.person)
            publish(PersonReinstated(person: decided.person), "person/\(decided.person)")
            // Sessions that are good for their own data alone: the next one is as anybody's.
            try await end(.all, of: decided.person, decision.entry.at)
        }
        try await stores.cases.save(decided)
        try await stores.audit.add(decision.entry)
        if let notice = decision.notice { try await tell(notice, at: decision.entry.at) }
    }

    /// The account first: whoever signs in at this moment holds it until their session is there, and can be ended.
    private func suspend(_ person: PersonID, _ suspension: Suspension) async throws {
        try await stores.suspensions.set(suspension, of: person)
        // On their own stream before it ends with their sessions.
        publish(
            PersonSuspended(person: person, suspension: suspension), "person/\(person)", to: .people([person]))
        try await end(.all, of: person, suspension.since)
    }

    /// Reviews are here: what is hidden does not count.
    private func setReview(_ hiding: Hiding?, _ subject: Subject) async throws {
        guard subject.kind == .review else { return }
        guard let account = try await stores.reviews.set(hiding, of: ReviewID(subject.id.uuid)) else { return }
        publish(PersonChanged(person: account.summary), "person/\(account.id)")
    }
}

extension AuthStores {
    /// - Throws: `forbidden`, `unauthenticated`.
    func requireModerator(_ caller: Caller, at now: Date) async throws -> PersonID {
        let me = try caller.requirePerson()
        guard try await roles.holds(.moderator, me, at: now) else { throw ModerationError.notModerator }
        return me
    }

    /// Whether the caller is a moderator; services and strangers are none.
    func keepsOrder(_ caller: Caller, at now: Date) async throws -> Bool {
        guard let me = caller.person else { return false }
        return try await roles.holds(.moderator, me, at: now)
    }

    func standing(of found: ModeratedCase, at now: Date) async throws -> CaseStanding {
        let suspension = try await suspensions.suspension(of: found.person)
        return CaseStanding(
            hiding: try await cases.hiding(of: found.subject),
            suspension: suspension.flatMap { $0.isActive(at: now) ? $0 : nil })
    }

    /// Cases with people as they are now.
    func named(_ found: [ModeratedCase]) async throws -> [ModerationCase] {
        let ids = Set(found.flatMap { [$0.person] + ($0.decision.map { [$0.by] } ?? []) })
        let people = try await friends.summaries(of: Array(ids))
        return found.map { one in
            ModerationCase(
                id: one.id, subject: one.subject, person: people[one.person] ?? .someone(one.person), title: one.title,
                reports: one.reports, reasons: one.reasons, openedAt: one.openedAt, reportedAt: one.reportedAt,
                state: one.state,
                decision: one.decision.map {
                    CaseDecision(act: $0.act, by: people[$0.by] ?? .someone($0.by), at: $0.at)
                }, version: one.version)
        }
    }

    /// Lines of the audit log with people as they are now.
    func named(_ records: [AuditRecord]) async throws -> [AuditEntry] {
        let ids = Set(records.flatMap { [$0.person] + ($0.by.map { [$0] } ?? []) })
        let people = try await friends.summaries(of: Array(ids))
        return records.map { record in
            AuditEntry(
                id: record.id, at: record.at, by: record.by.map { people[$0] ?? .someone($0) }, act: record.act,
                person: people[record.person] ?? .someone(record.person), subject: record.subject,
                case: record.caseID, reason: record.reason, changes: record.changes)
        }
    }
}
