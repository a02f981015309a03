import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// What stands of rides in the calendars of those in them.
@Suite struct RideCalendarTests {
    private func entries(_ person: PersonID, _ rides: Rides) async throws -> [CalendarEntry] {
        try await rides.rides.calendarEntries(CalendarEntriesQuery(person: person)).items
    }

    @Test func each_has_it_as_they_are_in_it() async throws {
        try await Rides.with { rides in
            try await rides.name(maya, "Maya")
            let ride = try await rides.posted()
            let driven = try #require(try await entries(maya, rides).first)
            #expect(driven.state == .confirmed && driven.isDriving == true && driven.with == nil)
            #expect(driven.title == "San Luis Obispo → San Francisco" && driven.link == "/rides/\(ride.id)")
            #expect(driven.startsAt == ride.departsAt && driven.endsAt == ride.arrivesAt)
            #expect(driven.place == "1 Grand Ave" && driven.position == campus)

            let seat = try await rides.ask(ride.id, 0...1).id
            let asked = try #require(try await entries(tom, rides).first)
            #expect(asked.state == .tentative && asked.isDriving == false && asked.with?.name == "Maya")
            #expect(asked.title == "San Luis Obispo → Salinas" && asked.link == "/seats/\(seat)")
            #expect(asked.startsAt == ride.departsAt && asked.endsAt == ride.stops[1].time)
            #expect(asked.place == "San Luis Obispo" && asked.position == nil, "the door is told with the seat")
            #expect(asked.sequence == 0)

            try await rides.act(seat, .accept)
            let given = try #require(try await entries(tom, rides).first)
            #expect(given.id == asked.id && given.state == .confirmed && given.sequence == 1)
            #expect(given.place == "1 Grand Ave" && given.position == campus)
            #expect(try await entries(maya, rides).count == 1, "hers is the ride")
            #expect(try await entries(lin, rides).isEmpty)
        }
    }

    @Test func what_was_cancelled_says_so_for_thirty_days() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            let seat = try await rides.seated(in: ride).id
            let waiting = try await rides.ask(ride, by: lin)
            try await rides.act(waiting.id, .reject)
            #expect(try await entries(lin, rides).isEmpty, "it came to nothing")
            _ = try await entries(tom, rides)
            try await rides.act(seat, .leave, by: tom)
            let left = try #require(try await entries(tom, rides).first)
            #expect(left.state == .cancelled && left.sequence == 1 && left.changedAt == rides.clock.now)
            try await rides.rides.remove(ride, RideRemoval(), .from(maya))
            #expect(try await entries(maya, rides).map(\.state) == [.cancelled])
            rides.advance(hours: 30 * 24)
            for person in [maya, tom] { #expect(try await entries(person, rides).isEmpty) }
        }
    }

    @Test func what_says_the_same_has_the_same_number() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            _ = try await rides.seated(in: ride)
            let first = try await entries(tom, rides)
            rides.advance(hours: 1)
            _ = try await rides.rides.change(ride, to: RideDraft(seats: 6), .from(maya))
            #expect(try await entries(tom, rides) == first)
            let later = RideDraft(departsAt: WireJSON.text(of: Example.departure + 600))
            _ = try await rides.rides.change(ride, to: later, .from(maya))
            let moved = try #require(try await entries(tom, rides).first)
            #expect(moved.startsAt == Example.departure + 600 && moved.sequence == 1)
            #expect(moved.changedAt == rides.clock.now)
            try await rides.name(maya, "Maya Tan")
            #expect(try await entries(tom, rides).first?.sequence == 2)
        }
    }

    @Test func what_is_over_stays_for_ninety_days() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted()
            _ = try await rides.seated(in: ride.id)
            rides.advance(hours: 48)
            try await rides.pass()
            _ = try await rides.rides.arrive(ride.id, .from(maya))
            rides.advance(hours: 89 * 24)
            #expect(try await entries(tom, rides).map(\.state) == [.confirmed])
            #expect(try await entries(maya, rides).map(\.state) == [.confirmed])
            rides.advance(hours: 30)
            for person in [maya, tom] { #expect(try await entries(person, rides).isEmpty) }
        }
    }

    @Test func a_long_calendar_comes_in_pages() async throws {
        try await Rides.with { rides in
            var all: [UUID] = []
            for day in 2...4 {
                let ride = try await rides.posted { $0.departsAt = WireJSON.text(of: after(hours: Double(day) * 24)) }
                all.append(ride.id.uuid)
            }
            let other = try await rides.posted(by: lin) { $0.departsAt = WireJSON.text(of: after(hours: 240)) }.id
            all.append(try await rides.ask(other, by: maya).id.uuid)
            var found: [ID<CalendarEntry>] = []
            while true {
                let page = try await rides.store.calendar(
                    of: maya, after: found.last, at: rides.clock.now, atMost: 3)
                found += page
                if page.count < 3 { break }
            }
            #expect(found == all.map { ID<CalendarEntry>($0) }.sorted())
            let next = CalendarEntriesQuery(person: maya, cursor: found[1].description)
            #expect(try await rides.rides.calendarEntries(next).items.map(\.id) == Array(found[2...]))
            #expect(
                await refusalCode {
                    try await rides.rides.calendarEntries(CalendarEntriesQuery(person: maya, cursor: "x"))
                } == .invalid)
        }
    }

    /// However long their past is.
    @Test func a_page_reads_only_what_is_not_over_for_long() async throws {
        try await Rides.with { rides in
            let page = RideStore.calendar(of: maya, after: .new(), at: rides.clock.now, atMost: 3)
            let plan = try await rides.database.transaction { transaction in
                try await transaction.query("SET LOCAL enable_seqscan = off")
                return try await transaction.query("EXPLAIN " + page)
            }.map { try $0.get("QUERY PLAN", as: String.self) }.joined(separator: "\n")
            for index in ["rides_driving", "rides_driven", "requests_unanswered", "requests_ahead", "requests_past"] {
                #expect(plan.contains(index), "\(plan)")
            }
            #expect(!plan.contains("of_driver") && !plan.contains("of_rider"), "\(plan)")
        }
    }
}
