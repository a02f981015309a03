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
        let found = FoundPage(
            try await store.calendar(of: query.person, after: after, at: now, atMost: limit + 1), of: limit)
        let entries = try await entries(found.shown, of: query.person, at: now)
        return Page(
            items: try await store.numbered(entries, for: query.person, at: now), next: found.last?.description)
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

    /// Names what somebody reads of it, whoever else has changed what since.
    fileprivate var content: String {
        var read = self
        (read.changedAt, read.sequence) = (Date(timeIntervalSince1970: 0), nil)
        read.with = with.map { PersonSummary(id: $0.id, name: $0.name) }
        return ContentVersion.of(read) ?? ""
    }
}

/// What was last read of an entry.
private struct CalendarMark: Hashable {
    var content: String
    var sequence: Int
    var changedAt: Date
}

extension RideStore {
    private static let day: TimeInterval = 86_400

    /// Each with how often what it says has changed since it was first read, and when it last did: calendar programs go by that, and it changes for
    /// whatever reason that has, a name, a door, the ride itself.
    func numbered(_ entries: [CalendarEntry], for person: PersonID, at now: Date) async throws -> [CalendarEntry] {
        if entries.isEmpty { return [] }
        var kept = try await marks(of: entries, for: person)
        if entries.contains(where: { kept[$0.id]?.content != $0.content }) {
            try await keep(entries, for: person, at: now)
            kept = try await marks(of: entries, for: person)
        }
        return entries.map { entry in
            var entry = entry
            if let mark = kept[entry.id] { (entry.changedAt, entry.sequence) = (mark.changedAt, mark.sequence) }
            return entry
        }
    }

    private func marks(
        of entries: [CalendarEntry], for person: PersonID
    ) async throws -> [ID<CalendarEntry>: CalendarMark] {
        let rows = try await database.read(
            """
            SELECT entry, content, sequence, changed_at FROM calendar_entries
            WHERE person = \(person) AND entry = ANY(\(entries.map(\.id)))
            """)
        var marks: [ID<CalendarEntry>: CalendarMark] = [:]
        for row in rows {
            marks[try row.get("entry")] = CalendarMark(
                content: try row.get("content"), sequence: try row.get("sequence"), changedAt: try row.get("changed_at")
            )
        }
        return marks
    }

    /// In the order of ids: two programs may read at once.
    private func keep(_ entries: [CalendarEntry], for person: PersonID, at now: Date) async throws {
        let (ids, contents, times) = (entries.map(\.id), entries.map(\.content), entries.map(\.changedAt))
        _ = try await database.query(
            """
            INSERT INTO calendar_entries AS kept (person, entry, content, changed_at)
            SELECT \(person), said.entry, said.content, said.changed_at
            FROM unnest(\(ids)::uuid[], \(contents)::text[], \(times)::timestamptz[]) AS said (entry, content, changed_at)
            ORDER BY said.entry
            ON CONFLICT (person, entry) DO UPDATE
            SET content = excluded.content, sequence = kept.sequence + 1, changed_at = greatest(kept.changed_at, \(now))
            WHERE kept.content <> excluded.content
            """)
    }

    /// In the order of their ids: rides that somebody drives, and requests of theirs. Each of the two is one range of its index.
    func calendar(
        of person: PersonID, after: ID<CalendarEntry>?, at now: Date, atMost limit: Int
    ) async throws -> [ID<CalendarEntry>] {
        let onwards: SQLQuery = after.map { "AND id > \($0)" } ?? ""
        let (latest, gone) = (now - 90 * Self.day, now - 30 * Self.day)
        let most: SQLQuery = "ORDER BY id LIMIT \(unescaped: "\(limit)")"
        return try await database.read(
            """
            SELECT id FROM (
                (SELECT id FROM rides WHERE driver = \(person) \(onwards)
                    AND (state <> 'removed' AND arrives_at > \(latest) OR state = 'removed' AND changed_at > \(gone)) \(most))
                UNION ALL
                (SELECT id FROM seat_requests WHERE rider = \(person) \(onwards)
                    AND (state IN ('pending', 'accepted', 'rode', 'disputed', 'settled') AND leaves_at > \(latest)
                        OR state IN ('left', 'removed') AND changed_at > \(gone)) \(most))
            ) AS own \(most)
            """
        ).map { try $0.get("id") }
    }

    fileprivate func rides(_ ids: [RideID], drivenBy person: PersonID) async throws -> [RideID: OfferedRide] {
        if ids.isEmpty { return [:] }
        let rows = try await database.read(
            "SELECT \(OfferedRide.columns) FROM rides WHERE id = ANY(\(ids)) AND driver = \(person)")
        return try Dictionary(rows.map(OfferedRide.init).map { ($0.id, $0) }) { one, _ in one }
    }
}
