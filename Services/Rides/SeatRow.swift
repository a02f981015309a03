import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// A request for seats as a row of the table `seat_requests`, in both directions.

extension SeatAgreement {
    static let columns: SQLQuery = """
        id, ride, driver, rider, seats, riders, board_at, board_stop, board_own, leave_at, leave_stop, leave_own, detour, cost, currency, \
        message, asked_at, answer_within, answer_by, confirm_by, confirmed, approved, state, changed_at, changed_by, reason, together
        """

    init(_ row: PostgresRow) throws {
        let part = WayPart(
            boarding: try WayPoint(row, at: "board_at", stop: "board_stop", own: "board_own"),
            leaving: try WayPoint(row, at: "leave_at", stop: "leave_stop", own: "leave_own"),
            detour: try row.get("detour"))
        self.init(
            id: try row.get("id"), ride: try row.get("ride"), driver: try row.get("driver"),
            rider: try row.get("rider"), seats: try row.get("seats"), riders: try row.get("riders"), part: part,
            cost: try row.get("cost"), currency: try row.get("currency"), message: try row.get("message"),
            askedAt: try row.get("asked_at"), answerWithin: try row.get("answer_within"),
            answerBy: try row.get("answer_by"), confirmBy: try row.get("confirm_by"),
            isConfirmed: try row.get("confirmed"), isApproved: try row.get("approved"),
            state: try SeatState.stored(row.get("state")), changedAt: try row.get("changed_at"),
            changedBy: try row.get("changed_by"), reason: try row.get("reason"), together: try row.get("together"))
    }

    func insertion(in ride: OfferedRide, at now: Date) -> SQLQuery {
        let (boarding, leaving, inCar) = (part.boarding, part.leaving, inCar(of: ride))
        return """
            INSERT INTO seat_requests (\(Self.columns), boards_at, leaves_at, due_at, remind_at, talk_until)
            VALUES (\(id), \(self.ride), \(driver), \(rider), \(seats), \(riders), \(boarding.at), \(boarding.stop),
                \(boarding.own.map { JSON($0) }), \(leaving.at), \(leaving.stop), \(leaving.own.map { JSON($0) }),
                \(part.detour), \(cost), \(cost > 0 ? currency : nil), \(message), \(askedAt),
                \(Int(answerWithin)), \(answerBy), \(confirmBy), \(isConfirmed), \(isApproved),
                \(state.rawValue), \(changedAt), \(changedBy), \(reason), \(together), \(inCar.lowerBound),
                \(inCar.upperBound), \(dueAt(in: ride)), \(remindAt(in: ride, after: now)), \(talkUntil))
            """
    }

    /// Writes all that can change, and what follows of it and of the times of its ride.
    /// - Parameter before: as it was: until when the two may write to each other is said anew only with a new state.
    func update(after before: SeatAgreement, in ride: OfferedRide, at now: Date) -> SQLQuery {
        let (inCar, talk): (Range<Date>, SQLQuery) = (
            inCar(of: ride), state == before.state ? "talk_until" : "\(talkUntil)"
        )
        return """
            UPDATE seat_requests
            SET answer_by = \(answerBy), confirm_by = \(confirmBy), confirmed = \(isConfirmed),
                approved = \(isApproved), state = \(state.rawValue), changed_at = \(changedAt),
                changed_by = \(changedBy), reason = \(reason), boards_at = \(inCar.lowerBound),
                leaves_at = \(inCar.upperBound), due_at = \(dueAt(in: ride)),
                remind_at = \(remindAt(in: ride, after: now)), talk_until = \(talk)
            WHERE id = \(id)
            """
    }
}

extension WayPoint {
    fileprivate init(_ row: PostgresRow, at metres: String, stop: String, own: String) throws {
        self.init(
            at: try row.get(metres), stop: try row.get(stop),
            own: try row.get(own, as: JSON<OwnPoint>?.self)?.value)
    }
}

// MARK: Which of them

extension SeatAgreement {
    // As their indexes have them.
    static let isOpen: SQLQuery = "state IN ('pending', 'waiting', 'accepted')"
    static let isUnanswered: SQLQuery = "state IN ('pending', 'waiting')"
    static let isPast: SQLQuery = "state IN ('rode', 'noShow', 'disputed', 'settled', 'left', 'removed')"

    /// One that this person has to do with; of moderators, one that is or was disputed.
    static func selection(_ id: SeatRequestID, for person: PersonID, isModerator: Bool) -> SQLQuery {
        let more: SQLQuery = isModerator ? "OR state IN ('disputed', 'settled')" : ""
        return """
            SELECT \(columns) FROM seat_requests
            WHERE id = \(id) AND (driver = \(person) OR rider = \(person) \(more))
            """
    }

    /// Locks those that were made with some requests and are pending.
    static func joined(with seats: [SeatRequestID]) -> SQLQuery {
        """
        SELECT \(columns) FROM seat_requests WHERE together = ANY(\(seats)) AND state = 'pending' ORDER BY id FOR NO KEY UPDATE
        """
    }

    /// Of those that wait, how many wait before each.
    static func places(of waiting: [SeatRequestID]) -> SQLQuery {
        """
        SELECT own.id, (
            SELECT count(*) FROM seat_requests AS before
            WHERE before.ride = own.ride AND before.state = 'waiting'
                AND (before.asked_at, before.id) < (own.asked_at, own.id)) AS ahead
        FROM seat_requests AS own WHERE own.id = ANY(\(waiting))
        """
    }

    /// Locks somebody and the one who asked for this seat: the smaller id first, as everybody does.
    static func lockPeople(of seat: SeatRequestID, and person: PersonID) -> SQLQuery {
        """
        SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '/person/' || id, 0)) FROM (
            SELECT \(person)::uuid AS id UNION SELECT rider FROM seat_requests WHERE id = \(seat) ORDER BY id) AS people
        """
    }

    /// The rides in which somebody has a seat, or which they drive, at that time, and when they are in the car.
    static func overlaps(
        of person: SQLQuery, from: SQLQuery, until: SQLQuery, besides ride: SQLQuery
    ) -> SQLQuery {
        """
        SELECT ride, boards_at, leaves_at FROM seat_requests
        WHERE rider = \(person) AND state = 'accepted' AND boards_at < \(until) AND leaves_at > \(from) AND ride <> \(ride)
        UNION ALL
        SELECT id, departs_at, arrives_at FROM rides
        WHERE driver = \(person) AND state IN ('open', 'departed') AND departs_at < \(until) AND arrives_at > \(from) AND id <> \(ride)
        """
    }
}
