import FoundationEssentials
import WireProtocol

// The ports for reports, cases and the audit log.

protocol ReportStore: Sendable {
    func tally(by reporter: PersonID, since: Date) async throws -> ReportTally
    /// The case of a subject that is not decided, and whether the person is among those who reported it; others who report the subject wait
    /// until the end of this transaction.
    func openCase(of subject: Subject, for reporter: PersonID) async throws
        -> (case: ModeratedCase, isTold: Bool)?
    /// Keeps a report, and the case that it opens or belongs to.
    func add(_ report: FiledReport, to belongs: ModeratedCase) async throws
    /// The latest first.
    func reports(of id: CaseID, atMost limit: Int) async throws -> [FiledReport]
    /// What somebody reported, as they were answered; the latest first, one more than `limit` where there are more.
    func reports(by reporter: PersonID, after: MomentCursor?, limit: Int) async throws -> [Report]
}

protocol CaseStore: Sendable {
    /// - Parameter locked: For a change: others wait until the end of this transaction.
    func find(_ id: CaseID, locked: Bool) async throws -> ModeratedCase?
    /// One more than `limit`, where there are more.
    func cases(_ state: CaseState, after: MomentCursor?, limit: Int) async throws -> [ModeratedCase]
    func save(_ decided: ModeratedCase) async throws
    func hiding(of subject: Subject) async throws -> Hiding?
    /// Nil lets it be seen again.
    func set(_ hiding: Hiding?, of subject: Subject) async throws
}

/// What was done, which nobody changes afterwards.
protocol AuditStore: Sendable {
    func add(_ record: AuditRecord) async throws
    /// The latest first. One more than `limit`, where there are more.
    func records(of person: PersonID?, after: MomentCursor?, limit: Int) async throws -> [AuditRecord]
}

/// Who may do more than others.
protocol RoleStore: Sendable {
    /// Nobody who is suspended does.
    func holds(_ role: PersonRole, _ person: PersonID, at now: Date) async throws -> Bool
    func holders(of role: PersonRole) async throws -> [Account]
    /// Those who have this address or this username: who has shown it and who has a role come first, since anybody may join with it.
    func accounts(emailDigest: [UInt8]?, username: String?) async throws -> [Account]
    func setRoles(_ roles: Set<PersonRole>, of person: PersonID) async throws
}
