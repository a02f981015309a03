import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

// What stands of rides in the calendars of those who drive, and of those who ride along.

extension RideUseCases {
    func calendarEntries(_ query: CalendarEntriesQuery) async throws -> Page<CalendarEntry> {
        let after = try query.cursor.map { text throws(ServiceError) in
            guard let id = ID<CalendarEntry>(text) else {
                throw .invalid([FieldError("cursor", "not_a_cursor", "The next of a page before.")])
            }
            return id
        }
        let now = clock()
        let limit = CalendarEntriesQuery.largest
        let ids = try await store.calendar(of: query.person, after: after, at: now, atMost: limit + 1)
        let found = FoundPage(ids, of: limit)
        let entries = try await entries(found.shown, of: query.person, at: now)
        return Page(
            items: try await store.marks.numbered(entries, for: query.person, at: now), next: found.last?.description)
    }

    /// In the order in which they are named.
    private func entries(
        _ ids: [ID<CalendarEntry>], of person: PersonID, at now: Date
    ) async throws -> [CalendarEntry] {
        let driven = try await store.rides(ids.map { RideID($0.uuid) }, drivenBy: person)
        let seats = try await store.seats(ids.map { SeatRequestID($0.uuid) })
        let rides = try await store.rides(of: Array(seats.values))
        // The two may be apart since.
        let names = try await people.summaries(of: Set(seats.values.map(\.driver)), for: person)
        return ids.compactMap { id in
            if let ride = driven[RideID(id.uuid)] { return CalendarEntry(driving: ride) }
            guard let seat = seats[SeatRequestID(id.uuid)], let ride = rides[seat.ride] else { return nil }
            return CalendarEntry(SeatRequest(seat, in: ride, for: person, among: names, at: now))
        }
    }
}

extension CalendarEntry {
    init(driving ride: OfferedRide) {
        let start = ride.way.stops.first
        self.init(
            id: ID(ride.id.uuid), kind: .ride, state: ride.state == .removed ? .cancelled : .confirmed,
            title: ride.title, isDriving: true, startsAt: ride.departsAt, endsAt: ride.arrivesAt,
            place: start.map { $0.address ?? $0.name }, position: start?.position, link: "/rides/\(ride.id)",
            changedAt: ride.changedAt)
    }

    /// From where one gets in to where one gets out. Nil where it has no place in a calendar.
    init?(_ request: SeatRequest) {
        let state: State
        switch request.state {
        case .pending: state = .tentative
        case .accepted, .rode, .disputed, .settled: state = .confirmed
        case .left, .removed: state = .cancelled
        case .waiting, .rejected, .withdrawn, .expired, .noShow: return nil
        }
        let (boarding, leaving) = (request.boarding, request.leaving)
        self.init(
            id: ID(request.id.uuid), kind: .ride, state: state, title: "\(boarding.name) → \(leaving.name)",
            isDriving: false, with: request.driver, startsAt: boarding.time, endsAt: leaving.time,
            place: boarding.address ?? boarding.name, position: boarding.isExact ? boarding.position : nil,
            link: "/seats/\(request.id)", changedAt: request.changedAt)
    }
}

extension RideStore {
    private static let day: TimeInterval = 86_400

    fileprivate var marks: CalendarMarks { CalendarMarks(in: database, entry: "entry") }

    /// In the order of their ids: rides that somebody drives, and requests of theirs. What is not over for long is one range of each index, and is
    /// read whole for a page: in the order of their ids all of their past would be read.
    func calendar(
        of person: PersonID, after: ID<CalendarEntry>?, at now: Date, atMost limit: Int
    ) async throws -> [ID<CalendarEntry>] {
        let page = Self.calendar(of: person, after: after, at: now, atMost: limit)
        return try await database.read(page).map { try $0.get("id") }
    }

    static func calendar(
        of person: PersonID, after: ID<CalendarEntry>?, at now: Date, atMost limit: Int
    ) -> SQLQuery {
        let (latest, gone) = (now - 90 * Self.day, now - 30 * Self.day)
        let earliest = latest - RideLimits.longestTime
        let onwards: SQLQuery = after.map { "WHERE id > \($0)" } ?? ""
        return """
            WITH own AS MATERIALIZED (
                SELECT id FROM rides
                WHERE driver = \(person) AND state IN ('open', 'departed') AND departs_at > \(earliest) AND arrives_at > \(latest)
                UNION ALL
                SELECT id FROM rides
                WHERE driver = \(person) AND state IN ('completed', 'removed') AND departs_at > \(earliest)
                    AND CASE state WHEN 'removed' THEN changed_at > \(gone) ELSE arrives_at > \(latest) END
                UNION ALL
                SELECT id FROM seat_requests WHERE rider = \(person) AND state = 'pending' AND leaves_at > \(latest)
                UNION ALL
                SELECT id FROM seat_requests
                WHERE rider = \(person) AND state = 'accepted' AND boards_at > \(earliest) AND leaves_at > \(latest)
                UNION ALL
                SELECT id FROM seat_requests
                WHERE rider = \(person) AND state IN ('rode', 'disputed', 'settled', 'left', 'removed') AND boards_at > \(earliest)
                    AND CASE WHEN state IN ('left', 'removed') THEN changed_at > \(gone) ELSE leaves_at > \(latest) END
            )
            SELECT id FROM own \(onwards) ORDER BY id LIMIT \(unescaped: "\(limit)")
            """
    }

    /// Were the driver asked for by SQL, PostgreSQL would read all that they have driven.
    fileprivate func rides(_ ids: [RideID], drivenBy person: PersonID) async throws -> [RideID: OfferedRide] {
        try await rides(ids).filter { $0.value.driver == person }
    }
}
