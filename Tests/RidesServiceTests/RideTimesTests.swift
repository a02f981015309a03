import FoundationEssentials
import Testing
import WireProtocol

@testable import RidesService

@Suite("When a ride leaves")
struct RideTimesTests {
    private func times(
        _ departsAt: String?, _ leavesBy: String? = nil, in zone: String? = nil, insteadOf before: OfferedRide? = nil,
        at now: Date = noon
    ) -> (times: RideTimes?, errors: [String]) {
        var errors: [FieldError] = []
        let draft = RideDraft(departsAt: departsAt, leavesBy: leavesBy, zone: zone)
        let times = RideTimes(draft, insteadOf: before, at: now, within: limits, &errors)
        return (times, errors.map { "\($0.field): \($0.code)" })
    }

    private func date(_ text: String) throws -> Date { try #require(WireJSON.date(from: text)) }

    /// On the wall, and what it means: around midnight, and before, in and after the nights in which clocks are turned.
    @Test(arguments: [
        ("America/Los_Angeles", "2026-09-25T23:30", "2026-09-26T06:30:00Z"),
        ("America/Los_Angeles", "2026-09-26T00:30", "2026-09-26T07:30:00Z"),
        ("America/Los_Angeles", "2026-10-31T23:30", "2026-11-01T06:30:00Z"),
        ("America/Los_Angeles", "2026-11-01T00:30", "2026-11-01T07:30:00Z"),
        ("America/Los_Angeles", "2026-11-01T02:00", "2026-11-01T10:00:00Z"),
        ("America/Los_Angeles", "2026-11-01T23:30", "2026-11-02T07:30:00Z"),
        ("America/Los_Angeles", "2027-03-14T00:30", "2027-03-14T08:30:00Z"),
        ("America/Los_Angeles", "2027-03-14T03:00", "2027-03-14T10:00:00Z"),
        ("America/Los_Angeles", "2027-03-14T23:30", "2027-03-15T06:30:00Z"),
        ("Europe/Berlin", "2026-10-25T00:30", "2026-10-24T22:30:00Z"),
        ("Europe/Berlin", "2026-10-25T23:30", "2026-10-25T22:30:00Z"),
        ("Europe/Berlin", "2027-03-28T01:59", "2027-03-28T00:59:00Z"),
        ("Europe/Berlin", "2027-03-28T03:00", "2027-03-28T01:00:00Z"),
        ("Australia/Lord_Howe", "2026-10-04T02:30", "2026-10-03T15:30:00Z"),
        ("Asia/Kolkata", "2026-10-25T17:05", "2026-10-25T11:35:00Z"),
        ("Asia/Singapore", "2026-11-01T01:30", "2026-10-31T17:30:00Z"),
    ])
    func a_time_is_one_of_its_zone(_ zone: String, _ text: String, _ moment: String) throws {
        let (times, errors) = times(text, in: zone)
        #expect(errors == [] && times?.zone == zone && times?.isShownTwice == false)
        #expect(times?.departsAt == (try date(moment)) && times?.leavesBy == times?.departsAt)
    }

    @Test(arguments: [
        ("America/Los_Angeles", "2026-11-01T01:30", "2026-11-01T08:30:00Z"),
        ("Europe/Berlin", "2026-10-25T02:00", "2026-10-25T00:00:00Z"),
        ("Europe/Berlin", "2026-10-25T02:59", "2026-10-25T00:59:00Z"),
        ("Australia/Lord_Howe", "2027-04-04T01:45", "2027-04-03T14:45:00Z"),
    ])
    func of_a_time_that_is_shown_twice_the_first_is_meant(_ zone: String, _ text: String, _ moment: String) throws {
        let (times, errors) = times(text, in: zone)
        #expect(errors == [] && times?.isShownTwice == true)
        #expect(times?.departsAt == (try date(moment)))
    }

    @Test(arguments: [
        ("America/Los_Angeles", "2027-03-14T02:00"), ("America/Los_Angeles", "2027-03-14T02:59"),
        ("Europe/Berlin", "2027-03-28T02:30"), ("Australia/Lord_Howe", "2026-10-04T02:15"),
    ])
    func a_time_that_is_passed_over_is_none(_ zone: String, _ text: String) {
        #expect(times(text, in: zone).errors == ["departsAt: no_such_time"])
        #expect(times("2026-10-01T12:00", text, in: zone).errors == ["leavesBy: no_such_time"])
    }

    /// Which of them is meant is said as a moment.
    @Test func a_moment_is_itself() throws {
        let (times, errors) = times("2026-11-01T09:30:00Z", "2026-11-01T02:30:00-08:00")
        #expect(errors == [] && times?.isShownTwice == false && times?.zone == "America/Los_Angeles")
        #expect(times?.departsAt == (try date("2026-11-01T09:30:00Z")))
        #expect(times?.leavesBy == (try date("2026-11-01T10:30:00Z")))
    }

    @Test func the_end_of_a_departure_is_after_its_beginning() throws {
        #expect(times("2026-09-25T23:30", "2026-09-26T00:30").errors == [])
        #expect(times("2026-09-25T23:30", "2026-09-25T00:30").errors == ["leavesBy: out_of_order"])
        #expect(times("2026-09-25T17:00", "2026-09-25T23:00").errors == [])
        #expect(times("2026-09-25T17:00", "2026-09-25T23:01").errors == ["leavesBy: too_long"])
        // An hour is twice as long where clocks are put back: from a quarter to two to a quarter past one.
        let back = times("2026-11-01T01:45", "2026-11-01T01:15").times
        #expect(back?.departsAt == (try date("2026-11-01T08:45:00Z")))
        #expect(back?.leavesBy == (try date("2026-11-01T09:15:00Z")))
        // From half past eleven to half past five pass seven hours.
        #expect(times("2026-10-31T23:30", "2026-11-01T05:30").errors == ["leavesBy: too_long"])
        #expect(times("2027-03-13T23:30", "2027-03-14T06:30").errors == [])
    }

    @Test func a_ride_leaves_within_a_year() throws {
        #expect(times(WireJSON.text(of: noon - 60)).errors == [])
        #expect(times(WireJSON.text(of: noon - 61)).errors == ["departsAt: in_past"])
        #expect(times(WireJSON.text(of: noon + 365 * 86_400)).errors == [])
        #expect(times(WireJSON.text(of: noon + 365 * 86_400 + 1)).errors == ["departsAt: too_far_ahead"])
    }

    @Test(arguments: [
        "tomorrow", "2026-09-25", "2026-09-25 17:00", "2026-09-25T24:00", "2026-02-30T12:00", "2026-09-25T17:60",
    ])
    func what_is_no_time_is_refused(_ text: String) {
        #expect(times(text).errors == ["departsAt: not_a_time"])
        #expect(times("2026-09-25T17:00", text).errors == ["leavesBy: not_a_time"])
    }

    @Test func what_is_missing_or_no_zone_is_said() {
        #expect(times(nil).errors == ["departsAt: required"])
        #expect(times("").errors == ["departsAt: required"])
        #expect(times("2026-09-25T17:00", in: "Mars/Base").errors == ["zone: not_a_zone"])
        #expect(times("2026-09-25T17:00", in: "").times?.zone == "America/Los_Angeles")
    }

    // MARK: Changes

    @Test func what_is_not_said_stays() throws {
        let (single, window) = (Example.ride(), Example.ride(window: 2))
        #expect(times(nil, insteadOf: window).times?.leavesBy == window.leavesBy)
        #expect(times(nil, "", insteadOf: window).times?.leavesBy == window.departsAt)
        let text = WireJSON.text(of: single.departsAt + 3600)
        #expect(times(text, insteadOf: single).times?.leavesBy == single.departsAt + 3600, "it leaves at one time")
        #expect(times(text, insteadOf: window).times?.leavesBy == window.leavesBy)
        let later = WireJSON.text(of: window.leavesBy + 60)
        #expect(times(later, insteadOf: window).errors == ["leavesBy: out_of_order"])
        let moved = times(nil, in: "Europe/Berlin", insteadOf: single).times
        #expect(moved?.zone == "Europe/Berlin" && moved?.departsAt == single.departsAt)
    }

    /// Who changes something else while it may leave any moment does not post it anew.
    @Test func what_was_possible_is_not_asked_for_anew() {
        let (window, now) = (Example.ride(window: 2), Example.departure + 3600)
        #expect(times(nil, insteadOf: window, at: now).errors == [])
        #expect(times(WireJSON.text(of: window.departsAt), insteadOf: window, at: now).errors == [])
        #expect(
            times(WireJSON.text(of: window.departsAt + 60), insteadOf: window, at: now).errors == ["departsAt: in_past"]
        )
    }
}
