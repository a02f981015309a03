import FoundationEssentials
import Postgres
import WireProtocol

// For good is `infinity` in the database, so that what has ended is one comparison.

struct PostgresSuspensionStore: SuspensionStore {
    let statements: any Statements

    func suspensionAwaited(of person: PersonID) async throws -> Suspension? {
        try await find(person, "FOR SHARE")
    }

    func suspension(of person: PersonID) async throws -> Suspension? { try await find(person, "") }

    private func find(_ person: PersonID, _ lock: SQLQuery) async throws -> Suspension? {
        try await statements.query(
            """
            SELECT suspended_at, nullif(suspended_until, 'infinity') AS suspended_until, suspension_reason
            FROM accounts WHERE id = \(person.uuid) \(lock)
            """
        ).first.flatMap(Suspension.init)
    }

    func set(_ suspension: Suspension?, of person: PersonID) async throws {
        let isForGood = suspension.map { $0.until == nil } ?? false
        let until: SQLQuery = isForGood ? "'infinity'" : "\(suspension?.until)"
        try await statements.query(
            """
            UPDATE accounts SET suspended_at = \(suspension?.since), suspended_until = \(until),
                suspension_reason = \(suspension?.reason), version = version + 1
            WHERE id = \(person.uuid)
            """)
    }

    func suspended(after: PersonID?, at now: Date, limit: Int) async throws -> [SuspendedPerson] {
        let onwards: SQLQuery = after.map { "AND id > \($0.uuid)" } ?? ""
        return try await statements.query(
            """
            SELECT id, nullif(suspended_until, 'infinity') AS until FROM accounts
            WHERE suspended_until IS NOT NULL AND suspended_until > \(now) \(onwards)
            ORDER BY id LIMIT \(unescaped: "\(limit)")
            """
        ).map { SuspendedPerson(person: PersonID(try $0.get("id")), until: try $0.get("until")) }
    }
}

extension Suspension {
    /// Nil where there is none.
    init?(_ row: PostgresRow) throws {
        guard let since = try row.get("suspended_at", as: Date?.self) else { return nil }
        self.init(since: since, until: try row.get("suspended_until"), reason: try row.get("suspension_reason"))
    }
}

struct PostgresNoticeStore: NoticeStore {
    let statements: any Statements

    func add(_ kept: KeptNotice) async throws -> Bool {
        let notice = kept.notice
        return try await statements.query(
            """
            INSERT INTO notices (id, person, kind, title, text, until, at)
            SELECT \(notice.id.uuid), id, \(notice.kind.rawValue), \(notice.title), \(notice.text), \(notice.until), \(notice.at)
            FROM accounts WHERE id = \(kept.person.uuid)
            ON CONFLICT (id) DO NOTHING
            """
        ).affected == 1
    }

    func unread(by person: PersonID, atMost limit: Int) async throws -> [Notice] {
        try await statements.query(
            """
            SELECT id, kind, title, text, until, at FROM notices WHERE person = \(person.uuid) AND read_at IS NULL
            ORDER BY at DESC, id DESC LIMIT \(unescaped: "\(limit)")
            """
        ).map(Notice.init)
    }

    func notices(of person: PersonID, after: MomentCursor?, limit: Int) async throws -> [Notice] {
        let earlier: SQLQuery = after.map { "AND (at, id) < (\($0.time), \($0.id))" } ?? ""
        return try await statements.query(
            """
            SELECT id, kind, title, text, until, at FROM notices WHERE person = \(person.uuid) \(earlier)
            ORDER BY at DESC, id DESC LIMIT \(unescaped: "\(limit + 1)")
            """
        ).map(Notice.init)
    }

    func notice(_ id: NoticeID) async throws -> KeptNotice? {
        try await statements.query(
            "SELECT id, person, kind, title, text, until, at FROM notices WHERE id = \(id.uuid)"
        ).first.map { KeptNotice(notice: try Notice($0), person: PersonID(try $0.get("person"))) }
    }

    func read(_ id: NoticeID, by person: PersonID, at now: Date) async throws -> Bool {
        try await statements.query(
            """
            UPDATE notices SET read_at = coalesce(read_at, \(now)) WHERE id = \(id.uuid) AND person = \(person.uuid)
            """
        ).affected == 1
    }

    func language(of person: PersonID) async throws -> String? {
        try await statements.query(
            """
            SELECT language FROM languages WHERE person = \(person.uuid)
            """
        ).first.map { try $0.get("language") }
    }

    func languages(of people: [PersonID]) async throws -> [PersonID: String] {
        let rows = try await statements.query(
            "SELECT person, language FROM languages WHERE person = ANY(\(people.map(\.uuid)))")
        return Dictionary(
            uniqueKeysWithValues: try rows.map { (PersonID(try $0.get("person")), try $0.get("language")) })
    }

    func keep(language: String, of person: PersonID) async throws {
        try await statements.query(
            """
            INSERT INTO languages (person, language) VALUES (\(person.uuid), \(language))
            ON CONFLICT (person) DO UPDATE SET language = excluded.language
            """)
    }
}

extension Notice {
    fileprivate init(_ row: PostgresRow) throws {
        let name: String = try row.get("kind")
        guard let kind = NoticeKind(rawValue: name) else {
            throw PostgresError(.unexpectedValue, debugDetail: "\(name) is no kind of notice")
        }
        self.init(
            id: NoticeID(try row.get("id")), kind: kind, at: try row.get("at"), title: try row.get("title"),
            text: try row.get("text"), until: try row.get("until"))
    }
}
