import TestKit
import Testing
import WireProtocol

@testable import ListingsService

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What of agreements stands in the calendars of the two.
@Suite struct RentalCalendarTests {
    private func entries(_ person: PersonID, _ listings: Listings) async throws -> [CalendarEntry] {
        try await listings.rentals.calendarEntries(CalendarEntriesQuery(person: person)).items
    }

    @Test func each_of_the_two_has_it_as_they_are_in_it() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            let rental = try await listings.ask(car).id
            let asked = try #require(try await entries(tom, listings).first)
            #expect(asked.state == .tentative && asked.role == .renter && asked.with?.id == maya)
            #expect(asked.days == CalendarEntry.Days(first: "2026-10-01", last: "2026-10-04"))
            #expect(asked.link == "/rentals/\(rental)" && asked.place == nil, "the door is told once it is agreed")
            try await listings.act(rental, .accept, by: maya)
            let (toms, mayas) = (try await entries(tom, listings), try await entries(maya, listings))
            #expect(toms.map(\.state) == [.confirmed] && mayas.map(\.role) == [.owner])
            #expect(toms.first?.place == mayas.first?.place && mayas.first?.with?.id == tom)
            #expect(toms.first?.id == asked.id)
            let others = try await entries(lin, listings)
            #expect(others.isEmpty)
        }
    }

    @Test func what_is_off_stands_there_for_a_month_and_what_was_for_three() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            let off = try await listings.ask(car).id
            let been = try await listings.ask(car, "2026-10-10", "2026-10-11").id
            let declined = try await listings.ask(car, "2026-10-20", "2026-10-21").id
            try await listings.act(off, .cancel, by: tom)
            try await listings.act(declined, .cancel, by: maya)
            listings.clock.advance(by: .seconds(19 * 86_400))
            try await listings.act(been, .handOver, by: maya)
            try await listings.act(been, .giveBack, by: tom)
            let states = try await entries(tom, listings).map(\.state)
            #expect(states == [.cancelled, .confirmed, .cancelled])
            listings.clock.advance(by: .seconds(15 * 86_400))
            #expect(try await entries(tom, listings).map(\.state) == [.confirmed])
            listings.clock.advance(by: .seconds(90 * 86_400))
            let none = try await entries(tom, listings)
            #expect(none.isEmpty)
        }
    }

    @Test func a_long_calendar_comes_in_pages() async throws {
        try await Listings.with { listings in
            let store = listings.rentals.store
            let car = try await listings.posted(carDraft(isInstant: true)).id
            var all: [RentalID] = []
            for day in ["01", "02", "03"] { all.append(try await listings.ask(car, "2026-10-\(day)", "2026-10-\(day)").id) }
            let now = listings.clock.now
            let first = try await store.calendar(of: maya, after: nil, at: now, atMost: 2).map(\.id)
            let rest = try await store.calendar(of: maya, after: first.last, at: now, atMost: 2).map(\.id)
            #expect(first + rest == all.sorted())
            await #expect(throws: ServiceError.self) {
                try await listings.rentals.calendarEntries(CalendarEntriesQuery(person: maya, cursor: "x"))
            }
        }
    }
}
