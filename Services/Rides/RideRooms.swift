import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// What rooms about a ride are told of it.

extension OfferedRide {
    /// `From → To`, as everybody may know it.
    var title: String { "\(way.stops.first?.name ?? "") → \(way.stops.last?.name ?? "")" }

    /// - Parameter partners: who rides along, has asked to, or did so lately: see `SeatAgreement.keepsRoom`.
    func roomFacts(_ partners: [PersonID]) -> RoomSubjectFacts {
        let isOpenToAll = driver != .nobody && isListed
        return RoomSubjectFacts(
            // What moderators hide is not read in the rooms about it either.
            title: hidden == nil ? title : nil, photo: nil, owner: driver, partners: partners,
            isOpen: isOpenToAll || (driver != .nobody && !partners.isEmpty), isOpenToAll: isOpenToAll)
    }
}

extension SeatAgreement {
    /// How long the two of what is over may write to each other.
    private static let talk: TimeInterval = 3 * 86_400

    /// When the two have nothing more to say to each other about something that is over; nil where it is not over, or came to nothing.
    var talkUntil: Date? {
        switch state {
        case .pending, .waiting, .accepted, .disputed, .rejected, .withdrawn, .expired: nil
        case .left, .removed, .rode, .noShow, .settled: changedAt + Self.talk
        }
    }

    /// Whether the two may write to each other about the ride, listed or not.
    func keepsRoom(at now: Date) -> Bool { !state.isOver || talkUntil.map { $0 > now } ?? false }

    /// Whether it is not over, in SQL.
    fileprivate static let isRunning: SQLQuery = "state IN ('pending', 'waiting', 'accepted', 'disputed')"
}

extension RideStore {
    /// Who has to do with a ride, in the order of their ids.
    static func partners(of ride: SQLQuery, at now: Date) -> SQLQuery {
        """
        ARRAY(
            SELECT rider FROM seat_requests WHERE ride = \(ride) AND \(SeatAgreement.isRunning) AND rider <> \(PersonID.nobody)
            UNION SELECT rider FROM seat_requests WHERE ride = \(ride) AND talk_until > \(now) AND rider <> \(PersonID.nobody)
            ORDER BY rider)
        """
    }

    func partners(of ride: RideID, at now: Date) async throws -> [PersonID] {
        try await database.read("SELECT \(Self.partners(of: "\(ride)", at: now)) AS partners")[0].get("partners")
    }
}

extension RideTransaction {
    /// Tells rooms how it is with these rides now. They are locked, so that what is told last is what is true.
    func tellRooms(of rides: [RideID]) async throws {
        if rides.isEmpty { return }
        try tellRooms(try await transaction.query(rooms(of: rides)))
    }

    /// What rooms are told of: these rides, and who has to do with each.
    func rooms(of rides: [RideID]) -> SQLQuery {
        """
        SELECT \(OfferedRide.columns), \(RideStore.partners(of: "rides.id", at: now)) AS partners
        FROM rides WHERE id = ANY(\(rides)) ORDER BY id
        """
    }

    func tellRooms(_ rows: PostgresRows) throws {
        for row in rows {
            let ride = try OfferedRide(row)
            let facts = ride.roomFacts(try row.get("partners"))
            transaction.publish(
                RoomSubjectChanged(subject: Subject(ride.id), facts: facts), about: "subject/\(ride.id)", to: .nobody)
        }
    }

    /// Of what is over, the two have had their time to talk.
    /// - Returns: how many were looked at.
    func closeRooms(_ rows: DueRows, atMost limit: Int) async throws -> Int {
        let over = try await each(rows, atMost: limit)
        if over.isEmpty { return 0 }
        _ = try await transaction.query(
            "UPDATE seat_requests SET talk_until = NULL WHERE id = ANY(\(over.map(\.seat.id)))")
        try await tellRooms(of: Array(Set(over.map(\.ride.id))))
        return over.count
    }

    /// Locks the rides whose rooms somebody has to do with, with their other ways: their own, and those in which they ride along.
    func roomRides(of person: PersonID) async throws -> [RideID] {
        let ids: [RideID] = try await transaction.query(
            """
            SELECT id FROM rides WHERE driver = \(person)
            UNION SELECT ride FROM seat_requests
            WHERE rider = \(person) AND (\(SeatAgreement.isRunning) OR talk_until > \(now))
            """
        ).map { try $0.get("id") }
        return try await locked(ids).map(\.id)
    }
}
