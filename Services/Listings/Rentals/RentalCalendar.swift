import DurableMessaging
import People
import Postgres
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
        let found = try await store.calendar(of: query.person, after: after, at: clock(), atMost: limit + 1)
        let shown = Array(found.prefix(limit))
        let rentals = try await answers(shown, to: query.person, isModerator: false)
        return Page(
            items: rentals.compactMap(CalendarEntry.init),
            next: found.count > limit ? shown.last?.id.description : nil)
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
        let isByDay = rental.terms.unit == .day
        self.init(
            id: ID(rental.id.uuid), kind: .rental, state: state, title: rental.thing.title, role: rental.role,
            with: rental.role == .owner ? rental.renter : rental.owner, startsAt: rental.startsAt,
            endsAt: rental.endsAt, days: isByDay ? Days(first: rental.from, last: rental.until) : nil,
            place: rental.thing.address, position: rental.thing.position, link: "/rentals/\(rental.id)",
            changedAt: rental.changedAt)
    }
}

extension PostgresRentalStore {
    private static let day: TimeInterval = 86_400

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
