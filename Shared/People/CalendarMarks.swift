package import DurableMessaging
package import FoundationEssentials
package import Postgres
package import WireProtocol

/// How often what somebody reads of an entry of their calendar has changed since they first read it, and when it last did. Calendar programs go by
/// that. Whatever they read counts: a name, a door, a time.
///
/// Kept in the service's table `calendar_entries`: `person`, the entry's id, `content`, `sequence`, `changed_at`.
package struct CalendarMarks: Sendable {
    private let database: Database
    private let entry: SQLQuery
    private let condition: SQLQuery

    /// - Parameters:
    ///   - entry: the column that has the entry's id.
    ///   - condition: of `said.entry`: which entries may be kept.
    package init(in database: Database, entry: SQLQuery, where condition: SQLQuery = "true") {
        (self.database, self.entry, self.condition) = (database, entry, condition)
    }

    /// The entries, each with its number and the moment of its last change.
    package func numbered(
        _ entries: [CalendarEntry], for person: PersonID, at now: Date
    ) async throws -> [CalendarEntry] {
        if entries.isEmpty { return [] }
        var kept = try await marks(of: entries, for: person)
        if entries.contains(where: { kept[$0.id]?.content != $0.content }) {
            try await keep(entries, for: person, at: now)
            kept = try await marks(of: entries, for: person)
        }
        return entries.map { entry in
            var entry = entry
            if let mark = kept[entry.id] { (entry.changedAt, entry.sequence) = (mark.changedAt, mark.sequence) }
            return entry
        }
    }

    /// What was last read of an entry.
    private struct Mark {
        var content: String
        var sequence: Int
        var changedAt: Date
    }

    private func marks(of entries: [CalendarEntry], for person: PersonID) async throws -> [ID<CalendarEntry>: Mark] {
        let rows = try await database.read(
            """
            SELECT \(entry) AS entry, content, sequence, changed_at FROM calendar_entries
            WHERE person = \(person) AND \(entry) = ANY(\(entries.map(\.id)))
            """)
        var marks: [ID<CalendarEntry>: Mark] = [:]
        for row in rows {
            marks[try row.get("entry")] = Mark(
                content: try row.get("content"), sequence: try row.get("sequence"), changedAt: try row.get("changed_at")
            )
        }
        return marks
    }

    /// In the order of ids: two programs may read at once.
    private func keep(_ entries: [CalendarEntry], for person: PersonID, at now: Date) async throws {
        let (ids, contents, times) = (entries.map(\.id), entries.map(\.content), entries.map(\.changedAt))
        _ = try await database.query(
            """
            INSERT INTO calendar_entries AS kept (person, \(entry), content, changed_at)
            SELECT \(person), said.entry, said.content, said.changed_at
            FROM unnest(\(ids)::uuid[], \(contents)::text[], \(times)::timestamptz[]) AS said (entry, content, changed_at)
            WHERE \(condition) ORDER BY said.entry
            ON CONFLICT (person, \(entry)) DO UPDATE
            SET content = excluded.content, sequence = kept.sequence + 1, changed_at = greatest(kept.changed_at, \(now))
            WHERE kept.content <> excluded.content
            """)
    }
}

extension CalendarEntry {
    /// Names what somebody reads of it, without when it changed.
    fileprivate var content: String {
        var read = self
        (read.changedAt, read.sequence) = (Date(timeIntervalSince1970: 0), nil)
        read.with = with.map { PersonSummary(id: $0.id, name: $0.name) }
        return ContentVersion.of(read) ?? ""
    }
}
