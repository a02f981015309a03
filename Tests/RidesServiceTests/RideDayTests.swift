import FoundationEssentials
import Messaging
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// Days and hours of rides, by clocks that are moved: the server counts in UTC, and each day is that of where the ride begins.
@Suite struct RideDayTests {
    /// Where it is another day than in UTC in the evening, in the morning, or by three quarters of an hour.
    private static let zones = [
        "America/Los_Angeles", "Pacific/Auckland", "Asia/Kathmandu", "Pacific/Kiritimati", "UTC",
    ]

    private func zone(_ name: String) throws -> Zone { try #require(Zone.named(name)) }

    private func moment(_ text: String, in zone: String) throws -> Date {
        try self.zone(zone).firstMoment(of: #require(WallTime(minutes: text)))
    }

    /// Moves the clock to where it shows this there.
    private func turn(_ rides: Rides, to text: String, in zone: String) throws {
        rides.clock.advance(by: .seconds(try moment(text, in: zone).timeIntervalSince(rides.clock.now)))
    }

    private func post(_ rides: Rides, _ text: String, in zone: String, by driver: PersonID = .new()) async throws
        -> Ride
    {
        try await rides.posted(by: driver) { ($0.departsAt, $0.zone) = (text, zone) }
    }

    /// All that one can get in at its start on a day of that place; those that are further on then come after them.
    private func found(_ rides: Rides, on day: String, in zone: String) async throws -> [RideID] {
        let (clocks, day) = (try self.zone(zone), try #require(CivilDay(day)))
        let items = try await rides.searched {
            ($0.from, $0.at, $0.after, $0.before) = (campus, nil, clocks.start(of: day), clocks.start(of: day + 1))
        }.items
        let here = items.prefix { $0.extra == 0 }
        #expect(items.dropFirst(here.count).allSatisfy { $0.boarding.stop != 0 })
        return here.map(\.ride.id)
    }

    private func listed(_ rides: Rides) async throws -> [RideID] {
        try await rides.rides.rides(RideQuery(), for: Caller(person: nil)).items.map(\.id)
    }

    @Test(arguments: zones) func tonight_is_today_and_half_an_hour_after_midnight_is_not(_ zone: String) async throws {
        try await Rides.with { rides in
            try turn(rides, to: "2026-10-06T20:00", in: zone)
            try await rides.feed.round()
            let late = try await post(rides, "2026-10-06T23:30", in: zone).id
            let early = try await post(rides, "2026-10-07T00:30", in: zone).id
            for _ in 0..<2 {
                #expect(try await found(rides, on: "2026-10-06", in: zone) == [late])
                #expect(try await found(rides, on: "2026-10-07", in: zone) == [early])
                #expect(try await listed(rides) == [late, early])
                try await rides.feed.round()
            }
            // Past midnight the one has left, and the other one leaves today.
            try turn(rides, to: "2026-10-07T00:10", in: zone)
            for _ in 0..<2 {
                #expect(try await found(rides, on: "2026-10-06", in: zone).isEmpty)
                #expect(try await found(rides, on: "2026-10-07", in: zone) == [early])
                #expect(try await listed(rides) == [early])
                try await rides.pass()
                try await rides.feed.round()
            }
            #expect(try await rides.seen(late, by: maya).state == .departed)
            #expect(try await rides.seen(early, by: maya).state == .open)
        }
    }

    @Test func what_waits_is_on_the_day_of_where_one_gets_in() async throws {
        try await Rides.with { rides in
            let zone = "Pacific/Auckland"
            try turn(rides, to: "2026-10-06T20:00", in: zone)
            for (text, day) in [("2026-10-06T23:30", "2026-10-06"), ("2026-10-07T00:30", "2026-10-07")] {
                let driver = PersonID.new()
                _ = try await post(rides, text, in: zone, by: driver)
                let item = try await rides.rides.waiting(for: Caller(person: driver)).first
                #expect(item?.kind == .driving && item?.day == WaitingItem.Day(day, in: zone))
            }
        }
    }

    /// Half past one is shown twice in California that night.
    @Test func of_an_hour_that_comes_twice_both_are_of_that_day_and_the_first_leaves_first() async throws {
        try await Rides.with { rides in
            let zone = "America/Los_Angeles"
            try turn(rides, to: "2026-10-31T20:00", in: zone)
            let quote = try await rides.rides.quote(
                Example.draft { ($0.departsAt, $0.zone) = ("2026-11-01T01:30", zone) }, for: Caller(person: maya))
            #expect(quote.warnings == [.shownTwice])
            let first = try await post(rides, "2026-11-01T01:30", in: zone)
            let second = try await post(rides, "2026-11-01T01:30:00-08:00", in: zone)
            let last = try await post(rides, "2026-11-01T23:30", in: zone)
            let next = try await post(rides, "2026-11-02T00:30", in: zone)
            #expect(second.departsAt.timeIntervalSince(first.departsAt) == 3600)
            #expect(last.departsAt.timeIntervalSince(first.departsAt) == 23 * 3600)
            try await rides.feed.round()
            let today = [first.id, second.id, last.id]
            #expect(try await found(rides, on: "2026-11-01", in: zone) == today)
            #expect(try await found(rides, on: "2026-11-02", in: zone) == [next.id])
            #expect(try await listed(rides) == today + [next.id])
            let around = try await rides.searched { ($0.from, $0.at) = (campus, first.departsAt) }.items
            #expect(around.map(\.timeDifference) == [0, 3600, 23 * 3600, 24 * 3600])

            // When that hour has come for the first time, the other one is still to be had.
            rides.clock.advance(by: .seconds(first.departsAt.timeIntervalSince(rides.clock.now)))
            try await rides.pass()
            #expect(try await rides.seen(first.id, by: maya).state == .departed)
            #expect(try await rides.ask(second.id).state == .pending)
            #expect(try await found(rides, on: "2026-11-01", in: zone) == [second.id, last.id])
            rides.clock.advance(by: .seconds(3600))
            try await rides.pass()
            #expect(try await rides.seen(second.id, by: maya).state == .departed)
        }
    }

    /// From two to three there is no time in California that night.
    @Test func an_hour_that_is_passed_over_is_refused_wherever_it_is_said() async throws {
        try await Rides.with { rides in
            let zone = "America/Los_Angeles"
            try turn(rides, to: "2027-03-13T20:00", in: zone)
            let (none, draft) = ("2027-03-14T02:30", Example.draft { $0.departsAt = "2027-03-14T01:30" })
            for refused in [
                RideDraft(departsAt: none, zone: zone), RideDraft(leavesBy: none, zone: zone),
            ] {
                var wrong = draft
                wrong.departsAt = refused.departsAt ?? draft.departsAt
                wrong.leavesBy = refused.leavesBy
                let field = refused.leavesBy == nil ? "departsAt" : "leavesBy"
                for body in [
                    { _ = try await rides.rides.post(wrong, .from(maya)) },
                    { _ = try await rides.rides.quote(wrong, for: Caller(person: maya)) },
                ] as [() async throws -> Void] {
                    guard case .invalid(let errors) = await rideRefusal(body) else {
                        Issue.record("\(wrong) is not refused")
                        continue
                    }
                    #expect(errors.map { "\($0.field): \($0.code)" } == ["\(field): no_such_time"])
                }
            }
            #expect(try await listed(rides).isEmpty)

            let ride = try await rides.posted { $0.departsAt = "2027-03-14T01:59" }
            let after = try await post(rides, "2027-03-14T03:00", in: zone)
            #expect(after.departsAt.timeIntervalSince(ride.departsAt) == 60, "a minute lies between the two")
            let change = RideDraft(departsAt: none)
            guard case .invalid = await rideRefusal({ try await rides.rides.change(ride.id, to: change, .from(maya)) })
            else {
                Issue.record("a change to it is not refused")
                return
            }
            #expect(try await rides.seen(ride.id, by: maya).departsAt == ride.departsAt)
            try await rides.feed.round()
            #expect(try await found(rides, on: "2027-03-14", in: zone) == [ride.id, after.id])
        }
    }

    /// That of 23 hours, one of 24, and that of 25.
    @Test(arguments: [("2027-03-14", 23.0), ("2027-03-20", 24), ("2026-11-01", 25)])
    func a_day_is_as_long_as_clocks_have_it(_ day: String, _ hours: Double) async throws {
        try await Rides.with { rides in
            let zone = "America/Los_Angeles"
            let start = try moment("\(day)T00:00", in: zone)
            rides.clock.advance(by: .seconds(start.timeIntervalSince(rides.clock.now) - 7200))
            var all: [RideID] = []
            for seconds in [-60, 60, hours * 3600 - 60, hours * 3600 + 60] {
                let text = WireJSON.text(of: start + seconds)
                all.append(try await post(rides, text, in: zone).id)
            }
            try await rides.feed.round()
            #expect(try await found(rides, on: day, in: zone) == Array(all[1...2]))
        }
    }

    /// A ride of somebody who has other clocks: a wall time is that of its zone, wherever who posts it is.
    @Test func the_zone_of_the_ride_counts_and_not_that_of_the_community() async throws {
        try await Rides.with { rides in
            try turn(rides, to: "2026-10-06T20:00", in: "America/Los_Angeles")
            let here = try await rides.posted(by: lin) { $0.departsAt = "2026-10-08T09:00" }
            let there = try await post(rides, "2026-10-08T09:00", in: "Asia/Singapore")
            #expect(here.zone == "America/Los_Angeles" && there.zone == "Asia/Singapore")
            #expect(here.departsAt.timeIntervalSince(there.departsAt) == 15 * 3600)
            #expect(try await listed(rides) == [there.id, here.id])
            try await rides.feed.round()
            #expect(try await found(rides, on: "2026-10-08", in: "Asia/Singapore") == [there.id, here.id])
            #expect(try await found(rides, on: "2026-10-08", in: "America/Los_Angeles") == [here.id])
        }
    }
}
