import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

/// One page of what somebody drives, rides along in, has saved, or waits for: a checked `MyRidesQuery`.
struct MyRidesPage: Hashable, Sendable {
    var person: PersonID
    var tab: MyRidesTab
    var limit: Int
    var after: MomentCursor?

    /// - Throws: `invalid`, or `unauthenticated`.
    init(_ query: MyRidesQuery, for caller: Caller) throws {
        person = try caller.requirePerson()
        tab = query.tab ?? .current
        var errors: [FieldError] = []
        limit = query.readLimit(&errors)
        after = query.readCursor(&errors) { MomentCursor($0) }
        guard errors.isEmpty else { throw RideError.invalid(errors) }
    }

    init(_ tab: MyRidesTab, of person: PersonID, limit: Int = PageSize.usual, after: MomentCursor? = nil) {
        (self.person, self.tab, self.limit, self.after) = (person, tab, limit, after)
    }

    /// Answers the places of the first `limit` + 1. What is driven and where one rides along comes from its own index each: one condition for
    /// both would read all of a person's past.
    func statement(_ campuses: CampusSeparation) -> SQLQuery {
        switch tab {
        case .current:
            together(
                rides("departs_at", where: "driver = \(person) AND state IN ('open', 'departed')"),
                seats("boards_at", where: "rider = \(person) AND state = 'accepted'"))
        case .past:
            together(
                rides("departs_at", where: "driver = \(person) AND state IN ('completed', 'removed')"),
                seats("boards_at", where: "rider = \(person) AND \(SeatAgreement.isPast)"))
        case .pending:
            together(
                seats("answer_due", where: "driver = \(person) AND \(SeatAgreement.isUnanswered)"),
                seats("answer_due", where: "rider = \(person) AND \(SeatAgreement.isUnanswered)"))
        case .saved: saved(campuses)
        }
    }

    private func together(_ one: SQLQuery, _ other: SQLQuery) -> SQLQuery {
        "SELECT place, id, ride, seat FROM ((\(one)) UNION ALL (\(other))) AS own \(order("place", "id"))"
    }

    private func rides(_ time: SQLQuery, where condition: SQLQuery) -> SQLQuery {
        """
        SELECT \(time) AS place, id, id AS ride, NULL::uuid AS seat FROM rides
        WHERE \(condition) \(beyond(time, "id")) \(order(time, "id"))
        """
    }

    private func seats(_ time: SQLQuery, where condition: SQLQuery) -> SQLQuery {
        """
        SELECT \(time) AS place, id, ride, id AS seat FROM seat_requests
        WHERE \(condition) \(beyond(time, "id")) \(order(time, "id"))
        """
    }

    /// What was removed or is over stays on the list; what moderators hide, and what is somebody's who is apart, is not shown.
    private func saved(_ campuses: CampusSeparation) -> SQLQuery {
        """
        SELECT saved_at AS place, saved_rides.ride AS id, saved_rides.ride, NULL::uuid AS seat
        FROM saved_rides JOIN rides ON rides.id = saved_rides.ride
        WHERE saved_rides.person = \(person) AND hidden_at IS NULL AND NOT withheld
            AND \(BlockProjection.isTogether("rides.driver", with: person)) \(campuses.condition("rides.campus", isOf: person))
            \(beyond("saved_at", "saved_rides.ride")) \(order("saved_at", "saved_rides.ride"))
        """
    }

    private var isLatestFirst: Bool { tab == .past || tab == .saved }

    private func beyond(_ time: SQLQuery, _ id: SQLQuery) -> SQLQuery {
        guard let after else { return "" }
        let sign: SQLQuery = isLatestFirst ? "<" : ">"
        return "AND (\(time), \(id)) \(sign) (\(after.time), \(after.id))"
    }

    private func order(_ time: SQLQuery, _ id: SQLQuery) -> SQLQuery {
        let down: SQLQuery = isLatestFirst ? "DESC" : ""
        return "ORDER BY \(time) \(down), \(id) \(down) LIMIT \(unescaped: "\(limit + 1)")"
    }
}

/// The place of something in such a list.
struct OwnPlace: Hashable, Sendable {
    var cursor: MomentCursor
    var ride: RideID
    var seat: SeatRequestID?

    init(_ row: PostgresRow) throws {
        cursor = MomentCursor(try row.get("place"), try row.get("id"))
        ride = try row.get("ride")
        seat = try row.get("seat")
    }
}

/// A ride of one's own, or of another that one has to do with.
struct OwnRide: Hashable, Sendable {
    var seen: SeenRide
    /// One's own request; or, of a ride that one drives, the one that is to be answered.
    var seat: SeatAgreement?
    var place: MomentCursor
}
