import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// What was there when a search began: its person is not told of it.

extension WantedTransaction {
    /// So much is kept: twice as much as there is once.
    private static let mostThere = 2 * SearchLook.most

    /// A search that is kept begins.
    func begin(_ search: WantedSearch, _ prepared: PreparedSearch) async throws {
        let (id, begun) = (search.id, begun)
        if let heard = prepared.heard { transaction.whenCommitted { begun.note(id, heard: heard) } }
        try await keepWhatWasThere(prepared.fitting, for: id)
        if search.isVisible { try await showWhatWasThere(for: id) }
    }

    /// As one list of each kind: nobody asks for one of them by itself. What was there before anybody looked for anything gets known.
    func keepWhatWasThere(_ subjects: [Subject], for id: WantedID) async throws {
        let kinds = Dictionary(grouping: subjects, by: \.kind).sorted { $0.key.rawValue < $1.key.rawValue }
        try await transaction.pipeline(
            kinds.flatMap { kind, subjects -> [SQLQuery] in
                let ids = subjects.map(\.id)
                return [list(ids, of: kind, for: id), getToKnow(ids, of: kind)]
            })
    }

    /// Where it began before, what was there then is kept behind it, as far as there is room.
    private func list(_ ids: [ID<Subject>], of kind: SubjectKind, for id: WantedID) -> SQLQuery {
        """
        INSERT INTO wanted_there (wanted, kind, subjects, at) VALUES (\(id), \(kind.rawValue), \(ids), \(now))
        ON CONFLICT (wanted, kind) DO UPDATE
        SET at = excluded.at, subjects = (excluded.subjects || ARRAY(
            SELECT unnest(wanted_there.subjects) EXCEPT SELECT unnest(excluded.subjects)
            ))[1:\(unescaped: "\(Self.mostThere)")]
        """
    }

    /// What nobody has named is looked at, which says that it is known. So whatever is in a list is known, or is to be looked at again: `WantedCandidates`
    /// looks into none where it is neither.
    private func getToKnow(_ ids: [ID<Subject>], of kind: SubjectKind) -> SQLQuery {
        """
        INSERT INTO looks (kind, subject, at, due_at, is_again)
        SELECT \(kind.rawValue)::text, there.subject, \(now), \(now), true FROM unnest(\(ids)) AS there (subject)
        WHERE NOT EXISTS (
            SELECT FROM searchables
            WHERE searchables.kind = \(kind.rawValue) AND searchables.subject = there.subject)
            AND NOT EXISTS (
                SELECT FROM looks
                WHERE looks.kind = \(kind.rawValue) AND looks.subject = there.subject AND looks.is_again)
        """
    }

    /// Others see the search: drivers ask for it by their ride, so that each of these is a row.
    func showWhatWasThere(for id: WantedID) async throws {
        try await transaction.query(
            """
            WITH listed AS (DELETE FROM wanted_there WHERE wanted = \(id) RETURNING kind, subjects, at)
            INSERT INTO finds (wanted, kind, subject, found_at, is_new)
            SELECT \(id), listed.kind, there.subject, listed.at, false
            FROM listed CROSS JOIN unnest(listed.subjects) AS there (subject)
            ON CONFLICT DO NOTHING
            """)
    }

    /// It looks for something else now.
    func forgetWhatWasThere(for id: WantedID) async throws {
        try await transaction.pipeline([
            "DELETE FROM finds WHERE wanted = \(id) AND NOT is_new", "DELETE FROM wanted_there WHERE wanted = \(id)",
        ])
    }
}
