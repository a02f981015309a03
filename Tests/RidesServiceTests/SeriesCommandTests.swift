import FoundationEssentials
import Messaging
import People
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// How a series is posted, and what its driver and others see of it.
@Suite struct SeriesCommandTests {
    // MARK: Posting

    @Test func its_first_rides_are_there_as_soon_as_it_is_posted() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries()
            #expect(series.from == "2026-09-23" && series.until == "2026-12-09" && !series.isOver)
            #expect(series.weekdays == [.monday, .wednesday] && series.ride.departsAt == "2026-09-23T08:00")
            #expect(series.days == Example.firstDays && series.gaps.isEmpty)
            #expect(try series.times() == Example.firstDays.map { "\($0)T08:00" })
            #expect(try await rides.seen(series.id) == series)
            #expect(try await rides.told(RidePosted.self).map(\.ride.id) == series.rides.map(\.id))
            let first = try await rides.seen(try #require(series.rides.first).id, by: tom)
            #expect(first.series == series.id && first.action == .ask && first.notes == "No smoking.")
        }
    }

    @Test func the_same_request_posts_it_once() async throws {
        try await Rides.with { rides in
            let request = RequestContext.from(maya)
            let first = try await rides.rides.postSeries(Example.series(), request)
            let second = try await rides.replica.rides.postSeries(Example.series(), request)
            #expect(first == second && first.rides.count == 8)
            #expect(try await rides.told(RidePosted.self).count == 8)
        }
    }

    @Test func with_a_way_back_each_day_has_both() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries { draft in
                draft.ride?.returnRide = ReturnDraft(departsAt: "2026-09-23T17:00", seats: 2)
            }
            #expect(series.rides.count == 16 && series.days == Example.firstDays)
            #expect(try series.times().prefix(2) == ["2026-09-23T08:00", "2026-09-23T17:00"])
            let there = try await rides.seen(series.ride(on: "2026-09-28"), by: tom)
            let back = try await rides.seen(series.ride(on: "2026-09-28", isReturn: true), by: tom)
            #expect(there.other?.id == back.id && there.other?.isReturn == true && back.other?.id == there.id)
            #expect(back.seats == 2 && back.stops.map(\.name) == there.stops.map(\.name).reversed())
            #expect(back.series == series.id)
        }
    }

    @Test func regions_are_asked_for_once() async throws {
        let asked = Counter()
        try await Rides.with(region: { _ in
            asked.count()
            return "California"
        }) { rides in
            let series = try await rides.postedSeries()
            #expect(asked.total == 3)
            let last = try await rides.stored(try #require(series.rides.last).id)
            #expect(last?.way.regions == ["California", "California", "California"])
            rides.advance(hours: 72)
            try await rides.makeSeries()
            let made = try #require(try await rides.seen(series.id).rides.last)
            #expect(made.day == "2026-10-21")
            #expect(try await rides.stored(made.id)?.way.isPlaced == true)
            #expect(asked.total == 3)
        }
    }

    @Test func a_series_counts_as_one_open_ride() async throws {
        var few = limits
        few.rides = 2
        try await Rides.with(limits: few) { rides in
            let series = try await rides.postedSeries()
            _ = try await rides.postedSeries { draft in
                draft.ride?.departsAt = "2026-12-01T20:00"
                draft.until = "2026-12-30"
            }
            #expect(
                await rideRefusal { try await rides.posted() } == .tooManyRides(limit: 2), "though it has no ride yet")
            #expect(await rideRefusal { try await rides.postedSeries() } == .tooManyRides(limit: 2))
            try await rides.rides.endSeries(series.id, RideSeriesEnding(), .from(maya))
            #expect(try await rides.posted().state == .open)
        }
    }

    @Test func a_day_on_which_one_drives_already_is_a_gap_until_one_does_not() async throws {
        try await Rides.with { rides in
            let own = try await rides.posted { $0.departsAt = "2026-09-28T08:20" }.id
            let quote = try await rides.rides.quoteSeries(Example.series(), for: Caller(person: maya))
            #expect(quote.gaps == [SeriesGap(day: "2026-09-28", why: .duplicate)] && quote.days.count == 22)
            let series = try await rides.postedSeries()
            #expect(series.missing == ["2026-09-28 duplicate"] && series.rides.count == 7)
            #expect(try await rides.postedSeries().rides.isEmpty, "it is driven already")
            #expect(try await rides.postedSeries(by: tom).rides.count == 8)
            try await rides.rides.remove(own, RideRemoval(), .from(maya))
            rides.advance(hours: 36)
            try await rides.makeSeries()
            #expect(try await rides.seen(series.id).missing.isEmpty)
        }
    }

    @Test func a_quote_says_all_of_its_days() async throws {
        try await Rides.with { rides in
            let draft = Example.series { draft in
                draft.skips = ["2026-09-23", "2026-09-30"]
                draft.ride?.returnRide = ReturnDraft(departsAt: "2026-09-23T17:00")
            }
            let quote = try await rides.rides.quoteSeries(draft, for: Caller(person: maya))
            #expect(quote.days.count == 21 && quote.days.first == "2026-09-28" && quote.days.last == "2026-12-09")
            #expect(quote.ride.departsAt == WireJSON.date(from: "2026-09-28T15:00:00Z"))
            #expect(quote.ride.returnRide != nil && quote.gaps.isEmpty)
            #expect(try await rides.told(RidePosted.self).isEmpty)
            #expect(await refusalCode { try await rides.rides.quoteSeries(draft, for: .anonymous) } == .unauthenticated)
        }
    }

    // MARK: Who sees it

    @Test func it_is_its_drivers_own() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries().id
            #expect(await refusalCode { try await rides.seen(series, by: tom) } == .notFound)
            #expect(await refusalCode { try await rides.change(series, by: tom) { $0.skips = [] } } == .notFound)
            let end = await refusalCode { try await rides.rides.endSeries(series, RideSeriesEnding(), .from(tom)) }
            #expect(end == .notFound)
            #expect(
                await refusalCode { try await rides.rides.postSeries(Example.series(), .from(nil)) } == .unauthenticated
            )
            try await rides.suspend(maya, until: nil)
            #expect(await refusalCode { try await rides.postedSeries() } == .suspended)
        }
    }

    @Test func ones_own_are_listed_the_latest_first() async throws {
        try await Rides.with { rides in
            var posted: [RideSeriesID] = []
            for hour in 10...14 {
                posted.append(try await rides.postedSeries { $0.ride?.departsAt = "2026-09-23T\(hour):00" }.id)
                rides.clock.advance(by: .seconds(1))
            }
            _ = try await rides.postedSeries(by: tom)
            func page(_ cursor: String?) async throws -> Page<RideSeries> {
                try await rides.rides.mySeries(MySeriesQuery(limit: 2, cursor: cursor), for: Caller(person: maya))
            }
            var (found, cursor): ([RideSeries], String?) = ([], nil)
            repeat {
                let page = try await page(cursor)
                found += page.items
                cursor = page.next
            } while cursor != nil
            #expect(found.map(\.id) == posted.reversed() && found.allSatisfy { $0.rides.count == 8 })
            #expect(await refusalCode { try await page("x") } == .invalid)
        }
    }

    @Test func everybody_sees_its_rides() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries()
            _ = try await rides.posted { $0.departsAt = "2026-09-24T08:00" }
            func page(_ cursor: String? = nil) async throws -> Page<Ride> {
                try await rides.rides.rides(RideQuery(series: series.id, limit: 5, cursor: cursor), for: .anonymous)
            }
            let first = try await page()
            #expect(first.items.map(\.id) == series.rides.prefix(5).map(\.id))
            #expect(try await page(first.next).items.map(\.id) == series.rides.suffix(3).map(\.id))
            #expect(
                wrong { () throws(RideError) in _ = try RidePage(RideQuery(region: "California", series: series.id)) }
                    == ["series: not_allowed"])
            let mine = try await rides.rides.rides(RideQuery(by: tom, series: series.id), for: .anonymous)
            #expect(mine.items.isEmpty)
        }
    }
}

private final class Counter: Sendable {
    private let counted = Mutex(0)
    var total: Int { counted.withLock { $0 } }
    func count() { counted.withLock { $0 += 1 } }
}
