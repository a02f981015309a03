import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

struct PostgresDataExportStore: DataExportStore {
    let statements: any Statements
    let fields: FieldSeal

    func export(of person: PersonID, locked: Bool) async throws -> DataExport? {
        if locked { try await statements.query(.lock("person", person)) }
        let rows = try await statements.query(
            """
            SELECT id, requested_at, ready_at, expires_at, service, records, done_at
            FROM exports JOIN export_parts ON export = id WHERE person = \(person.uuid) ORDER BY service
            """)
        guard let first = rows.first else { return nil }
        return DataExport(
            id: try first.get("id"), requestedAt: try first.get("requested_at"), readyAt: try first.get("ready_at"),
            expiresAt: try first.get("expires_at"),
            parts: try rows.map {
                DataExportPart(
                    service: try $0.get("service"), records: try $0.get("records"), doneAt: try $0.get("done_at"))
            })
    }

    func put(_ export: DataExport, of person: PersonID) async throws {
        try await statements.query("DELETE FROM exports WHERE person = \(person.uuid)")
        try await statements.query(
            "INSERT INTO exports (id, person, requested_at) VALUES (\(export.id), \(person.uuid), \(export.requestedAt))"
        )
        for part in export.parts {
            try await statements.query(
                """
                INSERT INTO export_parts (export, service, due_at)
                VALUES (\(export.id), \(part.service), \(export.requestedAt))
                """)
        }
    }

    // MARK: Gathering

    func claim(atMost count: Int, now: Date, lease: Date) async throws -> [DueExportPart] {
        try await statements.query(
            """
            UPDATE export_parts SET due_at = \(lease), attempts = attempts + 1
            FROM exports
            WHERE exports.id = export AND (export, service) IN (
                SELECT export, service FROM export_parts WHERE done_at IS NULL AND due_at <= \(now)
                ORDER BY due_at LIMIT \(count) FOR UPDATE SKIP LOCKED)
            RETURNING export, person, service, pages, cursor, attempts
            """
        ).map { row in
            DueExportPart(
                export: try row.get("export"), person: try row.get("person"), service: try row.get("service"),
                pages: try row.get("pages"), cursor: try row.get("cursor"), attempts: try row.get("attempts"))
        }
    }

    func keep(_ page: Page<PersonalRecord>, of part: DueExportPart, now: Date, expiresAt: Date) async throws {
        let isDone = page.next == nil
        // Of two parts that end at the same moment, the later one sees that the other did: else neither would be the last.
        try await statements.query("SELECT FROM exports WHERE id = \(part.export) FOR NO KEY UPDATE")
        let isFirst =
            try await statements.query(
                """
                UPDATE export_parts
                SET pages = pages + 1, records = records + \(page.items.count), cursor = \(page.next), attempts = 0,
                    due_at = \(now), done_at = \(isDone ? now : nil)
                WHERE export = \(part.export) AND service = \(part.service) AND pages = \(part.pages) AND done_at IS NULL
                """
            ).affected == 1
        guard isFirst else { return }
        let text = String(decoding: try WireJSON.encode(page.items), as: UTF8.self)
        let sealed = try fields.seal(text, field: Self.field(part.service, part.pages), of: part.export.uuid)
        try await statements.query(
            """
            INSERT INTO export_pages (export, service, number, sealed)
            VALUES (\(part.export), \(part.service), \(part.pages), \(sealed))
            """)
        guard isDone else { return }
        try await statements.query(
            """
            UPDATE exports SET ready_at = \(now), expires_at = \(expiresAt)
            WHERE id = \(part.export) AND ready_at IS NULL
                AND NOT EXISTS (SELECT FROM export_parts WHERE export = exports.id AND done_at IS NULL)
            """)
    }

    func postpone(_ part: DueExportPart, to date: Date) async throws {
        try await statements.query(
            """
            UPDATE export_parts SET due_at = \(date)
            WHERE export = \(part.export) AND service = \(part.service) AND pages = \(part.pages) AND done_at IS NULL
            """)
    }

    // MARK: Reading

    func page(_ number: Int, of person: PersonID) async throws -> DataExportPage? {
        // One more tells whether it is the last.
        let rows = try await statements.query(
            """
            SELECT id, service, number, sealed FROM exports JOIN export_pages ON export = id
            WHERE person = \(person.uuid) AND ready_at IS NOT NULL
            ORDER BY service, number LIMIT 2 OFFSET \(number)
            """)
        guard let row = rows.first else { return nil }
        let (service, own): (String, Int) = (try row.get("service"), try row.get("number"))
        let text = try fields.open(row.get("sealed"), field: Self.field(service, own), of: row.get("id", as: UUID.self))
        return DataExportPage(
            service: service, records: try WireJSON.decode(from: Array(text.utf8)),
            next: rows.count > 1 ? number + 1 : nil)
    }

    func prune(now: Date, requestedBefore date: Date) async throws {
        try await statements.query("DELETE FROM exports WHERE expires_at <= \(now)")
        try await statements.query("DELETE FROM exports WHERE ready_at IS NULL AND requested_at < \(date)")
    }

    private static func field(_ service: String, _ number: Int) -> String { "export_pages.sealed/\(service)/\(number)" }
}
