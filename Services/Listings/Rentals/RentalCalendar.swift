import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

// What stands of agreements in the calendars of the two.

extension RentalUseCases {
    func calendarEntries(_ query: CalendarEntriesQuery) async throws -> Page<CalendarEntry> {
        let after = try query.cursor.map { text throws(ServiceError) in
            guard let id = RentalID(text) else {
                throw .invalid([FieldError("cursor", "not_a_cursor", "The next of a page before.")])
            }
            return id
        }
        let limit = CalendarEntriesQuery.largest
        let now = clock()
        let found = FoundPage(
            try await store.calendar(of: query.person, after: after, at: now, atMost: limit + 1), of: limit)
        let shown = try await store.withEvidence(found.shown)
        let rentals = try await answers(shown, to: query.person, isModerator: false)
        return Page(
            items: try await store.numbered(rentals.compactMap(CalendarEntry.init), for: query.person, at: now),
            next: found.last?.id.description)
    }
}

extension CalendarEntry {
    /// Nil where it has no place in a calendar.
    init?(_ rental: Rental) {
        let state: State
        switch rental.state {
        case .requested: state = .tentative
        case .accepted, .handedOver, .returned, .disputed, .settled: state = .confirmed
        case .cancelled: state = .cancelled
        case .declined, .lapsed, .noShow: return nil
        }
        let stay = CalendarStay(rental)
        self.init(
            id: ID(rental.id.uuid), kind: .rental, state: state, title: rental.thing.title, role: rental.role,
            with: rental.role == .owner ? rental.renter : rental.owner, startsAt: stay.startsAt,
            endsAt: stay.endsAt, days: stay.days,
            place: rental.thing.address, position: rental.thing.position, link: "/rentals/\(rental.id)",
            changedAt: rental.changedAt)
    }

    /// Names what somebody reads of it, whoever else has changed what since.
    fileprivate var content: String {
        var read = self
        (read.changedAt, read.sequence) = (Date(timeIntervalSince1970: 0), nil)
        read.with = with.map { PersonSummary(id: $0.id, name: $0.name) }
        return ContentVersion.of(read) ?? ""
    }
}

/// From when until when somebody has a thing: what came back early ends there, and began with the hand-over where it came back before it
/// should have begun.
private struct CalendarStay {
    var startsAt: Date
    var endsAt: Date
    /// Of whole days.
    var days: CalendarEntry.Days?

    init(_ rental: Rental) {
        (startsAt, endsAt) = (rental.startsAt, rental.endsAt)
        if rental.terms.unit == .day { days = CalendarEntry.Days(first: rental.from, last: rental.until) }
        let shown = rental.evidence.first { $0.at == .giveBack }?.madeAt
        guard let back = shown ?? (rental.state == .returned ? rental.changedAt : nil), back < endsAt else { return }
        let isBeforehand = back <= startsAt
        let handedOver = rental.evidence.first { $0.at == .handOver }?.madeAt ?? back
        if isBeforehand { startsAt = min(handedOver, back - 60) }
        endsAt = back
        guard days != nil, let zone = Zone.named(rental.zone) else { return }
        if isBeforehand { days?.first = zone.wallTime(at: startsAt).day.text }
        // A day is named by its beginning: what is back by midnight was had the day before.
        days?.last = min(rental.until, zone.wallTime(at: max(startsAt, back - 1)).day.text)
    }
}

/// What was last read of an entry.
private struct CalendarMark: Hashable {
    var content: String
    var sequence: Int
    var changedAt: Date
}

extension RentalStore {
    private static let day: TimeInterval = 86_400

    /// Each with how often what it says has changed since it was first read, and when it last did: calendar programs go by that, and it changes for
    /// whatever reason that has, a name, a door, the agreement itself.
    func numbered(_ entries: [CalendarEntry], for person: PersonID, at now: Date) async throws -> [CalendarEntry] {
        if entries.isEmpty { return [] }
        let ids = entries.map { RentalID($0.id.uuid) }
        var kept = try await marks(of: ids, for: person)
        let contents = entries.map(\.content)
        if zip(ids, contents).contains(where: { kept[$0]?.content != $1 }) {
            try await keep(contents, of: ids, for: person, at: now)
            kept = try await marks(of: ids, for: person)
        }
        return zip(entries, ids).map { entry, id in
            var entry = entry
            if let mark = kept[id] { (entry.changedAt, entry.sequence) = (mark.changedAt, mark.sequence) }
            return entry
        }
    }

    private func marks(of ids: [RentalID], for person: PersonID) async throws -> [RentalID: CalendarMark] {
        let rows = try await database.read(
            """
            SELECT rental, content, sequence, changed_at FROM calendar_entries
            WHERE person = \(person) AND rental = ANY(\(ids))
            """)
        var marks: [RentalID: CalendarMark] = [:]
        for row in rows {
            marks[try row.get("rental")] = CalendarMark(
                content: try row.get("content"), sequence: try row.get("sequence"), changedAt: try row.get("changed_at")
            )
        }
        return marks
    }

    /// In the order of ids: two programs may read at once.
    private func keep(_ contents: [String], of ids: [RentalID], for person: PersonID, at now: Date) async throws {
        _ = try await database.query(
            """
            INSERT INTO calendar_entries AS kept (person, rental, content, changed_at)
            SELECT \(person), rentals.id, said.content, rentals.changed_at
            FROM unnest(\(ids)::uuid[], \(contents)::text[]) AS said (rental, content)
            JOIN rentals ON rentals.id = said.rental ORDER BY rentals.id
            ON CONFLICT (person, rental) DO UPDATE
            SET content = excluded.content, sequence = kept.sequence + 1, changed_at = greatest(kept.changed_at, \(now))
            WHERE kept.content <> excluded.content
            """)
    }

    /// In the order of their ids. Each of the two sides is one range of its index.
    func calendar(of person: PersonID, after: RentalID?, at now: Date, atMost limit: Int) async throws -> [Agreement] {
        let onwards: SQLQuery = after.map { "AND id > \($0)" } ?? ""
        let shown: SQLQuery = """
            (state IN ('requested', 'accepted', 'handedOver', 'returned', 'disputed', 'settled')
                AND ends_at > \(now - 90 * Self.day) OR state = 'cancelled' AND changed_at > \(now - 30 * Self.day))
            """
        let most: SQLQuery = "ORDER BY id LIMIT \(unescaped: "\(limit)")"
        return try await database.read(
            """
            SELECT * FROM (
                (SELECT \(Agreement.columns) FROM rentals WHERE owner = \(person) AND \(shown) \(onwards) \(most))
                UNION ALL
                (SELECT \(Agreement.columns) FROM rentals WHERE renter = \(person) AND \(shown) \(onwards) \(most))
            ) AS both_sides \(most)
            """
        ).map { try Agreement($0) }
    }
}
