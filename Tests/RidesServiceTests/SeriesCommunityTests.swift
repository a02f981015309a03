import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// What becomes of a series where its driver is suspended or erases themselves, and what is kept of it.
@Suite struct SeriesCommunityTests {
    @Test func nothing_is_made_while_its_driver_is_suspended() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries().id
            try await rides.suspend(maya, until: after(hours: 7 * 24))
            for _ in 1...6 {
                rides.advance(hours: 24)
                try await rides.makeSeries()
            }
            #expect(try await rides.told(RidePosted.self).count == 8)
            rides.advance(hours: 24)
            try await rides.makeSeries()
            #expect(try await rides.seen(series).days.last == "2026-10-26")
            #expect(try await rides.told(RidePosted.self).count == 10)
            try await rides.suspend(maya, until: nil)
            rides.advance(hours: 48)
            try await rides.makeSeries()
            try await rides.hear(PersonReinstated(person: maya))
            rides.advance(hours: 1)
            try await rides.makeSeries()
            #expect(try await rides.seen(series).days.last == "2026-10-28")
        }
    }

    @Test func a_suspension_that_outlasts_it_ends_it() async throws {
        try await Rides.with { rides in
            _ = try await rides.postedSeries { $0.until = "2026-11-04" }
            try await rides.suspend(maya, until: nil)
            rides.advance(hours: 50 * 24)
            try await rides.makeSeries()
            let rows = try await rides.database.query("SELECT FROM ride_series WHERE due_at IS NOT NULL")
            #expect(rows.isEmpty)
        }
    }

    @Test func what_is_over_for_a_month_keeps_no_doors() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries { draft in
                draft.until = "2026-10-07"
                draft.ride?.returnRide = ReturnDraft(stops: Example.stops.reversed(), departsAt: "2026-09-23T17:00")
            }.id
            rides.advance(hours: 44 * 24)
            try await rides.makeSeries()
            #expect(try await rides.seen(series).ride.stops == Example.stops)
            rides.advance(hours: 3 * 24)
            try await rides.makeSeries()
            let draft = try await rides.seen(series).ride
            #expect(draft.stops?.map(\.address) == [nil, nil, nil])
            #expect(draft.stops?.map(\.position) == [campus.onGrid, salinas.onGrid, city.onGrid])
            #expect(draft.returnRide?.stops?.allSatisfy { $0.address == nil } == true)
            #expect(try await rides.seriesRounds.round() == false)
        }
    }

    @Test func nothing_is_left_of_it_when_its_driver_erases_themselves() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries {
                $0.ride?.returnRide = ReturnDraft(departsAt: "2026-09-23T17:00")
            }
            let there = try series.ride(on: "2026-09-28")
            let back = try series.ride(on: "2026-09-30", isReturn: true)
            for ride in [there, back] { _ = try await rides.seated(tom, in: ride) }
            try await rides.erase(maya)
            #expect(try await rides.database.query("SELECT FROM ride_series").isEmpty)
            #expect(try await rides.database.query("SELECT FROM rides").count == 2)
            for ride in [there, back] {
                let kept = try await rides.stored(ride)
                #expect(kept?.driver == .nobody && kept?.series == nil && kept?.seriesDay == nil)
            }
            let records = try await rides.told(PersonalDataErased.self).flatMap(\.records)
            #expect(records.map { "\($0.count) \($0.kind.rawValue)" } == ["15 rides", "2 unnamed", "2 seats"])
            rides.advance(hours: 200)
            try await rides.makeSeries()
            #expect(try await rides.database.query("SELECT FROM rides").count == 2)
            let late = await refusalCode { try await rides.postedSeries { $0.ride?.departsAt = "2026-10-05T08:00" } }
            #expect(late == .unauthenticated)
        }
    }

    @Test func ones_own_records_have_it() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries { $0.until = "2026-09-23" }
            _ = try await rides.postedSeries(by: tom)
            #expect(series.rides.count == 1)
            #expect(try await rides.recordKinds(of: maya) == ["rides", "series"])
        }
    }
}
