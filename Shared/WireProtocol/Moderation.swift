#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Keeping order: what moderators ask of the auth service.

public typealias CaseID = ID<ModerationCase>

public enum CaseState: String, Codable, CaseIterable, Hashable, Sendable {
    case open, decided
}

/// What a moderator may do about a case.
public enum ModerationAct: String, Codable, CaseIterable, Hashable, Sendable {
    /// There is nothing to be done.
    case dismiss
    /// Others no longer see what is shared, the review or the message.
    case hide
    /// They see it again.
    case restore
    /// The person is told what is not all right.
    case warn
    /// The person may not take part, for so many days or for good.
    case suspend
    /// A suspension ends now.
    case reinstate
}

/// What is reported: everything that people said of one subject until it was decided.
public struct ModerationCase: Codable, Hashable, Sendable {
    public var id: CaseID
    public var subject: Subject
    /// Whose it is.
    public var person: PersonSummary
    /// What the subject was called when it was first reported.
    public var title: String
    /// How many people reported it.
    public var reports: Int
    public var reasons: [ReportReason]
    public var openedAt: Date
    /// When it was last reported.
    public var reportedAt: Date
    public var state: CaseState
    /// What was done last.
    public var decision: CaseDecision?
    /// How often something was done; an act names the one that its moderator has seen.
    public var version: Int

    public init(
        id: CaseID, subject: Subject, person: PersonSummary, title: String, reports: Int,
        reasons: [ReportReason], openedAt: Date, reportedAt: Date, state: CaseState, decision: CaseDecision? = nil,
        version: Int
    ) {
        self.id = id
        self.subject = subject
        self.person = person
        self.title = title
        self.reports = reports
        self.reasons = reasons
        self.openedAt = openedAt
        self.reportedAt = reportedAt
        self.state = state
        self.decision = decision
        self.version = version
    }
}

public struct CaseDecision: Codable, Hashable, Sendable {
    public var act: ModerationAct
    public var by: PersonSummary
    public var at: Date

    public init(act: ModerationAct, by: PersonSummary, at: Date) {
        self.act = act
        self.by = by
        self.at = at
    }
}

/// One report of a case.
public struct CaseReport: Codable, Hashable, Sendable {
    public var id: ReportID
    /// Absent where they have no account any more.
    public var by: PersonSummary?
    public var reason: ReportReason
    public var text: String?
    public var at: Date
    /// As it was when it was reported.
    public var subject: SubjectSnapshot

    public init(
        id: ReportID, by: PersonSummary?, reason: ReportReason, text: String?, at: Date, subject: SubjectSnapshot
    ) {
        self.id = id
        self.by = by
        self.reason = reason
        self.text = text
        self.at = at
        self.subject = subject
    }
}

/// `GET /v1/moderation/cases/{id}`: a case with what it takes to decide it.
public struct CaseFile: Codable, Hashable, Sendable {
    public var about: ModerationCase
    /// The subject as it is now; absent where it is no more, or cannot be had at the moment.
    public var now: SubjectSnapshot?
    /// Where the subject is hidden.
    public var hidden: Hiding?
    /// Where the person is suspended.
    public var suspension: Suspension?
    /// The latest first, a hundred at the most.
    public var reports: [CaseReport]
    /// What was done about this person before, the latest first, twenty at the most.
    public var acts: [AuditEntry]
    /// What the caller may do now.
    public var possible: [ModerationAct]

    public init(
        about: ModerationCase, now: SubjectSnapshot?, hidden: Hiding?, suspension: Suspension?, reports: [CaseReport],
        acts: [AuditEntry], possible: [ModerationAct]
    ) {
        self.about = about
        self.now = now
        self.hidden = hidden
        self.suspension = suspension
        self.reports = reports
        self.acts = acts
        self.possible = possible
    }
}

/// `GET /v1/moderation/cases`: open ones with the oldest first, decided ones with the latest decision first.
public struct CaseQuery: Codable, Hashable, Sendable {
    /// `open` where absent.
    public var state: CaseState?
    public var limit: Int?
    public var cursor: String?

    public init(state: CaseState? = nil, limit: Int? = nil, cursor: String? = nil) {
        self.state = state
        self.limit = limit
        self.cursor = cursor
    }
}

public struct CaseReference: Codable, Hashable, Sendable {
    public var id: CaseID
    public init(id: CaseID) { self.id = id }
}

/// `POST /v1/moderation/cases/{id}/acts`.
public struct ActDraft: Codable, Hashable, Sendable {
    public var act: ModerationAct
    /// Why: for the audit log, and for the person whom it concerns. Up to 1,000 characters; may be left out of what takes nothing from
    /// anybody.
    public var reason: String?
    /// For how many days somebody is suspended, 1…365; for good where it is absent.
    public var days: Int?
    /// The case's version that the moderator has seen: who comes second hears that somebody was faster.
    public var version: Int

    public init(act: ModerationAct, reason: String? = nil, days: Int? = nil, version: Int) {
        self.act = act
        self.reason = reason
        self.days = days
        self.version = version
    }
}

/// What may be in the audit log.
public enum AuditedAct: String, Codable, CaseIterable, Hashable, Sendable {
    case dismiss, hide, restore, warn, suspend, reinstate
    /// By who runs Kampong, at its command line.
    case grantModerator, revokeModerator, grantOperator, revokeOperator
    /// By an operator, on their page.
    case readMail, retryMail
    /// By a moderator, who looked at a message that is reported, and at what is around it.
    case readMessages
}

/// What an act changed.
public struct AuditChange: Codable, Hashable, Sendable {
    /// The name of the property: `hidden`.
    public var of: String
    public var from: String?
    public var to: String?

    public init(of property: String, from: String?, to: String?) {
        of = property
        self.from = from
        self.to = to
    }
}

/// One line of the audit log.
public struct AuditEntry: Codable, Hashable, Sendable {
    public var id: ID<AuditEntry>
    public var at: Date
    /// Absent where the operator did it.
    public var by: PersonSummary?
    public var act: AuditedAct
    /// Whom it concerned.
    public var person: PersonSummary
    public var subject: Subject?
    public var `case`: CaseID?
    public var reason: String?
    /// What was before and what is after, in the order of the properties' names.
    public var changes: [AuditChange]

    public init(
        id: ID<AuditEntry>, at: Date, by: PersonSummary?, act: AuditedAct, person: PersonSummary,
        subject: Subject?, case: CaseID?, reason: String?, changes: [AuditChange]
    ) {
        self.id = id
        self.at = at
        self.by = by
        self.act = act
        self.person = person
        self.subject = subject
        self.case = `case`
        self.reason = reason
        self.changes = changes
    }
}

/// `GET /v1/moderation/audit`: the latest first.
public struct AuditQuery: Codable, Hashable, Sendable {
    /// What concerned this person alone.
    public var person: PersonID?
    public var limit: Int?
    public var cursor: String?

    public init(person: PersonID? = nil, limit: Int? = nil, cursor: String? = nil) {
        self.person = person
        self.limit = limit
        self.cursor = cursor
    }
}

extension AuthMethods {
    package static let cases = Method<CaseQuery, Nothing, Page<ModerationCase>>("auth.cases", .query)
    package static let caseFile = Method<CaseReference, Nothing, CaseFile>("auth.caseFile", .query)
    /// `GET /v1/moderation/cases/{id}/messages`: the message that is reported and a few around it, while the case is open. Each look is in the
    /// audit log before anything is answered.
    package static let reportedMessages = Method<CaseReference, Nothing, ReportedMessages>(
        "auth.reportedMessages", .query)
    package static let act = Method<CaseReference, ActDraft, ModerationCase>("auth.act", .command)
    package static let audit = Method<AuditQuery, Nothing, Page<AuditEntry>>("auth.audit", .query)
}
