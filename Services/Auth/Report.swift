import FoundationEssentials
import PlainText
import WireProtocol

// What is true of reports. No I/O and no clock: the time is an argument.

/// What somebody told moderators, with the subject as it was then.
struct FiledReport: Hashable, Sendable {
    let id: ReportID
    let caseID: CaseID
    /// Nil where they have no account any more.
    let reporter: PersonID?
    let reason: ReportReason
    let text: String?
    let at: Date
    let snapshot: SubjectSnapshot
}

/// What a community allows.
struct ReportPolicy: Hashable, Sendable {
    /// Reports that one person may make within the window.
    var most = 20
    var window: TimeInterval = 86_400
    static let longestText = 1000
}

/// Why something may not be reported.
enum ReportError: Error, Hashable, Sendable {
    /// It is one's own, or oneself.
    case own
    /// There is none, or none that this person may see.
    case unknown(SubjectKind)
    /// It is with the moderators already.
    case reported
    case tooMany(retryAfter: Int)
}

/// How many reports somebody has made lately.
struct ReportTally: Hashable, Sendable {
    var count = 0
    var oldest: Date?
}

extension FiledReport {
    /// - Parameters:
    ///   - found: the subject, as the reporter sees it.
    ///   - open: the case of it that is not decided yet, and whether this person is among those who reported it.
    /// - Returns: The report and the case that it belongs to.
    static func file(
        _ id: ReportID, _ draft: ReportDraft, by reporter: PersonID, finding found: SubjectSnapshot,
        open: (case: ModeratedCase, isTold: Bool)?, having tally: ReportTally, at now: Date,
        within policy: ReportPolicy
    ) throws(ReportError) -> (report: FiledReport, case: ModeratedCase) {
        guard found.owner != reporter else { throw .own }
        if open?.isTold == true { throw .reported }
        guard tally.count < policy.most else {
            let wait = tally.oldest.map { $0.addingTimeInterval(policy.window).timeIntervalSince(now) }
            throw .tooMany(retryAfter: max(1, Int((wait ?? policy.window).rounded(.up))))
        }
        var belongs =
            open?.case
            ?? ModeratedCase(
                id: CaseID(id.uuid), subject: draft.subject, person: found.owner, title: found.title, openedAt: now)
        belongs.reports += 1
        belongs.reportedAt = now
        if !belongs.reasons.contains(draft.reason) { belongs.reasons.append(draft.reason) }
        let report = FiledReport(
            id: id, caseID: belongs.id, reporter: reporter, reason: draft.reason, text: draft.text, at: now,
            snapshot: found)
        return (report, belongs)
    }
}

extension ReportDraft {
    /// As it will be kept.
    /// - Throws: `invalid` at `text`.
    func checked() throws(ServiceError) -> ReportDraft {
        var draft = self
        draft.text = nil
        guard let text = text?.nonEmpty else {
            guard reason != .other else {
                throw .invalid([FieldError("text", "required", "Say in a few words what is wrong.")])
            }
            return draft
        }
        do throws(Objection) {
            draft.text = try TextRule.lines(ReportPolicy.longestText).written(text, in: "text")
        } catch { throw .invalid([error.error]) }
        return draft
    }
}

extension Subject {
    /// Whether somebody shares it: whose title is its own, and not a person's.
    var isShared: Bool { kind == .post || SubjectKind.shared.contains(kind) }

    /// The kinds by which rows name it: those of a spot or a thing may be older than their kinds, and say `post`.
    var keptKinds: [String] { (isShared ? SubjectKind.shared + [.post] : [kind]).map(\.rawValue) }
}

extension ReportError: Refusal {
    var serviceError: ServiceError {
        switch self {
        case .own: ServiceError(.forbidden, "This is your own.")
        case .unknown(let kind): .notFound(kind.rawValue)
        case .reported: ServiceError(.alreadyReported, "You have reported this already. Moderators will look at it.")
        case .tooMany(let seconds):
            ServiceError(.tooManyRequests, "You have reported a lot lately. Try again later.", retryAfter: seconds)
        }
    }
}
