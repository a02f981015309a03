internal import Messaging
internal import PlainText
internal import WireProtocol

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Finds what may be reported, whichever service has it.
struct Subjects: Sendable {
    /// Asks the service that has posts; throws `notFound` where there is none for the viewer.
    typealias AskForPost = @Sendable (SubjectQuery) async throws -> SubjectSnapshot
    /// Asks chat for a message that is reported, and what is around it.
    typealias AskForMessages = @Sendable (MessageReference) async throws -> ReportedMessages

    let database: any AuthDatabase
    /// Of posts, and of messages.
    let askForPost: AskForPost
    let askForMessages: AskForMessages

    /// A subject as it is now; nil where there is none for the viewer.
    /// - Parameter viewer: Nil for moderators, who see everything.
    func snapshot(of subject: ReportSubject, for viewer: PersonID?) async throws -> SubjectSnapshot? {
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
        case .post, .message:
            do {
                return try await askForPost(SubjectQuery(subject: subject, viewer: viewer))
            } catch let error as ServiceError where error.code == .notFound {
                return nil
            }
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
        let found: Result<SubjectSnapshot?, any Error>
        do { found = .success(try await subjects.snapshot(of: draft.subject, for: me)) } catch {
            found = .failure(error)
        }
        return try await database.command(context) { transaction in
            let people = try await transaction.friends.lock(me, me)
            guard people[me] != nil else { throw ServiceError(.unauthenticated, "Sign in again.") }
            guard let snapshot = try found.get() else { throw ReportError.unknown(draft.subject.kind) }
            let reports = transaction.stores.reports
            let tally = try await reports.tally(by: me, since: now - policy.window)
            let open = try await reports.openCase(of: draft.subject, for: me)
            let (report, belongs) = try FiledReport.file(
                .new(at: now), draft, by: me, finding: snapshot, open: open, having: tally, at: now, within: policy)
            try await reports.add(report, to: belongs)
            return Report(
                id: report.id, subject: draft.subject, reason: report.reason, text: report.text, reportedAt: report.at)
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
