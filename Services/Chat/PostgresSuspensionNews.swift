import DurableMessaging
import People
import Postgres
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// What open chats were told of suspensions, and what they are still to be told.

extension PostgresRoomTransaction {
    /// Whoever is suspended until another time than was told, and whoever was told to be suspended and is not.
    func suspensionsToTell(atMost limit: Int) async throws -> [PersonID] {
        try await transaction.query(
            """
            SELECT person FROM suspensions
            WHERE until > \(now) AND NOT EXISTS (
                SELECT FROM suspensions_told AS told WHERE told.person = suspensions.person AND told.until = suspensions.until)
            UNION ALL
            SELECT person FROM suspensions_told WHERE \(isOver("suspensions_told.person"))
            LIMIT \(limit)
            """
        ).map { try $0.get("person") }
    }

    func tellOfSuspension(of person: PersonID, inAtMost count: Int) async throws {
        // Of two replicas at the same person the second waits for the row, and then finds nothing new to tell.
        let changes = try await transaction.pipeline([
            "DELETE FROM suspensions_told WHERE person = \(person) AND \(isOver("\(person)"))",
            """
            INSERT INTO suspensions_told (person, until)
            SELECT person, until FROM suspensions WHERE person = \(person) AND until > \(now)
            ON CONFLICT (person) DO UPDATE SET until = excluded.until WHERE suspensions_told.until <> excluded.until
            """,
        ])
        guard changes.contains(where: { $0.affected > 0 }) else { return }
        let rooms: [RoomID] = try await transaction.query(Self.newestOpenRooms(of: person, atMost: count)).map {
            try $0.get("room")
        }
        // For those who are apart from that person nothing changes, and they hear nothing.
        try await tellWhetherTheyWrite(in: rooms, concerning: person)
    }

    /// The open rooms of a person in which something was written last, or that were opened last, wherever they have put them: of each shelf so
    /// many by the index that lists them, and of these the newest.
    static func newestOpenRooms(of person: PersonID, atMost count: Int) -> SQLQuery {
        """
        SELECT newest.room FROM unnest(ARRAY['inbox', 'archived', 'none']) AS shelves (shelf)
        CROSS JOIN LATERAL (
            SELECT members.room, members.changed_at FROM members
            WHERE members.person = \(person) AND members.shelf = shelves.shelf AND NOT members.closed
            ORDER BY members.changed_at DESC, members.room DESC LIMIT \(count)) AS newest
        ORDER BY newest.changed_at DESC, newest.room DESC LIMIT \(count)
        """
    }

    /// By the clocks of all our processes: whoever looks because they were told finds that one can write.
    private func isOver(_ person: SQLQuery) -> SQLQuery {
        "NOT \(SuspensionProjection.isSuspended(person, at: now - ChatLimits.clockTolerance))"
    }
}
