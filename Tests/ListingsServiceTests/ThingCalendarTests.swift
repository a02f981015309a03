import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// A calendar says all there is, in as many answers as it takes.
@Suite struct ThingCalendarTests {
    /// Takes every second hour from the first of October on.
    private func take(_ hours: Int, of thing: ThingID, on listings: Listings) async throws {
        let first = Date(timeIntervalSince1970: 1_790_784_000)  // 2026-10-01, midnight in Singapore
        let last = first + Double(hours - 1) * 7200
        _ = try await listings.database.query(
            """
            INSERT INTO occupied (id, thing, starts, until, period)
            SELECT gen_random_uuid(), \(thing), to_char(hour AT TIME ZONE 'Asia/Singapore', 'YYYY-MM-DD"T"HH24:00'),
                to_char((hour + interval '1 hour') AT TIME ZONE 'Asia/Singapore', 'YYYY-MM-DD"T"HH24:00'),
                tstzrange(hour, hour + interval '1 hour')
            FROM generate_series(\(first)::timestamptz, \(last)::timestamptz, '2 hours') AS hour
            """)
    }

    private func driveway(on listings: Listings) async throws -> ThingID {
        try await listings.posted(
            ThingDraft(kind: .parking, title: "Driveway", region: "East", place: "Tampines", address: "Blk 9")
        ).id
    }

    @Test func whatIsMoreThanOneAnswerHoldsIsToldInSeveral() async throws {
        try await Listings.with { listings in
            let parking = try await driveway(on: listings)
            try await take(1500, of: parking, on: listings)
            func calendar(_ from: String, _ until: String = "2027-10-01") async throws -> ThingCalendar {
                try await listings.rentals.calendar(
                    CalendarQuery(id: parking, from: from, until: until), for: Caller(person: maya))
            }
            let first = try await calendar("2026-10-01")
            // Twelve on a day; the last day that is not whole is left out.
            #expect(first.taken.count == 996 && first.next == "2026-12-23")
            #expect(first.taken.last?.from == "2026-12-22T22:00")
            let second = try await calendar(try #require(first.next))
            #expect(second.taken.count == 504 && second.next == nil)
            #expect(second.taken.first?.from == "2026-12-23T00:00")
            let whole = first.taken + second.taken
            #expect(Set(whole.map(\.from)).count == 1500)
            // What fits into one answer is whole.
            #expect(try await calendar("2026-10-01", "2026-12-22").next == nil)
        }
    }

    @Test func whatReachesOverTheDayIsInBoth() async throws {
        try await Listings.with { listings in
            let parking = try await driveway(on: listings)
            try await take(1500, of: parking, on: listings)
            _ = try await listings.database.query(
                "DELETE FROM occupied WHERE thing = \(parking) AND starts = '2026-12-23T00:00'")
            _ = try await listings.database.query(
                """
                UPDATE occupied SET until = '2026-12-23T01:00', period = tstzrange(lower(period), upper(period) + interval '2 hours')
                WHERE thing = \(parking) AND starts = '2026-12-22T22:00'
                """)
            func calendar(_ from: String) async throws -> ThingCalendar {
                try await listings.rentals.calendar(
                    CalendarQuery(id: parking, from: from, until: "2027-10-01"), for: Caller(person: maya))
            }
            let first = try await calendar("2026-10-01")
            let second = try await calendar(try #require(first.next))
            #expect(first.taken.count == 996 && first.taken.last?.until == "2026-12-23T01:00")
            #expect(second.taken.first == first.taken.last && second.taken.count == 504)
        }
    }

    /// Whoever turns months learns from any of them where to stop.
    @Test func theLastDayIsSaidWhicheverDaysAreAskedFor() async throws {
        try await Listings.with { listings in
            let shed = try await listings.posted(spaceDraft()).id
            let owner = Caller(person: maya)
            let near = try await listings.rentals.calendar(CalendarQuery(id: shed), for: owner)
            let last = try #require(near.last.flatMap { CivilDay($0) })
            let far = try await listings.rentals.calendar(
                CalendarQuery(id: shed, from: (last + 30).text, until: (last + 90).text), for: owner)
            #expect(far.last == near.last && far.taken.isEmpty)
            func refused(_ day: CivilDay) async -> RentalError? {
                let query = RentalQuoteQuery(id: shed, from: day.text, until: day.text)
                return await rentalRefusal { try await listings.rentals.quote(query, for: Caller(person: tom)) }
            }
            #expect(await refused(last) == nil)
            guard case .invalid(let errors) = await refused(last + 1) else {
                Issue.record("what begins later is not refused")
                return
            }
            #expect(errors.map(\.code) == ["too_late"])
        }
    }
}
