#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// What somebody rents and lets, for their calendar program. Auth knows whose an address is, the services that have something for a calendar
// answer what, and the gateway writes the file.

/// `GET|POST|DELETE /v1/me/calendar-feed`. Whoever has the address sees the calendar.
public struct CalendarFeed: Codable, Hashable, Sendable {
    /// `/calendar/{token}.ics`, on the host of the pages.
    public var path: String
    public var madeAt: Date

    public init(path: String, madeAt: Date) {
        self.path = path
        self.madeAt = madeAt
    }
}

/// What stands in the address.
package struct CalendarToken: Codable, Hashable, Sendable {
    package var token: String
    package init(token: String) { self.token = token }
}

package struct CalendarOwner: Codable, Hashable, Sendable {
    package var person: PersonID
    /// In which they are written to; absent where none is known.
    package var language: String?

    package init(person: PersonID, language: String?) {
        self.person = person
        self.language = language
    }
}

/// Asks for what stands in somebody's calendar: what ended less than 90 days ago or later, and what was cancelled within 30 days.
package struct CalendarEntriesQuery: Codable, Hashable, Sendable {
    package static let largest = 200
    package var person: PersonID
    package var cursor: String?

    package init(person: PersonID, cursor: String? = nil) {
        self.person = person
        self.cursor = cursor
    }
}

/// One entry, as the person may see it.
package struct CalendarEntry: Codable, Hashable, Sendable {
    /// Of what it is of; stays the same for as long as that is there.
    package var id: ID<CalendarEntry>
    package var kind: Kind
    package var state: State
    package var title: String
    /// Of a rental, as the person is in it.
    package var role: RentalRole?
    /// Of a ride, whether the person drives it.
    package var isDriving: Bool?
    /// The other one.
    package var with: PersonSummary?
    package var startsAt: Date
    package var endsAt: Date
    /// Where whole days are agreed on, the first and the last of them, on the wall where they are (`2026-12-01`).
    package var days: Days?
    /// Where to go; absent where the person may not know it.
    package var place: String?
    package var position: Position?
    /// A path of the pages.
    package var link: String
    /// When what it says last changed.
    package var changedAt: Date
    /// How often it has, since the person's calendar was first read.
    package var sequence: Int?

    /// A vertical more adds its kind here.
    package enum Kind: String, Codable, CaseIterable, Hashable, Sendable { case rental, ride }
    package enum State: String, Codable, CaseIterable, Hashable, Sendable { case tentative, confirmed, cancelled }

    package struct Days: Codable, Hashable, Sendable {
        package var first: String
        package var last: String
        package init(first: String, last: String) {
            self.first = first
            self.last = last
        }
    }

    package init(
        id: ID<CalendarEntry>, kind: Kind, state: State, title: String, role: RentalRole? = nil, isDriving: Bool? = nil,
        with: PersonSummary? = nil, startsAt: Date, endsAt: Date, days: Days? = nil, place: String? = nil,
        position: Position? = nil, link: String, changedAt: Date, sequence: Int? = nil
    ) {
        self.id = id
        self.kind = kind
        self.state = state
        self.title = title
        self.role = role
        self.isDriving = isDriving
        self.with = with
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.days = days
        self.place = place
        self.position = position
        self.link = link
        self.changedAt = changedAt
        self.sequence = sequence
    }
}

extension AuthMethods {
    /// `not_found` where there is none.
    package static let calendarFeed = Method<Nothing, Nothing, CalendarFeed>("auth.calendarFeed", .query)
    /// Makes one, or a new one, which ends the old one.
    package static let renewCalendarFeed = Method<Nothing, Nothing, CalendarFeed>("auth.renewCalendarFeed", .command)
    package static let endCalendarFeed = Method<Nothing, Nothing, Nothing>("auth.endCalendarFeed", .command)
    /// `not_found` also where whose it is is suspended.
    package static let calendarOwner = Method<CalendarToken, Nothing, CalendarOwner>(
        "auth.calendarOwner", .query, peers: [.gateway])
}

extension CommonMethods {
    package var calendarEntries: Method<CalendarEntriesQuery, Nothing, Page<CalendarEntry>> {
        Method("\(service).calendarEntries", .query, peers: [.gateway])
    }
}
