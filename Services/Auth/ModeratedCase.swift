import FoundationEssentials
import PlainText
import WireProtocol

// What is true of a case, and of what moderators do about it. No I/O and no clock: the time is an argument.

/// All that people reported of one subject until it was decided. There is at most one open case of a subject.
struct ModeratedCase: Hashable, Sendable {
    struct Decision: Hashable, Sendable {
        let act: ModerationAct
        let by: PersonID
        let at: Date
    }

    let id: CaseID
    let subject: Subject
    /// Whose it is.
    let person: PersonID
    let title: String
    let openedAt: Date
    var reportedAt: Date
    var reports: Int
    var reasons: [ReportReason]
    /// What was done last.
    var decision: Decision?
    /// How often something was done.
    var version: Int

    init(
        id: CaseID, subject: Subject, person: PersonID, title: String, openedAt: Date, reportedAt: Date? = nil,
        reports: Int = 0, reasons: [ReportReason] = [], decision: Decision? = nil, version: Int = 0
    ) {
        self.id = id
        self.subject = subject
        self.person = person
        self.title = title
        self.openedAt = openedAt
        self.reportedAt = reportedAt ?? openedAt
        self.reports = reports
        self.reasons = reasons
        self.decision = decision
        self.version = version
    }

    var state: CaseState { decision == nil ? .open : .decided }
}

/// How things stand with a case's subject and with whose it is.
struct CaseStanding: Hashable, Sendable {
    /// Where the subject is hidden.
    var hiding: Hiding?
    /// Where the person is suspended.
    var suspension: Suspension?
}

/// What an act comes to.
struct ActDecision: Hashable, Sendable {
    enum Effect: Hashable, Sendable {
        case none
        case hide(Hiding)
        case restore
        case suspend(Suspension)
        case reinstate
    }

    var decided: ModeratedCase
    var effect: Effect
    var entry: AuditRecord
    /// What the person is told; nil where nothing was done to them.
    var notice: KeptNotice?
}

/// One line of the audit log, as it is kept: people by their ids.
struct AuditRecord: Hashable, Sendable {
    let id: ID<AuditEntry>
    let at: Date
    /// Nil where the operator did it.
    let by: PersonID?
    let act: AuditedAct
    let person: PersonID
    var subject: Subject?
    var caseID: CaseID?
    var reason: String?
    var before: [String: String] = [:]
    var after: [String: String] = [:]

    var changes: [AuditChange] {
        Set(before.keys).union(after.keys).sorted().map { AuditChange(of: $0, from: before[$0], to: after[$0]) }
    }
}

/// Why an act may not be done.
enum ModerationError: Error, Hashable, Sendable {
    case notModerator
    case unknownCase
    /// It is about the moderator, or about what is theirs.
    case aboutYou
    /// Somebody has done something since the moderator looked.
    case outdated
    /// There is nothing to hide, or nothing that is hidden.
    case notPossible
}

extension ModeratedCase {
    /// What a moderator may do now.
    func possible(for moderator: PersonID, _ standing: CaseStanding) -> [ModerationAct] {
        guard person != moderator else { return [] }
        return ModerationAct.allCases.filter { act in
            switch act {
            case .dismiss: state == .open
            case .hide: subject.kind.canBeHidden && standing.hiding == nil
            case .restore: standing.hiding != nil
            case .warn: true
            case .suspend: standing.suspension == nil
            case .reinstate: standing.suspension != nil
            }
        }
    }

    /// - Parameter draft: As it was checked.
    func act(_ draft: ActDraft, by moderator: PersonID, finding standing: CaseStanding, at now: Date)
        throws(ModerationError) -> ActDecision
    {
        guard person != moderator else { throw .aboutYou }
        guard draft.version == version else { throw .outdated }
        guard possible(for: moderator, standing).contains(draft.act) else { throw .notPossible }
        var decided = self
        decided.version += 1
        decided.decision = Decision(act: draft.act, by: moderator, at: now)
        var entry = AuditRecord(
            id: .new(at: now), at: now, by: moderator, act: draft.act.audited, person: person, subject: subject,
            caseID: id, reason: draft.reason)
        if state == .open { (entry.before["case"], entry.after["case"]) = (state.rawValue, decided.state.rawValue) }
        let effect = effect(of: draft, finding: standing, on: &entry, at: now)
        return ActDecision(
            decided: decided, effect: effect, entry: entry, notice: notice(of: draft, effect, entry.id, at: now))
    }

    /// What the person is told. Why something was undone is for moderators.
    private func notice(
        of draft: ActDraft, _ effect: ActDecision.Effect, _ id: ID<AuditEntry>, at now: Date
    ) -> KeptNotice? {
        func notice(_ kind: NoticeKind, title: String? = nil, text: String? = nil, until: Date? = nil) -> KeptNotice {
            KeptNotice(NoticeID(id.uuid), kind, for: person, title: title, text: text, until: until, at: now)
        }
        // A review is called after its author, who knows their own name.
        let name = subject.isShared ? title : nil
        return switch draft.act {
        case .dismiss: nil
        case .hide: notice(.hidden, title: name, text: draft.reason)
        case .restore: notice(.restored, title: name)
        case .warn: notice(.warning, title: name, text: draft.reason)
        case .reinstate: notice(.reinstated)
        case .suspend:
            if case .suspend(let suspension) = effect {
                notice(.suspended, text: suspension.reason, until: suspension.until)
            } else {
                nil
            }
        }
    }

    private func effect(
        of draft: ActDraft, finding standing: CaseStanding, on entry: inout AuditRecord, at now: Date
    ) -> ActDecision.Effect {
        switch draft.act {
        case .dismiss, .warn: return .none
        case .hide:
            (entry.before["hidden"], entry.after["hidden"]) = ("false", "true")
            return .hide(Hiding(at: now, reason: draft.reason ?? ""))
        case .restore:
            (entry.before["hidden"], entry.after["hidden"]) = ("true", "false")
            return .restore
        case .suspend:
            let until = draft.days.map { now.addingTimeInterval(Double($0) * 86_400) }
            let suspension = Suspension(since: now, until: until, reason: draft.reason ?? "")
            entry.after["suspended"] = suspension.ending
            return .suspend(suspension)
        case .reinstate:
            entry.before["suspended"] = standing.suspension?.ending
            return .reinstate
        }
    }
}

extension SubjectKind {
    /// Whether others see it: a delivery is between two.
    fileprivate var canBeHidden: Bool { self != .person && self != .match }
}

extension Suspension {
    /// As the audit log says it.
    fileprivate var ending: String { until.map { WireJSON.text(of: $0) } ?? "for good" }
}

extension ModerationAct {
    var audited: AuditedAct {
        switch self {
        case .dismiss: .dismiss
        case .hide: .hide
        case .restore: .restore
        case .warn: .warn
        case .suspend: .suspend
        case .reinstate: .reinstate
        }
    }

    /// Whether it takes something from somebody, who is to be told why.
    var isGrave: Bool {
        switch self {
        case .dismiss, .restore, .reinstate: false
        case .hide, .warn, .suspend: true
        }
    }
}

extension ActDraft {
    static let longestReason = 1000

    /// As it will be kept.
    /// - Throws: `invalid` with an error for each field.
    func checked() throws(ServiceError) -> ActDraft {
        var (draft, errors) = (self, [FieldError]())
        draft.reason = reason?.nonEmpty
        if draft.reason != nil || act.isGrave {
            do throws(Objection) {
                draft.reason = try TextRule.lines(Self.longestReason).written(draft.reason ?? "", in: "reason")
            } catch { errors.append(error.error) }
        }
        if let days {
            if act != .suspend {
                errors.append(FieldError("days", "not_allowed", "Only a suspension has a time."))
            } else if !(1...Suspension.longestDays).contains(days) {
                errors.append(FieldError("days", "out_of_range", "From 1 to \(Suspension.longestDays)."))
            }
        }
        guard errors.isEmpty else { throw .invalid(errors) }
        return draft
    }
}

extension ModerationError: Refusal {
    var serviceError: ServiceError {
        switch self {
        case .notModerator: ServiceError(.forbidden, "Only moderators may do that.")
        case .unknownCase: .notFound("case")
        case .aboutYou: ServiceError(.forbidden, "This is about you: another moderator has to decide it.")
        case .outdated: ServiceError(.alreadyDecided, "Somebody has decided this meanwhile. Look again.")
        case .notPossible: ServiceError(.wrongState, "That is not possible as things stand.")
        }
    }
}
