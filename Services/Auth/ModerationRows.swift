import FoundationEssentials
import Postgres
import WireProtocol

// Rows of `cases`, `reports` and `audit_log`.

extension ModeratedCase {
    static let columns: SQLQuery = """
        id, kind, subject, person, title, reports, opened_at, reported_at, version, decision, decided_by, decided_at,
        ARRAY(SELECT reason FROM reports WHERE case_id = cases.id GROUP BY reason ORDER BY min(reported_at), reason) AS reasons
        """

    init(_ row: PostgresRow) throws {
        let act: String? = try row.get("decision")
        var decision: Decision?
        if let act {
            decision = Decision(
                act: try stored(act), by: PersonID(try row.get("decided_by")), at: try row.get("decided_at"))
        }
        self.init(
            id: CaseID(try row.get("id")),
            subject: Subject(kind: try stored(row.get("kind")), id: ID(try row.get("subject"))),
            person: PersonID(try row.get("person")), title: try row.get("title"), openedAt: try row.get("opened_at"),
            reportedAt: try row.get("reported_at"), reports: try row.get("reports"),
            reasons: try row.get("reasons", as: [String].self).map { try stored($0) }, decision: decision,
            version: try row.get("version"))
    }
}

extension Report {
    init(_ row: PostgresRow) throws {
        self.init(
            id: ReportID(try row.get("id")),
            subject: Subject(kind: try stored(row.get("kind")), id: ID(try row.get("subject"))),
            reason: try stored(row.get("reason")), text: try row.get("text"), reportedAt: try row.get("reported_at"))
    }
}

extension FiledReport {
    init(_ row: PostgresRow) throws {
        self.init(
            id: ReportID(try row.get("id")), caseID: CaseID(try row.get("case_id")),
            reporter: try row.get("reporter", as: UUID?.self).map { PersonID($0) },
            reason: try stored(row.get("reason")), text: try row.get("text"), at: try row.get("reported_at"),
            snapshot: SubjectSnapshot(
                owner: PersonID(try row.get("owner")), title: try row.get("title"), text: try row.get("said"),
                photo: try row.get("photo"), rating: try row.get("rating")))
    }
}

extension AuditRecord {
    init(_ row: PostgresRow) throws {
        func values(_ column: String) throws -> [String: String] {
            try WireJSON.decode(from: Array(try row.get(column, as: String.self).utf8))
        }
        let kind: String? = try row.get("kind")
        self.init(
            id: ID(try row.get("id")), at: try row.get("at"),
            by: try row.get("actor", as: UUID?.self).map { PersonID($0) }, act: try stored(row.get("act")),
            person: PersonID(try row.get("person")),
            subject: try kind.map { Subject(kind: try stored($0), id: ID(try row.get("subject"))) },
            caseID: try row.get("case_id", as: UUID?.self).map { CaseID($0) }, reason: try row.get("reason"),
            before: try values("before"), after: try values("after"))
    }
}

/// Reads what a column holds.
private func stored<Value: RawRepresentable<String>>(_ text: String) throws -> Value {
    guard let value = Value(rawValue: text) else {
        throw PostgresError(.unexpectedValue, debugDetail: "\(text) is no \(Value.self)")
    }
    return value
}
