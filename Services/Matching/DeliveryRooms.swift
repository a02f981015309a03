import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// What the room of a match is told of it. The two have it for themselves: nobody else sees what it is about.

extension MatchAgreement {
    /// `From → To`, as both know it.
    var title: String { "\(restaurant.name) → \(dropOff.name)" }

    func roomFacts(at now: Date) -> RoomSubjectFacts {
        RoomSubjectFacts(
            title: title, photo: nil, owner: deliverer, partners: [orderer].filter { $0 != .nobody },
            isOpen: keepsRoom(at: now) && audience.count == 2, isOpenToAll: false)
    }

    /// Whether it is not over and was accepted, in SQL.
    static let isInHand: SQLQuery = "state IN ('accepted', 'pickedUp', 'delivered', 'received', 'disputed')"
}

extension DeliveryTransaction {
    /// Tells the room how it is with a match now. It is locked, so that what is told last is what is true.
    func tellRoom(of match: MatchAgreement) {
        transaction.publish(
            RoomSubjectChanged(subject: Subject(match.id), facts: match.roomFacts(at: now)),
            about: "subject/\(match.id)", to: .nobody)
    }

    /// Of what is over, the two have had their time to talk.
    /// - Returns: how many were looked at.
    func closeRooms(_ rows: DueRows, atMost limit: Int) async throws -> Int {
        let over = try await transaction.query(
            """
            SELECT \(MatchAgreement.columns) FROM matches
            WHERE \(rows.condition(at: now)) ORDER BY talk_until LIMIT \(unescaped: "\(limit)") FOR NO KEY UPDATE SKIP LOCKED
            """
        ).map { try MatchAgreement($0, words) }
        if over.isEmpty { return 0 }
        _ = try await transaction.query("UPDATE matches SET talk_until = NULL WHERE id = ANY(\(over.map(\.id)))")
        for match in over { tellRoom(of: match) }
        return over.count
    }

    /// Locks the matches that somebody has a room about.
    func roomMatches(of person: PersonID) async throws -> [MatchID] {
        let hasRoom: SQLQuery = "(\(MatchAgreement.isInHand) OR talk_until > \(now))"
        return try await transaction.query(
            """
            SELECT id FROM matches WHERE id IN (
                SELECT id FROM matches WHERE deliverer = \(person) AND \(hasRoom)
                UNION SELECT id FROM matches WHERE orderer = \(person) AND \(hasRoom))
            ORDER BY id FOR NO KEY UPDATE
            """
        ).map { try $0.get("id") }
    }

    /// The same of several, which are locked.
    func tellRooms(of matches: [MatchID]) async throws {
        if matches.isEmpty { return }
        let rows = try await transaction.query(
            "SELECT \(MatchAgreement.columns) FROM matches WHERE id = ANY(\(matches)) ORDER BY id")
        for row in rows { tellRoom(of: try MatchAgreement(row, words)) }
    }
}
