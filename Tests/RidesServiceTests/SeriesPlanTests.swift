import FoundationEssentials
import Testing
import WireProtocol

@testable import RidesService

@Suite("The days of a series, and what there is on each")
struct SeriesPlanTests {
    private func series(_ change: (inout RideSeriesDraft) -> Void = { _ in }) throws -> OfferedSeries {
        let offer = try SeriesOffer(Example.series(change), at: noon, within: limits)
        return OfferedSeries(offer, id: .new(at: noon), by: maya, at: noon)
    }

    /// Each week from a week before a day until a week after it.
    private func series(around day: String, at time: String, in zone: String) throws -> OfferedSeries {
        let middle = try #require(CivilDay(day))
        return try series { draft in
            draft.ride?.departsAt = "\((middle + -7).text)T\(time)"
            draft.ride?.zone = zone
            (draft.weekdays, draft.until) = ([middle.weekday], (middle + 7).text)
        }
    }

    private func departures(_ series: OfferedSeries) throws -> [Date?] {
        try series.plan.days().map { try series.rides(on: $0, at: noon, within: limits)?.first?.departsAt }
    }

    @Test func days_of_the_week_are_known() {
        #expect(CivilDay("1970-01-01")?.weekday == .thursday)
        #expect(CivilDay("2026-09-21")?.weekday == .monday)
        #expect(CivilDay("2028-02-29")?.weekday == .tuesday)
        #expect(CivilDay(number: -1).weekday == .wednesday && CivilDay(number: -11).weekday == .sunday)
    }

    @Test func its_days_are_those_of_the_week_but_for_what_is_left_out() throws {
        let series = try series { ($0.until, $0.skips) = ("2026-10-07", ["2026-09-30", "2026-10-01"]) }
        #expect(series.plan.days().map(\.text) == ["2026-09-23", "2026-09-28", "2026-10-05", "2026-10-07"])
        let some = series.plan.days(from: CivilDay("2026-09-24"), through: CivilDay("2026-10-05"))
        #expect(some.map(\.text) == ["2026-09-28", "2026-10-05"])
        #expect(series.plan.days(from: CivilDay("2026-10-08")).isEmpty)
    }

    // MARK: Clocks

    @Test(arguments: [
        ("America/Los_Angeles", "2026-11-01"), ("America/Los_Angeles", "2027-03-14"), ("Europe/Berlin", "2026-10-25"),
        ("Europe/Berlin", "2027-03-28"), ("Australia/Lord_Howe", "2026-10-04"), ("Australia/Lord_Howe", "2027-04-04"),
        ("America/St_Johns", "2026-11-01"), ("America/St_Johns", "2027-03-14"),
    ])
    func eight_stays_eight_on_the_wall(_ zone: String, _ change: String) throws {
        let (series, clocks) = (try series(around: change, at: "08:00", in: zone), try #require(Zone.named(zone)))
        let moments = try departures(series).compactMap(\.self)
        #expect(moments.map { clocks.wallTime(at: $0).text } == series.plan.days().map { "\($0.text)T08:00" })
        #expect(moments.count == 3 && moments[2].timeIntervalSince(moments[0]) != 14 * 86_400)
    }

    @Test(arguments: [
        ("America/Los_Angeles", "2027-03-14", "02:30"), ("Europe/Berlin", "2027-03-28", "02:30"),
        ("Australia/Lord_Howe", "2026-10-04", "02:15"), ("America/St_Johns", "2027-03-14", "02:00"),
    ])
    func a_day_without_that_hour_has_no_ride(_ zone: String, _ day: String, _ time: String) throws {
        let series = try series(around: day, at: time, in: zone)
        #expect(try departures(series).map { $0 != nil } == [true, false, true])
        let quote = try RideSeriesQuote(
            series, first: RideQuote(Example.draft(), for: maya, at: noon, within: limits),
            besides: Driving(rides: [], series: []),
            at: noon, within: limits)
        #expect(quote.gaps == [SeriesGap(day: day, why: .noSuchTime)] && quote.days.count == 2)
    }

    @Test(arguments: [
        ("America/Los_Angeles", "2026-11-01", "01:30", "2026-11-01T08:30:00Z"),
        ("Europe/Berlin", "2026-10-25", "02:30", "2026-10-25T00:30:00Z"),
        ("Australia/Lord_Howe", "2027-04-04", "01:45", "2027-04-03T14:45:00Z"),
        ("America/St_Johns", "2026-11-01", "01:15", "2026-11-01T03:45:00Z"),
    ])
    func of_an_hour_that_comes_twice_the_first_is_meant(_ zone: String, _ day: String, _ time: String, _ moment: String)
        throws
    {
        let departures = try departures(try series(around: day, at: time, in: zone))
        #expect(departures[1] == WireJSON.date(from: moment) && departures.count == 3)
    }

    /// From half past eleven to half past five pass seven hours in that night.
    @Test func a_departure_is_no_longer_than_it_may_be() throws {
        let series = try series { draft in
            draft.ride?.departsAt = "2026-10-24T23:30"
            draft.ride?.leavesBy = "2026-10-25T05:30"
            (draft.weekdays, draft.until) = ([.saturday], "2026-11-07")
        }
        let windows = try series.plan.days().map { day in
            try series.rides(on: day, at: noon, within: limits).map {
                $0[0].leavesBy.timeIntervalSince($0[0].departsAt)
            }
        }
        #expect(windows == [21_600, 21_600, 21_600])
    }

    @Test func a_way_back_may_be_on_the_next_day_and_begins_after_the_arrival() throws {
        let series = try series { draft in
            draft.ride?.departsAt = "2027-03-06T22:00"
            draft.ride?.returnRide = ReturnDraft(departsAt: "2027-03-07T03:05")
            (draft.weekdays, draft.until) = ([.saturday], "2027-03-20")
        }
        let days = try series.plan.days().map { try series.rides(on: $0, at: noon, within: limits) }
        #expect(days.map { $0?.count } == [2, nil, 2], "an hour less lies between the two in that night")
        let first = try #require(days[0])
        #expect(first[1].returnOf == first[0].id && first.allSatisfy { $0.seriesDay == CivilDay("2027-03-06") })
        #expect(first[1].departsAt.timeIntervalSince(first[0].departsAt) == 18_300)
    }

    // MARK: What is due

    @Test func rides_are_made_28_days_ahead() throws {
        let series = try series()
        #expect(series.daysToMake(at: noon, within: limits).map(\.text) == Example.firstDays)
        let due = try #require(series.dueAt(after: noon, within: limits))
        #expect(due == after(hours: 36), "the day on which 21 October is 28 days away")
        #expect(series.daysToMake(at: due, within: limits).last?.text == "2026-10-21")
        #expect(series.daysToMake(at: due - 1, within: limits).last?.text == "2026-10-19")
        var near = limits
        near.farthest = 7 * 86_400
        #expect(series.daysToMake(at: noon, within: near).map(\.text) == ["2026-09-23", "2026-09-28"])
        #expect(try series.rides(on: #require(CivilDay("2026-09-28")), at: noon, within: near)?.count == 1)
    }

    @Test func nothing_is_due_of_what_is_over() throws {
        let series = try series { $0.until = "2026-09-28" }
        #expect(series.dueAt(after: noon, within: limits) == nil && !series.isOver(at: noon))
        #expect(!series.isOver(at: after(hours: 7 * 24 + 11.9)) && series.isOver(at: after(hours: 7 * 24 + 12)))
        let ended = series.ended(at: noon)
        #expect(ended.isOver(at: noon) && ended.daysToMake(at: noon, within: limits).isEmpty)
        #expect(ended.ended(at: noon + 60) == ended)
    }
}
