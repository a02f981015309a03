import FoundationEssentials
import Messaging
import PlainText
import WireProtocol

/// Finds what may be reported, whichever service has it.
struct Subjects: Sendable {
    /// Asks the service that has it; throws `notFound` where there is none for the viewer.
    typealias AskForSubject = @Sendable (SubjectQuery) async throws -> SubjectSnapshot
    /// Asks chat for a message that is reported, and what is around it.
    typealias AskForMessages = @Sendable (MessageReference) async throws -> ReportedMessages

    let database: any AuthDatabase
    /// Of what other services have.
    let askForSubject: AskForSubject
    let askForMessages: AskForMessages

    /// A subject as it is now; nil where there is none for the viewer.
    /// - Parameter viewer: Nil for moderators, who see everything.
    func snapshot(of subject: Subject, for viewer: PersonID?) async throws -> SubjectSnapshot? {
        try await found(subject, for: viewer)?.snapshot
    }

    /// The same with its name, which says its kind also where it was named as a post.
    func found(_ subject: Subject, for viewer: PersonID?) async throws -> (subject: Subject, snapshot: SubjectSnapshot)?
    {
        let kinds = subject.kind == .post ? SubjectKind.shared : [subject.kind]
        for kind in kinds {
            let named = Subject(kind: kind, id: subject.id)
            if let found = try await says(named, to: viewer) { return (named, found) }
        }
        return nil
    }

    private func says(_ subject: Subject, to viewer: PersonID?) async throws -> SubjectSnapshot? {
        let stores = database.stores
        switch subject.kind {
        case .person:
            let id = PersonID(subject.id.uuid)
            let account =
                if let viewer {
                    try await stores.accounts.account(id, for: viewer)
                } else {
                    try await stores.accounts.account(id, locked: false)
                }
            return account.map(SubjectSnapshot.init)
        case .review:
            return try await stores.review(ReviewID(subject.id.uuid), for: viewer, seesAll: viewer == nil).map {
                SubjectSnapshot(
                    owner: $0.author.id, title: $0.author.name, text: $0.text, photo: nil, rating: $0.rating)
            }
        case let kind where Capability.subject.services.contains(kind.service) && kind.uses.contains(.reports):
            do {
                return try await askForSubject(SubjectQuery(subject: subject, viewer: viewer))
            } catch let error as ServiceError where error.code == .notFound {
                return nil
            }
        default: return nil
        }
    }
}

/// What can be asked of reports: load, decide, save.
struct ReportUseCases: Sendable {
    let database: any AuthDatabase
    let subjects: Subjects
    let policy: ReportPolicy
    let now: @Sendable () -> Date

    /// Tells moderators of something that the caller sees. Whom it is about is not told.
    func report(_ draft: ReportDraft, _ context: RequestContext) async throws -> Report {
        let me = try context.caller.requirePerson()
        let draft = try draft.checked()
        let now = now()
        // Before the transaction, since nothing within one waits for the network. A request that comes again is answered from what is
        // remembered, whatever became of the subject meanwhile: so only the transaction refuses.
        let found: Result<(subject: Subject, snapshot: SubjectSnapshot)?, any Error>
        do { found = .success(try await subjects.found(draft.subject, for: me)) } catch {
            found = .failure(error)
        }
        return try await database.command(context) { transaction in
            let people = try await transaction.friends.lock(me, me)
            guard people[me] != nil else { throw ServiceError(.unauthenticated, "Sign in again.") }
            guard let known = try found.get() else { throw ReportError.unknown(draft.subject.kind) }
            var named = draft
            named.subject = known.subject
            let reports = transaction.stores.reports
            let tally = try await reports.tally(by: me, since: now - policy.window)
            let open = try await reports.openCase(of: named.subject, for: me)
            let (report, belongs) = try FiledReport.file(
                .new(at: now), named, by: me, finding: known.snapshot, open: open, having: tally, at: now,
                within: policy)
            try await reports.add(report, to: belongs)
            return Report(
                id: report.id, subject: named.subject, reason: report.reason, text: report.text, reportedAt: report.at)
        }
    }
}

extension SubjectSnapshot {
    /// What everybody sees of a person, in a few lines.
    init(_ account: Account) {
        let seen = account.visibleToAll
        let lines = [seen.username.map { "@\($0)" }, seen.region, seen.bio].compactMap { $0 }
        self.init(
            owner: seen.id, title: seen.name, text: lines.joined(separator: "\n").nonEmpty, photo: seen.photo)
    }
}
