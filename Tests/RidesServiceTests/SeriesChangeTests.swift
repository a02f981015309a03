import FoundationEssentials
import Messaging
import People
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// How the rides of a series follow it.
@Suite struct SeriesChangeTests {
    private func ride(_ change: (inout RideDraft) -> Void) -> RideDraft {
        var draft = RideDraft()
        change(&draft)
        return draft
    }

    @Test func those_that_nobody_has_asked_for_follow_and_others_stay() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries()
            let (asked, free) = (try series.ride(on: "2026-09-30"), try series.ride(on: "2026-10-05"))
            _ = try await rides.ask(asked)
            let after = try await rides.change(series.id) { draft in
                draft.ride = ride { ($0.departsAt, $0.seats) = ("2030-05-05T09:30", 2) }
            }
            #expect(after.rides.map(\.id) == series.rides.map(\.id) && after.version != series.version)
            #expect(try after.times() == Example.firstDays.map { $0 == "2026-09-30" ? "\($0)T08:00" : "\($0)T09:30" })
            #expect(after.rides.map(\.requests) == [0, 0, 1, 0, 0, 0, 0, 0])
            let (stayed, followed) = (try await rides.stored(asked), try await rides.stored(free))
            #expect(stayed?.seats == 4 && followed?.seats == 2)
            #expect(try await rides.told(RideChanged.self).count == 7)
            rides.advance(hours: 36)
            try await rides.makeSeries()
            let made = try #require(try await rides.seen(series.id).rides.last)
            #expect(try await rides.stored(made.id)?.seats == 2)
        }
    }

    @Test func what_its_driver_said_of_one_of_them_stays_where_the_series_does_not_change_it() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries()
            let single = try series.ride(on: "2026-09-30")
            let own = RideDraft(departsAt: "2026-09-30T10:00", notes: "By the coast.")
            _ = try await rides.rides.change(single, to: own, .from(maya))
            try await rides.change(series.id) { $0.ride = ride { $0.seats = 2 } }
            let after = try await rides.stored(single)
            #expect(after?.seats == 2 && after?.notes == "By the coast.")
            #expect(after?.departsAt == WireJSON.date(from: "2026-09-30T17:00:00Z"))
            try await rides.change(series.id) { $0.ride = ride { $0.notes = "" } }
            #expect(try await rides.stored(single)?.notes == nil)
        }
    }

    @Test func days_that_go_take_their_rides_along_and_may_come_back() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries()
            _ = try await rides.ask(series.ride(on: "2026-10-12"))
            let fewer = try await rides.change(series.id) { draft in
                (draft.weekdays, draft.skips) = ([.wednesday, .friday], ["2026-10-07"])
            }
            let days = [
                "2026-09-23", "2026-09-25", "2026-09-30", "2026-10-02", "2026-10-09", "2026-10-12", "2026-10-14",
                "2026-10-16",
            ]
            #expect(fewer.days == days && fewer.from == "2026-09-23" && fewer.gaps.isEmpty)
            #expect(try await rides.told(RideRemoved.self).count == 4)
            let again = try await rides.change(series.id) { draft in
                (draft.weekdays, draft.skips) = ([.monday, .wednesday], [])
            }
            #expect(again.days == Example.firstDays && again.gaps.isEmpty)
            let shorter = try await rides.change(series.id) { $0.until = "2026-09-30" }
            #expect(shorter.days == ["2026-09-23", "2026-09-28", "2026-09-30", "2026-10-12"])
            rides.advance(hours: 400)
            try await rides.makeSeries()
            #expect(try await rides.seen(series.id).isOver)
        }
    }

    @Test func a_change_of_another_version_changes_nothing() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries()
            let after = try await rides.change(series.id) { draft in
                (draft.ride, draft.version) = (ride { $0.seats = 2 }, series.version)
            }
            let refusal = await rideRefusal {
                try await rides.change(series.id) { ($0.weekdays, $0.version) = ([.friday], series.version) }
            }
            #expect(refusal == .changedMeanwhile(after.version))
            #expect(try await rides.seen(series.id) == after)
        }
    }

    @Test func both_ways_follow_and_the_one_that_is_asked_for_stays() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries {
                $0.ride?.returnRide = ReturnDraft(departsAt: "2026-09-23T17:00")
            }
            _ = try await rides.ask(series.ride(on: "2026-09-28"))
            _ = try await rides.ask(series.ride(on: "2026-09-30", isReturn: true))
            let after = try await rides.change(series.id) { draft in
                draft.ride = RideDraft(
                    departsAt: "2026-09-23T14:00", returnRide: ReturnDraft(departsAt: "2026-09-23T20:00"))
            }
            let times = try after.times()
            #expect(times.prefix(2) == ["2026-09-23T14:00", "2026-09-23T20:00"])
            #expect(times[2...3] == ["2026-09-28T08:00", "2026-09-28T20:00"])
            #expect(
                times[4...5] == ["2026-09-30T08:00", "2026-09-30T17:00"], "or it would leave before it has arrived")
        }
    }

    @Test func a_way_back_may_be_added() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries()
            _ = try await rides.ask(series.ride(on: "2026-09-28"))
            let after = try await rides.change(series.id) { draft in
                draft.ride = RideDraft(returnRide: ReturnDraft(departsAt: "2026-09-23T17:00"))
            }
            #expect(after.rides.count == 16 && after.days == Example.firstDays)
            let there = try await rides.seen(series.ride(on: "2026-09-28"), by: tom)
            #expect(there.other?.isReturn == true)
            #expect(try await rides.seen(series.id) == after)
        }
    }

    @Test func a_way_back_that_was_taken_away_may_be_added_again() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries {
                $0.ride?.returnRide = ReturnDraft(departsAt: "2026-09-23T17:00")
            }
            let asked = try series.ride(on: "2026-09-28", isReturn: true)
            _ = try await rides.ask(asked)
            try await rides.rides.remove(series.ride(on: "2026-09-30", isReturn: true), RideRemoval(), .from(maya))
            func back(at text: String) async throws -> RideSeries {
                try await rides.change(series.id) { draft in
                    draft.ride = RideDraft(returnRide: ReturnDraft(departsAt: text))
                }
            }
            _ = try await back(at: "")
            let again = try await back(at: "2026-09-23T19:00")
            #expect(again.rides.count == 15 && again.days == Example.firstDays)
            #expect(try again.ride(on: "2026-09-28", isReturn: true) == asked)
            #expect(!again.rides.contains { $0.isReturn && $0.day == "2026-09-30" })
        }
    }

    @Test func the_way_back_may_be_taken_away_but_where_somebody_has_asked_for_it() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries {
                $0.ride?.returnRide = ReturnDraft(departsAt: "2026-09-23T17:00")
            }
            let asked = try series.ride(on: "2026-09-28", isReturn: true)
            _ = try await rides.ask(asked)
            let after = try await rides.change(series.id) { draft in
                draft.ride = RideDraft(returnRide: ReturnDraft(departsAt: ""))
            }
            #expect(after.ride.returnRide == nil && after.days == Example.firstDays)
            #expect(after.rides.filter(\.isReturn).map(\.id) == [asked])
            #expect(try await rides.seen(series.id) == after)
        }
    }

    @Test func a_change_to_what_one_drives_already_is_a_gap() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries()
            _ = try await rides.posted { $0.departsAt = "2026-09-30T12:00" }
            let after = try await rides.change(series.id) { $0.ride = ride { $0.departsAt = "2026-09-30T12:10" } }
            #expect(after.missing == ["2026-09-30 duplicate"] && after.rides.count == 7)
            let back = try await rides.change(series.id) { $0.ride = ride { $0.departsAt = "2026-09-30T08:00" } }
            #expect(back.gaps.isEmpty && back.days == Example.firstDays)
        }
    }

    @Test func seats_in_other_rides_are_as_they_were() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries()
            let toms = try await rides.seated(tom, in: series.ride(on: "2026-09-28")).id
            try await rides.change(series.id) { draft in
                draft.ride = RideDraft(stops: [Example.stops[0], Example.stops[2]], departsAt: "2026-09-23T06:00")
            }
            #expect(try await rides.stored(toms)?.isConfirmed == true)
            #expect(try await rides.stored(series.ride(on: "2026-09-30"))?.way.stops.count == 2)
            #expect(try await rides.changes().isEmpty)
            #expect(try await rides.wrongSums() == 0)
        }
    }
}
