import DurableMessaging
import Postgres
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Which subjects are to be asked about, and when they were.

extension PostgresRoomStore {
    /// Rooms of the same subject come one after another, and are asked about once: those that follow are noted with it.
    func subjects(askedBefore moment: Date, atMost limit: Int) async throws -> [DueSubject] {
        let rows = try await database.read(
            """
            SELECT subject_kind, subject_id, owner, title, photo FROM rooms
            WHERE state = 'open' AND owner IS NOT NULL AND owner <> \(PersonID.nobody)
                AND (asked_at IS NULL OR asked_at < \(moment))
            ORDER BY asked_at NULLS FIRST, subject_kind, subject_id LIMIT \(limit)
            """)
        return try rows.map { row in
            DueSubject(
                subject: Subject(kind: try .stored(row.get("subject_kind")), id: try row.get("subject_id")),
                owner: try row.get("owner"), title: try row.get("title"), photo: try row.get("photo"))
        }
    }
}

extension PostgresRoomTransaction {
    func say(_ facts: RoomSubjectFacts, of subject: Subject) async throws -> Bool {
        guard facts.isOpen, facts.isOpenToAll != false else { return false }
        return try await transaction.query(
            """
            SELECT FROM rooms
            WHERE subject_kind = \(subject.kind.rawValue) AND subject_id = \(subject.id) AND state = 'open'
                AND (title IS DISTINCT FROM \(facts.title) OR photo IS DISTINCT FROM \(facts.photo))
            LIMIT 1
            """
        ).isEmpty
    }

    func note(_ subject: Subject, askedAt moment: Date) async throws {
        try await transaction.query(
            """
            UPDATE rooms SET asked_at = \(moment)
            WHERE subject_kind = \(subject.kind.rawValue) AND subject_id = \(subject.id)
            """)
    }
}
