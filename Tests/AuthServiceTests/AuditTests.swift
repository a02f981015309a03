import DurableMessaging
import Foundation
import Postgres
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// Queues and the audit log: their order, and what the database keeps to by itself.
@Suite struct AuditTests {
    @Test func queues_and_the_log_are_paged_in_their_order() async throws {
        try await ModerationVillage.run { village in
            let people = try await village.auth.newcomers(9)
            let mod = try await village.moderators(1)[0]
            for (number, person) in people[1...].enumerated() {
                // Some of one moment.
                if number % 3 == 0 { village.auth.clock.advance(by: .seconds(2)) }
                try await village.report(village.post(of: people[0], "\(number)"), by: person)
            }
            let open = try await village.cases(by: mod, limit: 100)
            #expect(open.count == 8 && open.map(\.openedAt) == open.map(\.openedAt).sorted())
            for limit in [1, 3, 8] { #expect(try await village.cases(by: mod, limit: limit) == open) }
            for (number, one) in open.enumerated() {
                if number % 3 == 0 { village.auth.clock.advance(by: .seconds(2)) }
                try await village.act(.dismiss, on: one.id, by: mod, reason: nil)
            }
            let decided = try await village.cases(.decided, by: mod, limit: 100)
            #expect(decided.compactMap(\.decision?.at) == decided.compactMap(\.decision?.at).sorted(by: >))
            let log = try await village.audit(by: mod, limit: 100)
            #expect(log.count == 9 && log.map(\.at) == log.map(\.at).sorted(by: >))
            for limit in [1, 3, 8] {
                #expect(try await village.cases(.decided, by: mod, limit: limit) == decided)
                #expect(try await village.audit(by: mod, limit: limit) == log)
                #expect(try await village.audit(of: mod, by: mod, limit: limit).map(\.act) == [.grantModerator])
            }
            for (method, cursor) in [("cases", "x"), ("audit", "x")] {
                let bad = try await refusal {
                    if method == "cases" {
                        _ = try await village.auth.call(
                            AuthMethods.cases, CaseQuery(cursor: cursor), Nothing(), as: Caller(person: mod))
                    } else {
                        _ = try await village.auth.call(
                            AuthMethods.audit, AuditQuery(cursor: cursor), Nothing(), as: Caller(person: mod))
                    }
                }
                #expect(bad?.code == .invalid)
            }
        }
    }

    /// Not by the service's own role either.
    @Test func the_database_lets_nobody_change_the_log_and_keeps_one_open_case() async throws {
        try await ModerationVillage.run { village in
            let people = try await village.auth.newcomers(2)
            let mod = try await village.moderators(1)[0]
            func fails(_ query: SQLQuery) async -> PostgresError? {
                do {
                    _ = try await village.auth.database.query(query)
                    return nil
                } catch { return error as? PostgresError }
            }
            for change: SQLQuery in [
                "UPDATE audit_log SET reason = 'other'", "DELETE FROM audit_log", "TRUNCATE audit_log",
                "DELETE FROM audit_log WHERE false",
            ] { #expect(await fails(change)?.sqlState == "42501") }
            #expect(try await village.audit(by: mod).map(\.act) == [.grantModerator])
            let post = village.post(of: people[0])
            try await village.report(post, by: people[1])
            let twin = await fails(
                """
                INSERT INTO cases (id, kind, subject, person, title, reports, opened_at, reported_at)
                SELECT gen_random_uuid(), kind, subject, person, title, reports, opened_at, reported_at FROM cases
                """)
            #expect(twin?.constraint == "cases_open_of_subject")
            let again = await fails(
                """
                INSERT INTO reports (id, case_id, reporter, reason, reported_at, owner, title)
                SELECT gen_random_uuid(), case_id, reporter, reason, reported_at, owner, title FROM reports
                """)
            #expect(again?.constraint == "reports_once")
            // An account that goes takes its cases along, and leaves the log, and what it reported without its name.
            try await village.act(.dismiss, on: try #require(try await village.cases(by: mod).first?.id), by: mod)
            _ = try await village.auth.database.query("DELETE FROM accounts WHERE id = \(people[1].uuid)")
            let file = try await village.file(
                try #require(try await village.cases(.decided, by: mod).first?.id), by: mod)
            #expect(file.reports.map(\.by) == [nil])
            _ = try await village.auth.database.query("DELETE FROM accounts WHERE id = \(people[0].uuid)")
            #expect(try await village.cases(.decided, by: mod).isEmpty)
            #expect(try await village.audit(of: people[0], by: mod).map(\.person.name) == ["Someone"])
        }
    }

    /// What grows is read by an index in the order in which it is shown, however much there is.
    @Test func queues_the_log_and_notices_are_read_from_their_indexes() async throws {
        try await ModerationVillage.run { village in
            let people = try await village.auth.newcomers(40)
            let mod = try await village.moderators(1)[0]
            _ = try await village.auth.database.query(
                """
                INSERT INTO cases (id, kind, subject, person, title, reports, opened_at, reported_at, version, decision,
                    decided_by, decided_at)
                SELECT gen_random_uuid(), 'post', gen_random_uuid(), (\(people.map(\.uuid))::uuid[])[1 + n % 40], 'x', 1, now(), now(),
                    n % 2, CASE WHEN n % 2 = 1 THEN 'dismiss' END, CASE WHEN n % 2 = 1 THEN \(mod.uuid)::uuid END,
                    CASE WHEN n % 2 = 1 THEN now() - n * interval '1 minute' END
                FROM generate_series(1, 8000) n
                """)
            _ = try await village.auth.database.query(
                """
                INSERT INTO reports (id, case_id, reporter, reason, reported_at, owner, title)
                SELECT gen_random_uuid(), id, \(people[0].uuid), 'spam', opened_at, person, title FROM cases
                """)
            _ = try await village.auth.database.query(
                """
                INSERT INTO audit_log (id, at, actor, act, person, before, after)
                SELECT gen_random_uuid(), opened_at - interval '1 hour', decided_by, 'dismiss', person, '{}', '{}' FROM cases
                """)
            _ = try await village.auth.database.query(
                """
                INSERT INTO notices (id, person, kind, at, read_at)
                SELECT gen_random_uuid(), person, 'warning', opened_at, opened_at FROM cases
                """)
            for table in ["cases", "reports", "audit_log", "notices"] {
                _ = try await village.auth.database.query("ANALYZE \(unescaped: table)")
            }
            // As `observe` gives them to whoever counts: the very statements that are run.
            let plans = PlannedStatements(database: village.auth.database)
            let caseStore = PostgresCaseStore(statements: plans)
            let (moment, audit) = (MomentCursor(Date(), UUID()), PostgresAuditStore(statements: plans))
            for after in [nil, moment] {
                _ = try await caseStore.cases(.open, after: after, limit: 20)
                #expect(plans.take().contains("cases_open"))
                _ = try await caseStore.cases(.decided, after: after, limit: 20)
                #expect(plans.take().contains("cases_decided"))
                _ = try await audit.records(of: nil, after: after, limit: 20)
                #expect(plans.take().contains("audit_log_in_time"))
                _ = try await audit.records(of: people[0], after: after, limit: 20)
                #expect(plans.take().contains("audit_log_of_person"))
            }
            _ = try await PostgresNoticeStore(statements: plans).unread(by: people[0], atMost: 20)
            #expect(plans.take().contains("notices_unread"))
            let reports = PostgresReportStore(statements: plans)
            _ = try await reports.openCase(of: Subject(kind: .spot, id: .new()), for: people[0])
            #expect(plans.take().contains("cases_open_of_subject"))
            _ = try await reports.reports(of: .new(), atMost: 100)
            #expect(plans.take().contains("reports_of_case"))
        }
    }
}

/// Runs statements, and remembers how PostgreSQL planned them: none may read a table from one end to the other.
private final class PlannedStatements: Statements {
    private let database: Database
    private let plans = Mutex<[String]>([])

    init(database: Database) { self.database = database }

    func query(_ query: SQLQuery) async throws -> PostgresRows {
        if query.text.hasPrefix("SELECT") {
            let rows = try await database.query("EXPLAIN " + query)
            let plan = try rows.map { try $0.get("QUERY PLAN", as: String.self) }.joined(separator: "\n")
            plans.withLock { $0.append(plan) }
        }
        return try await database.query(query)
    }

    /// What was planned since the last time; empty where a table was read whole, or sorted.
    func take() -> String {
        let all = plans.withLock { plans in
            defer { plans = [] }
            return plans.joined(separator: "\n")
        }
        #expect(!all.contains("Seq Scan"), "\(all)")
        return all
    }
}
