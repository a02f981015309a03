import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

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
            let states = try await entries(tom, listings).map(\.state.rawValue).sorted()
            #expect(states == ["cancelled", "cancelled", "confirmed"])
            listings.clock.advance(by: .seconds(15 * 86_400))
            #expect(try await entries(tom, listings).map(\.state) == [.confirmed])
            listings.clock.advance(by: .seconds(90 * 86_400))
            let none = try await entries(tom, listings)
            #expect(none.isEmpty)
        }
    }

    @Test func whatever_changes_of_it_is_a_later_version_of_it() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            let rental = try await listings.ask(car).id
            func entry(_ person: PersonID = tom) async throws -> CalendarEntry {
                listings.clock.advance(by: .seconds(60))
                return try #require(try await entries(person, listings).first)
            }
            let first = try await entry()
            #expect(first.sequence == 0 && first.changedAt == noon)
            #expect(try await entry() == first, "what did not change is the same, whenever it is read")
            _ = try await listings.rentals.amend(car, with: ThingDraft(address: "Blk 124, #01-01"), .from(maya))
            let moved = try await entry()
            #expect(moved.sequence == 1 && moved.changedAt > first.changedAt && moved.place == "Blk 124, #01-01")
            _ = try await listings.database.query(
                """
                INSERT INTO people (id, name, rating, reviews) VALUES (\(maya), 'Maya Lim', 5, 1)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name
                """)
            let renamed = try await entry()
            #expect(renamed.sequence == 2 && renamed.with?.name == "Maya Lim" && renamed.changedAt > moved.changedAt)
            // What they think of her, and the price of others, stand in no calendar.
            _ = try await listings.database.query("UPDATE people SET rating = 4, reviews = 2 WHERE id = \(maya)")
            #expect(try await entry().sequence == 2)
            #expect(try await entry(maya).sequence == 0, "each has versions of their own")
            try await listings.act(rental, .cancel, by: tom)
            let off = try await entry()
            #expect(off.sequence == 3 && off.state == .cancelled && off.changedAt > renamed.changedAt)
        }
    }

    @Test func of_programs_that_read_at_once_all_read_the_same() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            _ = try await listings.ask(car)
            for street in 1...3 {
                let moved = ThingDraft(address: "Blk \(street)")
                _ = try await listings.rentals.amend(car, with: moved, .from(maya))
                let read = await atOnce(Array(1...8)) { _ -> [Int?] in
                    try await entries(tom, listings).map(\.sequence)
                }
                #expect(read.allSatisfy { (try? $0.get()) == [street - 1] })
            }
        }
    }

    @Test func what_came_back_early_ends_then() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            let rental = try await listings.ask(car).id
            // The second of four days, in the evening.
            listings.clock.advance(by: .seconds(11 * 86_400))
            try await listings.act(rental, .handOver, by: maya)
            try await listings.act(rental, .giveBack, by: tom)
            let back = try #require(try await entries(tom, listings).first)
            #expect(back.days == CalendarEntry.Days(first: "2026-10-01", last: "2026-10-02"))
            #expect(back.endsAt == listings.clock.now && back.state == .confirmed && back.startsAt < back.endsAt)
            // Whatever becomes of it.
            try await listings.act(rental, .dispute, by: maya)
            let disputed = try #require(try await entries(maya, listings).first)
            #expect(disputed.days == back.days && disputed.endsAt == back.endsAt)
        }
    }

    @Test func what_came_back_before_it_began_was_had_then() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            let rental = try await listings.ask(car).id
            listings.clock.advance(by: .seconds(8.25 * 86_400))
            try await listings.act(rental, .handOver, by: maya)
            listings.clock.advance(by: .seconds(3600))
            try await listings.act(rental, .giveBack, by: tom)
            let entry = try #require(try await entries(tom, listings).first)
            #expect(entry.days == CalendarEntry.Days(first: "2026-09-30", last: "2026-09-30"))
            #expect(entry.startsAt < entry.endsAt && entry.endsAt == listings.clock.now)
        }
    }

    @Test func who_is_erased_leaves_nothing_of_it() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            _ = try await listings.ask(car)
            _ = try await entries(tom, listings)
            _ = try await listings.rentals.store.transaction { rentals in try await rentals.erase(tom).photos }
            let left: Int = try await listings.database.query(
                "SELECT count(*) AS kept FROM calendar_entries WHERE person = \(tom)")[0].get("kept")
            #expect(left == 0)
        }
    }

    @Test func a_long_calendar_comes_in_pages() async throws {
        try await Listings.with { listings in
            let store = listings.rentals.store
            let car = try await listings.posted(carDraft(isInstant: true)).id
            var all: [RentalID] = []
            for day in ["01", "02", "03"] {
                all.append(try await listings.ask(car, "2026-10-\(day)", "2026-10-\(day)").id)
            }
            let now = listings.clock.now
            let first = try await store.calendar(of: maya, after: nil, at: now, atMost: 2).map(\.id)
            let rest = try await store.calendar(of: maya, after: first.last, at: now, atMost: 2).map(\.id)
            #expect(first + rest == all.sorted())
            await #expect(throws: ServiceError.self) {
                try await listings.rentals.calendarEntries(CalendarEntriesQuery(person: maya, cursor: "x"))
            }
        }
    }

    /// However long their past is.
    @Test func a_page_reads_only_what_is_not_over_for_long() async throws {
        try await Listings.with { listings in
            let page = RentalStore.calendar(of: tom, after: .new(), at: noon, atMost: 3)
            let plan = try await listings.database.transaction { transaction in
                try await transaction.query("SET LOCAL enable_seqscan = off")
                return try await transaction.query("EXPLAIN " + page)
            }.map { try $0.get("QUERY PLAN", as: String.self) }.joined(separator: "\n")
            #expect(plan.contains("rentals_of_owner_by_end") && plan.contains("rentals_of_renter_by_end"), "\(plan)")
        }
    }
}
