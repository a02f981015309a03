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
            items: try await store.marks.numbered(rentals.compactMap(CalendarEntry.init), for: query.person, at: now),
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

extension RentalStore {
    private static let day: TimeInterval = 86_400

    fileprivate var marks: CalendarMarks {
        CalendarMarks(
            in: database, entry: "rental", where: "EXISTS (SELECT FROM rentals WHERE rentals.id = said.entry)")
    }

    /// In the order of their ids. What is not over for long is one range of the index of each side, and is read whole for a page.
    func calendar(of person: PersonID, after: RentalID?, at now: Date, atMost limit: Int) async throws -> [Agreement] {
        let page = Self.calendar(of: person, after: after, at: now, atMost: limit)
        return try await database.read(page).map { try Agreement($0) }
    }

    static func calendar(of person: PersonID, after: RentalID?, at now: Date, atMost limit: Int) -> SQLQuery {
        let onwards: SQLQuery = after.map { "WHERE id > \($0)" } ?? ""
        let shown: SQLQuery = """
            ends_at > \(now - 90 * Self.day) AND CASE state WHEN 'cancelled' THEN changed_at > \(now - 30 * Self.day)
                ELSE state IN ('requested', 'accepted', 'handedOver', 'returned', 'disputed', 'settled') END
            """
        return """
            WITH own AS MATERIALIZED (
                SELECT \(Agreement.columns) FROM rentals WHERE owner = \(person) AND \(shown)
                UNION ALL
                SELECT \(Agreement.columns) FROM rentals WHERE renter = \(person) AND \(shown)
            )
            SELECT * FROM own \(onwards) ORDER BY id LIMIT \(unescaped: "\(limit)")
            """
    }
}
