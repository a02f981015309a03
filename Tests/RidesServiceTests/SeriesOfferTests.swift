import FoundationEssentials
import Testing
import WireProtocol

@testable import RidesService

@Suite("What a series must be")
struct SeriesOfferTests {
    private func offer(_ change: (inout RideSeriesDraft) -> Void = { _ in }) throws(RideError) -> SeriesOffer {
        try SeriesOffer(Example.series(change), at: noon, within: limits)
    }

    private func faults(_ change: (inout RideSeriesDraft) -> Void) -> [String] {
        wrong { () throws(RideError) in _ = try offer(change) }
    }

    private func series(_ change: (inout RideSeriesDraft) -> Void = { _ in }) throws -> OfferedSeries {
        OfferedSeries(try offer(change), id: .new(at: noon), by: maya, at: noon)
    }

    @Test func what_is_right_is_posted() throws {
        let offer = try offer()
        #expect(offer.plan.first.text == "2026-09-23" && offer.plan.last.text == "2026-12-09")
        #expect(offer.draft.departsAt == "2026-09-23T08:00" && offer.draft.zone == "America/Los_Angeles")
    }

    @Test func all_that_is_wrong_comes_at_once() {
        let errors = faults { draft in
            draft = RideSeriesDraft(
                ride: RideDraft(stops: Example.stops, departsAt: "soon", returnRide: ReturnDraft(seats: 0)),
                weekdays: [],
                until: nil, skips: ["2026-09-30", "never"])
        }
        #expect(
            errors == [
                "ride.departsAt: not_a_time", "ride.seats: required", "ride.returnRide.departsAt: required",
                "ride.returnRide.seats: out_of_range", "weekdays: required", "until: required", "skips.1: not_a_day",
            ])
        let nothing = wrong { () throws(RideError) in
            _ = try SeriesOffer(RideSeriesDraft(), at: noon, within: limits)
        }
        #expect(
            nothing == [
                "ride.stops: required", "ride.departsAt: required", "ride.seats: required", "weekdays: required",
                "until: required",
            ])
    }

    @Test func the_last_day_is_at_most_84_days_after_the_first() {
        #expect(faults { $0.until = "2026-12-16" } == [])
        #expect(faults { $0.until = "2026-12-17" } == ["until: too_far_ahead"])
        #expect(faults { $0.until = "2026-09-23" } == [])
        #expect(faults { $0.until = "2026-09-22" } == ["until: out_of_order"])
        #expect(faults { $0.until = "" } == ["until: required"])
        #expect(faults { $0.until = "2026-02-30" } == ["until: not_a_day"])
        #expect(faults { ($0.until, $0.skips) = ("2026-09-23", ["2026-09-23"]) } == ["until: out_of_order"])
    }

    @Test func the_first_day_is_the_one_said_or_the_next_among_its_weekdays() throws {
        let moved = try offer { $0.ride?.departsAt = "2026-09-24T08:00" }
        #expect(moved.plan.first.text == "2026-09-28" && moved.draft.departsAt == "2026-09-28T08:00")
        let both = try offer { draft in
            draft.ride?.departsAt = "2026-09-24T23:30"
            draft.ride?.leavesBy = "2026-09-25T00:30"
            draft.ride?.returnRide = ReturnDraft(departsAt: "2026-09-25T17:00", leavesBy: "2026-09-25T18:00")
        }
        #expect(both.draft.leavesBy == "2026-09-29T00:30")
        #expect(both.draft.returnRide?.departsAt == "2026-09-29T17:00")
        #expect(both.draft.returnRide?.leavesBy == "2026-09-29T18:00")
    }

    @Test func a_moment_is_its_time_on_the_wall() throws {
        let offer = try offer { $0.ride?.departsAt = "2026-09-23T15:00:30Z" }
        #expect(offer.draft.departsAt == "2026-09-23T08:00")
        let night = try self.offer { $0.ride?.departsAt = "2026-09-24T03:00:00Z" }
        #expect(night.plan.first.text == "2026-09-23" && night.draft.departsAt == "2026-09-23T20:00")
        #expect(faults { $0.ride?.departsAt = "2026-09-21T08:00" } == ["ride.departsAt: in_past"])
    }

    @Test func words_are_read_and_what_takes_something_away_is_not_kept() throws {
        let draft = try offer { draft in
            draft.ride?.notes = " By the 101 "
            draft.ride?.stops?[0].name = " San Luis Obispo "
            draft.ride?.leavesBy = ""
            draft.ride?.cost = Money(amount: 0, currency: "USD")
            draft.ride?.version = "1"
        }.draft
        #expect(draft.notes == "By the 101" && draft.stops == Example.stops)
        #expect(draft.leavesBy == nil && draft.cost == nil && draft.version == nil)
    }

    /// Nothing may be kept as it came: a database takes no NUL.
    @Test func each_text_is_read_before_it_is_kept() throws {
        let right = Example.series { draft in
            draft.skips = ["2026-09-30"]
            draft.ride?.stops?[0].address = "1 Grand Avenue"
            draft.ride?.notes = "By the 101"
            draft.ride?.version = "1"
            draft.ride?.leavesBy = "2026-09-23T08:30"
            draft.ride?.zone = "America/Los_Angeles"
            draft.version = "1"
            draft.ride?.cost = Money(amount: 0, currency: "USD")
            draft.ride?.returnRide = ReturnDraft(
                stops: Example.stops.reversed(), departsAt: "2026-09-23T17:00", leavesBy: "2026-09-23T17:30", seats: 2,
                cost: Money(amount: 0, currency: "USD"))
        }
        let body = try #require(String(data: JSONEncoder().encode(right), encoding: .utf8))
        let texts = body.matches(of: /:("[^"]+")|\[("[^"]+")/)
        #expect(texts.count > 20)
        var taken = 0
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        for text in texts {
            let place = try #require(text.1 ?? text.2)
            let changed = body[..<place.startIndex] + #""a\u0000b""# + body[place.endIndex...]
            guard let draft = try? decoder.decode(RideSeriesDraft.self, from: Data(changed.utf8)),
                let offer = try? SeriesOffer(draft, at: noon, within: limits)
            else { continue }
            taken += 1
            let kept = try #require(String(data: encoder.encode(offer.draft), encoding: .utf8))
            #expect(!kept.contains(#"\u0000"#), "\(changed)")
        }
        #expect(taken > 0, "some is not looked at, such as the currency of nothing")
    }

    // MARK: Changes

    @Test func what_is_not_said_stays() throws {
        let before = try series { draft in
            draft.skips = ["2026-09-30"]
            draft.ride?.returnRide = ReturnDraft(departsAt: "2026-09-23T17:00", seats: 2)
        }
        #expect(try before.change(RideSeriesDraft(), at: noon, within: limits) == before)
        let fewer = try before.change(RideSeriesDraft(ride: RideDraft(seats: 1)), at: noon, within: limits)
        #expect(
            fewer.draft.seats == 1 && fewer.draft.returnRide == before.draft.returnRide && fewer.plan == before.plan)
        let back = ReturnDraft(departsAt: "2026-09-23T18:00")
        let later = try before.change(RideSeriesDraft(ride: RideDraft(returnRide: back)), at: noon, within: limits)
        #expect(later.draft.returnRide == ReturnDraft(departsAt: "2026-09-23T18:00", seats: 2))
    }

    @Test func of_the_times_of_a_change_the_day_does_not_count() throws {
        let before = try series { $0.ride?.returnRide = ReturnDraft(departsAt: "2026-09-23T17:00") }
        let ride = RideDraft(departsAt: "2030-01-01T09:15", returnRide: ReturnDraft(departsAt: "2030-01-02T06:00"))
        let after = try before.change(RideSeriesDraft(ride: ride), at: after(hours: 1000), within: limits)
        #expect(after.draft.departsAt == "2026-09-23T09:15" && after.plan.first == before.plan.first)
        #expect(after.draft.returnRide?.departsAt == "2026-09-24T06:00")
        let early = RideSeriesDraft(ride: RideDraft(returnRide: ReturnDraft(departsAt: "2026-09-23T09:00")))
        #expect(
            wrong { () throws(RideError) in _ = try before.change(early, at: noon, within: limits) }
                == ["ride.returnRide.departsAt: out_of_order"])
    }

    @Test func nor_does_the_day_of_a_way_back_that_is_changed_by_itself() throws {
        func changed(_ before: OfferedSeries, to text: String) throws -> String? {
            let ride = RideDraft(returnRide: ReturnDraft(departsAt: text))
            let after = try before.change(RideSeriesDraft(ride: ride), at: noon, within: limits)
            #expect(after.draft.departsAt == before.draft.departsAt)
            return after.draft.returnRide?.departsAt
        }
        let sameDay = try series { $0.ride?.returnRide = ReturnDraft(departsAt: "2026-09-23T17:00") }
        let nextDay = try series { $0.ride?.returnRide = ReturnDraft(departsAt: "2026-09-24T06:00") }
        for day in ["2026-09-23", "2026-10-14", "2030-01-01", "2020-02-29"] {
            #expect(try changed(sameDay, to: "\(day)T18:00") == "2026-09-23T18:00")
            #expect(try changed(nextDay, to: "\(day)T07:00") == "2026-09-24T07:00")
            #expect(try changed(series(), to: "\(day)T18:00") == "2026-09-23T18:00", "the way back is new")
        }
    }

    @Test func days_without_a_ride_are_limited_before_they_are_read() {
        let days = Array(repeating: "2026-09-30", count: 84)
        #expect(faults { $0.skips = days } == [])
        #expect(faults { $0.skips = days + ["never"] } == ["skips: too_many"])
    }

    @Test func a_change_of_another_version_is_none() throws {
        let before = try series()
        let change = RideSeriesDraft(weekdays: [.friday], version: "1")
        #expect(throws: RideError.changedMeanwhile(before.version)) {
            try before.change(change, at: noon, within: limits)
        }
        let after = try before.change(
            RideSeriesDraft(weekdays: [.friday], version: before.version), at: noon, within: limits)
        #expect(after.plan.weekdays == [.friday] && after.version != before.version)
        #expect(try before.change(RideSeriesDraft(version: "1"), at: noon, within: limits) == before)
        #expect(throws: RideError.wrongState([])) {
            try before.ended(at: noon).change(change, at: noon, within: limits)
        }
    }

    @Test func a_ride_follows_in_what_the_series_changes_alone() {
        let before = Example.draft()
        #expect(before.change(since: before) == nil)
        let after = Example.draft { ($0.seats, $0.cost, $0.notes, $0.leavesBy) = (2, nil, nil, nil) }
        let change = after.change(since: Example.draft { $0.leavesBy = "2026-09-23T13:00" })
        #expect(change?.seats == 2 && change?.cost?.amount == 0 && change?.notes == "" && change?.leavesBy == "")
        #expect(change?.stops == nil && change?.departsAt == after.departsAt && change?.luggage == nil)
    }
}
