import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

struct PostgresReportStore: ReportStore {
    let statements: any Statements

    func tally(by reporter: PersonID, since: Date) async throws -> ReportTally {
        let row = try await statements.query(
            """
            SELECT count(*) AS count, min(reported_at) AS oldest FROM reports
            WHERE reporter = \(reporter.uuid) AND reported_at > \(since)
            """)[0]
        return ReportTally(count: try row.get("count"), oldest: try row.get("oldest"))
    }

    func openCase(of subject: Subject, for reporter: PersonID) async throws
        -> (case: ModeratedCase, isTold: Bool)?
    {
        // Two statements: the snapshot of the second is younger than the lock.
        try await statements.query(.lock("subject", "\(subject.kind.rawValue)/\(subject.id)"))
        return try await statements.query(
            """
            SELECT \(ModeratedCase.columns),
                EXISTS (SELECT FROM reports WHERE case_id = cases.id AND reporter = \(reporter.uuid)) AS is_told
            FROM cases
            WHERE kind = ANY(\(subject.keptKinds)) AND subject = \(subject.id.uuid) AND decided_at IS NULL
            FOR NO KEY UPDATE
            """
        ).first.map { (try ModeratedCase($0), try $0.get("is_told")) }
    }

    func add(_ report: FiledReport, to belongs: ModeratedCase) async throws {
        try await statements.query(
            """
            INSERT INTO cases (id, kind, subject, person, title, reports, opened_at, reported_at)
            VALUES (\(belongs.id.uuid), \(belongs.subject.kind.rawValue), \(belongs.subject.id.uuid), \(belongs.person.uuid),
                \(belongs.title), \(belongs.reports), \(belongs.openedAt), \(belongs.reportedAt))
            ON CONFLICT (id) DO UPDATE SET reports = excluded.reports, reported_at = excluded.reported_at
            """)
        let was = report.snapshot
        try await statements.query(
            """
            INSERT INTO reports (id, case_id, reporter, reason, text, reported_at, owner, title, said, photo, rating)
            VALUES (\(report.id.uuid), \(report.caseID.uuid), \(report.reporter?.uuid), \(report.reason.rawValue),
                \(report.text), \(report.at), \(was.owner.uuid), \(was.title), \(was.text), \(was.photo), \(was.rating))
            """)
    }

    func reports(of id: CaseID, atMost limit: Int) async throws -> [FiledReport] {
        try await statements.query(
            """
            SELECT id, case_id, reporter, reason, text, reported_at, owner, title, said, photo, rating FROM reports
            WHERE case_id = \(id.uuid) ORDER BY reported_at DESC, id DESC LIMIT \(unescaped: "\(limit)")
            """
        ).map(FiledReport.init)
    }

    func reports(by reporter: PersonID, after: MomentCursor?, limit: Int) async throws -> [Report] {
        let earlier: SQLQuery = after.map { "AND (reports.reported_at, reports.id) < (\($0.time), \($0.id))" } ?? ""
        return try await statements.query(
            """
            SELECT reports.id, kind, subject, reason, text, reports.reported_at
            FROM reports JOIN cases ON cases.id = case_id
            WHERE reporter = \(reporter.uuid) \(earlier)
            ORDER BY reports.reported_at DESC, reports.id DESC LIMIT \(unescaped: "\(limit + 1)")
            """
        ).map(Report.init)
    }
}

struct PostgresCaseStore: CaseStore {
    let statements: any Statements

    func find(_ id: CaseID, locked: Bool) async throws -> ModeratedCase? {
        let lock: SQLQuery = locked ? "FOR NO KEY UPDATE" : ""
        return try await statements.query(
            "SELECT \(ModeratedCase.columns) FROM cases WHERE id = \(id.uuid) \(lock)"
        ).first.map(ModeratedCase.init)
    }

    func cases(_ state: CaseState, after: MomentCursor?, limit: Int) async throws -> [ModeratedCase] {
        let later: SQLQuery = after.map { "AND (opened_at, id) > (\($0.time), \($0.id))" } ?? ""
        let earlier: SQLQuery = after.map { "AND (decided_at, id) < (\($0.time), \($0.id))" } ?? ""
        let page: SQLQuery =
            switch state {
            case .open: "decided_at IS NULL \(later) ORDER BY opened_at, id"
            case .decided: "decided_at IS NOT NULL \(earlier) ORDER BY decided_at DESC, id DESC"
            }
        return try await statements.query(
            "SELECT \(ModeratedCase.columns) FROM cases WHERE \(page) LIMIT \(unescaped: "\(limit + 1)")"
        ).map(ModeratedCase.init)
    }

    func save(_ decided: ModeratedCase) async throws {
        try await statements.query(
            """
            UPDATE cases SET version = \(decided.version), decision = \(decided.decision?.act.rawValue),
                decided_by = \(decided.decision?.by.uuid), decided_at = \(decided.decision?.at)
            WHERE id = \(decided.id.uuid)
            """)
    }

    func hiding(of subject: Subject) async throws -> Hiding? {
        try await statements.query(
            """
            SELECT hidden_at, reason FROM hidden_subjects
            WHERE kind = ANY(\(subject.keptKinds)) AND subject = \(subject.id.uuid)
            """
        ).first.map { Hiding(at: try $0.get("hidden_at"), reason: try $0.get("reason")) }
    }

    func set(_ hiding: Hiding?, of subject: Subject) async throws {
        if let hiding {
            try await statements.query(
                """
                INSERT INTO hidden_subjects (kind, subject, hidden_at, reason)
                VALUES (\(subject.kind.rawValue), \(subject.id.uuid), \(hiding.at), \(hiding.reason))
                """)
        } else {
            try await statements.query(
                "DELETE FROM hidden_subjects WHERE kind = ANY(\(subject.keptKinds)) AND subject = \(subject.id.uuid)")
        }
    }
}

struct PostgresAuditStore: AuditStore {
    let statements: any Statements

    func add(_ record: AuditRecord) async throws {
        let (before, after) = (try Self.json(record.before), try Self.json(record.after))
        try await statements.query(
            """
            INSERT INTO audit_log (id, at, actor, act, person, kind, subject, case_id, reason, before, after)
            VALUES (\(record.id.uuid), \(record.at), \(record.by?.uuid), \(record.act.rawValue), \(record.person.uuid),
                \(record.subject?.kind.rawValue), \(record.subject?.id.uuid), \(record.caseID?.uuid), \(record.reason),
                \(before)::jsonb, \(after)::jsonb)
            """)
    }

    func records(of person: PersonID?, after: MomentCursor?, limit: Int) async throws -> [AuditRecord] {
        let whose: SQLQuery = person.map { "person = \($0.uuid)" } ?? "true"
        let earlier: SQLQuery = after.map { "AND (at, id) < (\($0.time), \($0.id))" } ?? ""
        return try await statements.query(
            """
            SELECT id, at, actor, act, person, kind, subject, case_id, reason, before::text AS before, after::text AS after
            FROM audit_log WHERE \(whose) \(earlier)
            ORDER BY at DESC, id DESC LIMIT \(unescaped: "\(limit + 1)")
            """
        ).map(AuditRecord.init)
    }

    private static func json(_ values: [String: String]) throws -> String {
        String(decoding: try WireJSON.encode(values), as: UTF8.self)
    }
}

struct PostgresRoleStore: RoleStore {
    let statements: any Statements
    let fields: FieldSeal

    func holds(_ role: PersonRole, _ person: PersonID, at now: Date) async throws -> Bool {
        try await !statements.query(
            """
            SELECT FROM accounts WHERE id = \(person.uuid) AND \(role.rawValue) = ANY(roles)
                AND (suspended_until IS NULL OR suspended_until <= \(now))
            """
        ).isEmpty
    }

    func holders(of role: PersonRole) async throws -> [Account] {
        try await statements.query(
            """
            SELECT \(PostgresAccountStore.columns) FROM accounts
            WHERE roles <> '{}' AND \(role.rawValue) = ANY(roles) ORDER BY joined_at, id
            """
        ).map { try Account($0, fields) }
    }

    func accounts(emailDigest: [UInt8]?, username: String?) async throws -> [Account] {
        try await statements.query(
            """
            SELECT \(PostgresAccountStore.columns) FROM accounts
            WHERE email_digest = \(emailDigest) OR username = \(username)
            ORDER BY email_verified_at IS NULL AND roles = '{}', joined_at, id LIMIT 100
            """
        ).map { try Account($0, fields) }
    }

    func setRoles(_ roles: Set<PersonRole>, of person: PersonID) async throws {
        try await statements.query(
            "UPDATE accounts SET roles = \(roles.map(\.rawValue).sorted()) WHERE id = \(person.uuid)")
    }
}
