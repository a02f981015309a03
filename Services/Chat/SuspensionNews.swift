import DurableMessaging
import FoundationEssentials
import Logging
import People
import Postgres
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// Tells whoever has a chat open that it cannot be written in while one of the two is suspended, and that it can again.
///
/// A suspension begins by an event, ends by its time alone, and may be known by a snapshot only. So what was told is kept and compared with who
/// is suspended, which leaves out none of these, and nothing while all replicas are away. Any number of replicas may compare.
struct SuspensionNews: Service, CustomStringConvertible {
    let store: RoomStore
    let logger: Logger
    var people = 20
    var rooms = ChatLimits.roomsTold
    var pause = Duration.seconds(2)

    var description: String { "suspension news" }

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "open chats could not be told of suspensions") {
            try await round()
        }
    }

    /// Each person by a transaction of their own: however many are suspended at once, none writes more events than one person has rooms to tell.
    /// - Returns: Whether there may be more.
    func round() async throws -> Bool {
        let due = try await store.transaction { try await $0.suspensionsToTell(atMost: people) }
        for person in due {
            try await store.transaction { try await $0.tellOfSuspension(of: person, inAtMost: rooms) }
        }
        return due.count == people
    }
}

extension RoomTransaction {
    /// People of whose suspension, or of whose end, their open rooms have not been told; at most so many.
    ///
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

    /// Tells the two of somebody's open rooms to look whether one can write there, unless they know; of so many rooms at the most, the newest.
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
