import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// How rides are said in words: times by their own clocks, seats by part, what a part costs.
@Suite struct RideViewTests {
    private static let english = PageRenderingTests.english
    private static let german = PageRenderingTests.german

    private func moment(_ text: String) throws -> Date { try #require(WireJSON.date(from: text)) }

    @Test func times_are_those_of_the_rides_own_clocks() throws {
        let start = try moment("2026-03-06T22:30:00Z")
        let here = RideClock("Europe/Helsinki", in: Self.english)
        #expect(here.moment(start) == "Saturday, 7 March 2026, 00:30")
        let there = RideClock("America/Los_Angeles", in: Self.english)
        #expect(there.moment(start, start + 7200) == "Friday, 6 March 2026, 14:30 – 16:30")
        #expect(there.times(start, start) == "14:30")
        #expect(there.time(start + 10 * 3600, after: start) == "00:30 (Saturday)")
        #expect(there.time(start + 3600, after: start) == "15:30")
        #expect(RideClock("Europe/Berlin", in: Self.german).moment(start) == "Freitag, 6. März 2026, 23:30 Uhr")
    }

    @Test func seats_are_those_that_are_free_all_the_way() {
        func seats(_ free: [Int], _ words: Words = Self.english) -> RideSeats {
            RideSeats(Ride.sample { $0.free = free }, in: words)
        }
        #expect(seats([2, 3]).text == "2 seats left" && seats([2, 3]).tone.isEmpty)
        #expect(seats([1, 3]).text == "1 seat left" && seats([1, 3]).tone == "warm")
        #expect(seats([0, 2]).text == "2 seats on part of the way" && seats([0, 2]).tone == "warm")
        #expect(seats([0, 0]).text == "Full · waitlist" && seats([0, 0]).tone == "full")
        #expect(seats([0, 0], Self.german).text == "Voll · Warteliste")
    }

    @Test func a_part_costs_its_share_rounded_half_up() {
        let ride = Ride.sample()
        #expect(ride.cost(from: ride.stops[0], to: ride.stops[1]) == Money(amount: 300, currency: "EUR"))
        #expect(ride.cost(from: ride.stops[1], to: ride.stops[2]) == Money(amount: 900, currency: "EUR"))
        var odd = Ride.sample { $0.cost = Money(amount: 1, currency: "EUR") }
        odd.stops[1].at = 60_000
        #expect(odd.cost(from: odd.stops[0], to: odd.stops[1])?.amount == 1)
        odd.stops[1].at = 59_999
        #expect(odd.cost(from: odd.stops[0], to: odd.stops[1])?.amount == 0)
        #expect(Ride.sample { $0.cost = nil }.cost(from: ride.stops[0], to: ride.stops[1]) == nil)
    }

    @Test func several_names_are_one_list() {
        #expect(Self.english.list([]).isEmpty && Self.english.list(["Ana"]) == "Ana")
        #expect(Self.english.list(["Ana", "Ben", "Maya"]) == "Ana, Ben and Maya")
        #expect(Self.german.list(["Ana", "Ben"]) == "Ana und Ben")
    }

    // MARK: What waits

    private func due(_ kind: WaitingItem.Kind, at: String, now: String, in words: Words = english) throws -> RideDue {
        let item = WaitingItem(
            kind, Subject(RideID.new()), title: "A → B", at: try moment(at),
            day: WaitingItem.Day("2026-03-06", in: "America/Los_Angeles"))
        return RideDue(item, ["name": "Ana"], at: try moment(now), in: words)
    }

    @Test func a_ride_leaves_on_the_day_that_clocks_show_there() throws {
        // Half past seven in the evening there, when it is the next day in Europe.
        let leaves = "2026-03-07T03:30:00Z"
        let today = try due(.driving, at: leaves, now: "2026-03-06T08:00:01Z")
        #expect(today.text == "You drive today, 19:30" && today.moment == nil)
        #expect(try due(.driving, at: leaves, now: "2026-03-06T07:59:59Z").text == "You drive tomorrow, 19:30")
        #expect(try due(.riding, at: leaves, now: "2026-03-04T12:00:00Z").text == "With Ana in 2 days, 19:30")
        let german = try due(.riding, at: leaves, now: "2026-03-04T12:00:00Z", in: Self.german)
        #expect(german.text == "Mit Ana in 2 Tagen, 19:30")
        #expect(try due(.driving, at: leaves, now: leaves).text == "You are on the way")
        #expect(try due(.riding, at: leaves, now: "2026-03-07T04:00:00Z").text == "On the way with Ana")
    }

    @Test func without_a_day_a_ride_says_its_moment() throws {
        let item = WaitingItem(.driving, Subject(RideID.new()), title: "A → B", at: try moment("2026-03-07T03:30:00Z"))
        let due = RideDue(item, ["name": "Ana"], at: try moment("2026-03-06T12:00:00Z"), in: Self.english)
        #expect(due.text == "You drive" && due.moment != nil)
    }
}
