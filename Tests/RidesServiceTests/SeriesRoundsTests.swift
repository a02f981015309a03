import DurableMessaging
import FoundationEssentials
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// What becomes of a series by itself.
@Suite struct SeriesRoundsTests {
    private struct Cut: Error {}

    @Test func a_ride_is_made_when_its_day_is_28_days_away() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries()
            rides.advance(hours: 35.9)
            try await rides.makeSeries()
            #expect(try await rides.told(RidePosted.self).count == 8)
            rides.advance(hours: 0.1)
            try await rides.makeSeries()
            #expect(try await rides.seen(series.id).days == Example.firstDays + ["2026-10-21"])
            #expect(try await rides.told(RidePosted.self).count == 9)
            #expect(try await rides.seriesRounds.round() == false)
            for _ in 1...90 {
                rides.advance(hours: 24)
                try await rides.makeSeries()
                try await rides.pass()
            }
            let after = try await rides.seen(series.id)
            #expect(after.isOver && after.rides.isEmpty)
            let all = try await rides.told(RidePosted.self).map(\.ride)
            #expect(all.count == 23 && Set(all.map(\.id)).count == 23)
            let clocks = try #require(Zone.named("America/Los_Angeles"))
            #expect(all.allSatisfy { clocks.wallTime(at: $0.departsAt).text.hasSuffix("T08:00") })
            let gone = try await rides.told(RideRemoved.self)
            #expect(!gone.isEmpty && gone.allSatisfy { $0.state == .departed })
            let running = try await rides.database.query("SELECT FROM ride_series WHERE due_at IS NOT NULL")
            #expect(running.isEmpty)
        }
    }

    @Test func what_was_missed_is_made_but_for_what_is_past() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries()
            rides.advance(hours: 30 * 24)
            try await rides.makeSeries()
            let after = try await rides.seen(series.id)
            #expect(after.days.first == "2026-10-26" && after.days.last == "2026-11-18" && after.gaps.isEmpty)
        }
    }

    @Test(.timeLimit(.minutes(5))) func two_replicas_at_once_make_each_ride_once() async throws {
        try await Rides.with { rides in
            let drivers = crowd(20)
            for driver in drivers { _ = try await rides.postedSeries(by: driver) }
            for _ in 1...2 {
                rides.advance(hours: 7 * 24)
                let all = [rides, rides.replica].map {
                    SeriesRounds(store: $0.store, limits: limits, logger: .quiet, batch: 7)
                }
                let results = await atOnce(all) { rounds in
                    for _ in 0..<10 { _ = try await rounds.round() }
                }
                #expect(results.count { $0.isSuccess } == 2)
            }
            try await rides.makeSeries()
            let rows = try await rides.database.query(
                "SELECT series, count(*) AS made, count(DISTINCT series_day) AS days FROM rides GROUP BY series")
            #expect(rows.count == 20)
            for row in rows {
                let (made, days): (Int, Int) = (try row.get("made"), try row.get("days"))
                #expect(made == 12 && days == 12)
            }
            #expect(try await rides.told(RidePosted.self).count == 240)
        }
    }

    @Test func a_round_while_its_driver_does_something_waits_for_nobody() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries().id
            rides.advance(hours: 36)
            try await rides.store.transaction { own in
                _ = try await own.transaction.query(.lock("person", maya))
                #expect(try await rides.replica.seriesRounds.round() == false)
                _ = try await own.series(series, of: maya)
            }
            #expect(try await rides.seen(series).rides.count == 8)
            try await rides.makeSeries()
            #expect(try await rides.seen(series).rides.count == 9)
        }
    }

    @Test func a_round_that_is_cut_off_leaves_nothing_behind_and_the_next_one_does_it() async throws {
        try await Rides.with { rides in
            let id = try await rides.postedSeries { $0.ride?.returnRide = ReturnDraft(departsAt: "2026-09-23T17:00") }
                .id
            rides.advance(hours: 14 * 24)
            await #expect(throws: Cut.self) {
                try await rides.store.transaction { own in
                    let series = try await own.series(id, of: maya)
                    try await own.makeRides(of: series, on: KnownWays(), within: limits)
                    throw Cut()
                }
            }
            #expect(try await rides.told(RidePosted.self).count == 16)
            try await rides.makeSeries()
            #expect(try await rides.told(RidePosted.self).count == 24)
            let rows = try await rides.database.query("SELECT FROM rides GROUP BY series_day HAVING count(*) <> 2")
            #expect(rows.isEmpty)
        }
    }

    @Test func one_that_does_not_work_does_not_hold_up_others() async throws {
        try await Rides.with { rides in
            let (bad, good) = (try await rides.postedSeries().id, try await rides.postedSeries(by: tom).id)
            _ = try await rides.database.query("UPDATE ride_series SET weekdays = '{someday}' WHERE id = \(bad)")
            rides.advance(hours: 36)
            _ = try await rides.seriesRounds.round()
            #expect(try await rides.seen(good, by: tom).rides.count == 9)
            let due: Date = try await rides.database.query("SELECT due_at FROM ride_series WHERE id = \(bad)")[0].get(
                "due_at")
            #expect(due == rides.clock.now + 60, "it is looked at again in a minute")
        }
    }
}
