import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

extension RoomTransaction {
    /// What becomes of the rooms of somebody who erases themselves: what they wrote stays with whoever received it, without their name and
    /// their pictures; rooms in which nobody has written, or in which nobody is left, go.
    func erase(_ person: PersonID) async throws -> (records: [ErasedRecords], photos: [String]) {
        let nobody = PersonID.nobody
        try await transaction.query("DELETE FROM suspensions_told WHERE person = \(person)")
        try await transaction.query(
            """
            UPDATE subject_news SET partners = array_remove(partners, \(person)) WHERE partners @> \([person])
            """)
        let rooms: [RoomID] = try await transaction.query(
            """
            SELECT id FROM rooms JOIN members ON members.room = rooms.id WHERE person = \(person)
            ORDER BY id FOR NO KEY UPDATE OF rooms
            """
        ).map { try $0.get("id") }
        let photos: [String] = try await transaction.query(
            "SELECT DISTINCT photo FROM messages WHERE author = \(person) AND photo IS NOT NULL"
        ).map { try $0.get("photo") }
        let answers = try await transaction.pipeline([
            """
            WITH gone AS (
                DELETE FROM rooms WHERE id = ANY(\(rooms)) AND (last = 0 OR first_member = \(nobody)) RETURNING id
            )
            INSERT INTO leftovers (room) SELECT id FROM gone
            """,
            """
            SELECT id, state, CASE WHEN first_member = \(person) THEN second_member ELSE first_member END AS left_over
            FROM rooms WHERE id = ANY(\(rooms))
            """,
            """
            UPDATE rooms SET first_member = \(nobody),
                second_member = CASE WHEN first_member = \(person) THEN second_member ELSE first_member END,
                state = 'closed', closed_at = coalesce(closed_at, \(now)),
                opened_by = CASE WHEN opened_by = \(person) THEN \(nobody) ELSE opened_by END,
                subject_id = CASE WHEN subject_kind = 'person' THEN \(nobody) ELSE subject_id END,
                photo = CASE WHEN owner = \(person) THEN NULL ELSE photo END,
                owner = CASE WHEN owner = \(person) THEN \(nobody) ELSE owner END
            WHERE id = ANY(\(rooms))
            """,
            "UPDATE members SET closed = true WHERE room = ANY(\(rooms)) AND person <> \(person)",
            """
            UPDATE members SET person = \(nobody), closed = true, typed_at = NULL
            WHERE room = ANY(\(rooms)) AND person = \(person)
            """,
        ])
        for row in answers[1] where try row.get("state", as: String.self) == RoomState.open.rawValue {
            let room: RoomID = try row.get("id")
            publish(RoomChanged(room: room, state: .closed), in: room, to: [try row.get("left_over")])
        }
        let records = [ErasedRecords(.rooms, rooms.count), ErasedRecords(.messages, try await unname(person))]
        return (records.filter { $0.count > 0 }, photos)
    }

    /// Somebody's messages, so many by each statement: none takes longer than a statement may.
    /// - Returns: How many they are.
    private func unname(_ person: PersonID) async throws -> Int {
        var (count, later): (Int, SQLQuery) = (0, "")
        while true {
            let batch = try await transaction.query(
                """
                SELECT id, sent_at FROM messages WHERE author = \(person) \(later)
                ORDER BY sent_at, id LIMIT \(unescaped: "\(Self.batch)")
                """)
            let ids: [MessageID] = try batch.map { try $0.get("id") }
            _ = try await transaction.query(
                "UPDATE messages SET author = \(PersonID.nobody), photo = NULL WHERE id = ANY(\(ids))")
            count += ids.count
            guard ids.count == Self.batch, let last = batch.last else { return count }
            later =
                "AND (sent_at, id) > (\(try last.get("sent_at", as: Date.self)), \(try last.get("id", as: MessageID.self)))"
        }
    }

    private static let batch = 2_000
}
