import FoundationEssentials
import Messaging
import Testing
import WireProtocol

@testable import RidesService

/// What goes of a series, by itself and altogether.
@Suite struct SeriesEndTests {
    // MARK: A ride by itself

    @Test func a_ride_that_is_taken_back_is_not_made_again() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries()
            try await rides.rides.remove(series.ride(on: "2026-09-28"), RideRemoval(), .from(maya))
            rides.advance(hours: 72)
            try await rides.makeSeries()
            try await rides.change(series.id) { $0.ride = RideDraft(seats: 2) }
            let after = try await rides.seen(series.id)
            #expect(after.missing == ["2026-09-28 removed"] && !after.days.contains("2026-09-28"))
        }
    }

    // MARK: Its end

    @Test func at_its_end_all_that_have_not_left_are_removed() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries {
                $0.ride?.returnRide = ReturnDraft(departsAt: "2026-09-23T17:00")
            }
            let toms = try await rides.seated(tom, in: series.ride(on: "2026-09-30")).id
            let lins = try await rides.ask(series.ride(on: "2026-10-05", isReturn: true), by: lin).id
            try await rides.rides.endSeries(series.id, RideSeriesEnding(reason: "I moved."), .from(maya))
            #expect(try await rides.states([toms, lins]) == [.removed, .removed])
            #expect(try await rides.changes() == ["tom rideRemoved", "lin rideRemoved"])
            #expect(try await rides.told(RideRemoved.self).count == 16)
            #expect(try await rides.stored(series.ride(on: "2026-09-30"))?.reason == "I moved.")
            let after = try await rides.seen(series.id)
            #expect(after.isOver && after.rides.isEmpty && after.gaps.isEmpty)
            rides.advance(hours: 200)
            try await rides.makeSeries()
            #expect(try await rides.seen(series.id).rides.isEmpty)
            #expect(
                await rideRefusal { try await rides.change(series.id) { $0.until = "2026-12-02" } } == .wrongState([]))
        }
    }

    @Test func at_its_end_those_that_somebody_has_asked_for_may_stay() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries()
            let asked = try series.ride(on: "2026-09-30")
            let toms = try await rides.seated(tom, in: asked).id
            let long = RideSeriesEnding(reason: String(repeating: "a", count: 1001), keepsAsked: true)
            #expect(await refusalCode { try await rides.rides.endSeries(series.id, long, .from(maya)) } == .invalid)
            try await rides.rides.endSeries(series.id, RideSeriesEnding(keepsAsked: true), .from(maya))
            #expect(try await rides.stored(toms)?.state == .accepted)
            let after = try await rides.seen(series.id)
            #expect(after.isOver && after.rides.map(\.id) == [asked] && after.rides.first?.requests == 1)
            try await rides.rides.endSeries(series.id, RideSeriesEnding(), .from(maya))
            #expect(try await rides.stored(toms)?.state == .removed)
        }
    }
}
