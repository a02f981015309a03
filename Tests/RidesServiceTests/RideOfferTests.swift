import FoundationEssentials
import Testing
import WireProtocol

@testable import RidesService

@Suite("What a ride must be")
struct RideOfferTests {
    private func post(_ draft: RideDraft, having open: Int = 0, within limits: RideLimits = limits) throws(RideError)
        -> OfferedRide
    {
        try RideOffers(draft, at: noon, within: limits).post(by: maya, having: open, at: noon, within: limits)[0]
    }

    private func faults(within limits: RideLimits = limits, _ change: (inout RideDraft) -> Void) -> [String] {
        wrong { () throws(RideError) in _ = try post(Example.draft(change), within: limits) }
    }

    @Test func what_is_right_is_posted() throws {
        let posted = try post(Example.draft())
        #expect(posted == Example.ride(id: posted.id))
    }

    @Test func what_is_not_said_is_usual() throws {
        let ride = try post(
            RideDraft(stops: Example.stops, departsAt: WireJSON.text(of: Example.departure), seats: 1))
        #expect(ride.cost == 0 && ride.currency == nil && ride.maxDetour == 5000 && ride.notes == nil)
        #expect(ride.luggage == .small && ride.accepts == .nobody && ride.zone == limits.zone)
        #expect(ride.leavesBy == ride.departsAt)
        let short = [Example.stop("Here", campus), Example.stop("There", north(of: campus, metres: 3000))]
        let near = try post(Example.draft { ($0.stops, $0.maxDetour) = (short, nil) })
        #expect(near.maxDetour == near.way.length / 4, "a quarter of the way")
    }

    /// On the same meridian.
    private func north(of position: Position, metres: Double) -> Position {
        let degrees = metres / (Earth.radius * .pi / 180)
        return Position(latitude: position.latitude + degrees, longitude: position.longitude)
    }

    // MARK: Stops

    @Test func a_way_has_two_to_eight_stops() {
        #expect(faults { $0.stops = nil } == ["stops: required"])
        #expect(faults { $0.stops = [Example.stops[0]] } == ["stops: required"])
        func line(_ count: Int) -> [RideStopDraft] {
            (0..<count).map { Example.stop("Stop \($0)", north(of: campus, metres: 20_000 * Double($0))) }
        }
        #expect(faults { ($0.stops, $0.maxDetour) = (line(8), 0) } == [])
        #expect(faults { ($0.stops, $0.maxDetour) = (line(9), 0) } == ["stops: too_many"])
    }

    @Test func a_stop_is_a_place_with_a_name() {
        func stops(_ first: RideStopDraft) -> [String] { faults { $0.stops?[0] = first } }
        #expect(stops(Example.stop("Somewhere", nil)) == ["stops.0: not_a_place"])
        #expect(stops(Example.stop(" ", nil)) == ["stops.0: required"])
        #expect(stops(Example.stop(" ", campus)) == ["stops.0.name: required"])
        let long = String(repeating: "a", count: 121)
        #expect(stops(Example.stop(long, campus)) == ["stops.0.name: too_long"])
        #expect(stops(Example.stop("A\nB", campus)) == ["stops.0.name: not_allowed"])
        let longer = String(repeating: "a", count: 201)
        #expect(stops(Example.stop("Home", campus, longer)) == ["stops.0.address: too_long"])
        for (latitude, longitude) in [(85.1, 0), (-85.1, 0), (0, 180.1), (.nan, 0), (0, .infinity)]
            as [(Double, Double)]
        {
            let position = Position(latitude: latitude, longitude: longitude)
            #expect(stops(Example.stop("Far", position)) == ["stops.0: out_of_range"])
        }
        #expect(
            faults { $0.stops = [Example.stop("", nil), Example.stop("There", nil)] }
                == ["stops.0: required", "stops.1: not_a_place"])
    }

    @Test func a_way_leads_somewhere() {
        func way(_ metres: Double...) -> [String] {
            faults {
                $0.stops = metres.map { Example.stop("Stop", north(of: campus, metres: $0)) }
                $0.maxDetour = 0
            }
        }
        #expect(way(0, 199) == ["stops.1: too_close"])
        #expect(way(0, 999) == ["stops.1: too_close"])
        #expect(way(0, 1001) == [])
        #expect(way(0, 3000, 3199) == ["stops.2: too_close"])
        #expect(way(0, 3000, 3201) == [])
        #expect(way(0, 1100, 50) == [], "and back")
        #expect(way(0, 900, 50) == ["stops.2: too_close"])
        #expect(way(0, 2_990_000) == [])
        #expect(way(0, 3_010_000) == ["stops: too_far"])
    }

    // MARK: Seats, costs, detours, words

    @Test func seats_are_offered() {
        #expect(faults { $0.seats = nil } == ["seats: required"])
        #expect(faults { $0.seats = 0 } == ["seats: out_of_range"])
        #expect(faults { $0.seats = 8 } == [])
        #expect(faults { $0.seats = 9 } == ["seats: out_of_range"])
        var bus = limits
        bus.seats = 60
        #expect(faults(within: bus) { $0.seats = 60 } == [])
    }

    @Test func a_seat_costs_what_the_community_allows() throws {
        func cost(_ amount: Int, _ currency: String = "USD", within limits: RideLimits = limits) -> [String] {
            faults(within: limits) { $0.cost = Money(amount: amount, currency: currency) }
        }
        #expect(cost(-1) == ["cost.amount: out_of_range"])
        #expect(cost(100_000_001) == ["cost.amount: out_of_range"])
        #expect(cost(2000, "EUR") == ["cost.currency: wrong_currency"])
        #expect(cost(0, "EUR") == [])
        #expect(try post(Example.draft { $0.cost = Money(amount: 0, currency: "USD") }).currency == nil)
        var capped = limits
        capped.costPerKilometre = 10
        // 317.354 km for 10 cents each are 31.74, rounded up to a whole dollar.
        #expect(cost(3200, within: capped) == [])
        #expect(cost(3201, within: capped) == ["cost.amount: too_dear"])
        #expect(capped.highestCost(of: 300_000) == 3000 && limits.highestCost(of: 300_000) == nil)
        let error = RideRules.errors(inCost: Money(amount: 3201, currency: "USD"), 317_354, capped).first
        #expect(error?.message == "On this way a seat costs at most USD 32 here.")
    }

    @Test func a_detour_is_a_quarter_of_the_way_at_most() {
        #expect(faults { $0.maxDetour = 50_000 } == [])
        #expect(faults { $0.maxDetour = 50_001 } == ["maxDetour: out_of_range"])
        #expect(faults { $0.maxDetour = -1 } == ["maxDetour: out_of_range"])
        #expect(RideRules.errors(inDetour: 12_001, 48_000).map(\.message) == ["At most 12 km on this way."])
        #expect(RideRules.errors(inDetour: 12_000, 48_000).isEmpty)
        #expect([412, 12_000, 2470].map(RideRules.kilometres) == ["0.4 km", "12 km", "2.4 km"])
    }

    @Test func words_are_read() throws {
        #expect(faults { $0.notes = String(repeating: "a", count: 1001) } == ["notes: too_long"])
        #expect(try post(Example.draft { $0.notes = " \n " }).notes == nil)
        #expect(try post(Example.draft { $0.notes = " By the 101 " }).notes == "By the 101")
    }

    @Test func all_that_is_wrong_comes_at_once() {
        let errors = faults {
            ($0.stops, $0.departsAt, $0.seats, $0.zone) = (nil, nil, 0, nil)
            ($0.cost, $0.maxDetour) = (Money(amount: -1, currency: "USD"), -1)
        }
        #expect(
            errors == [
                "stops: required", "departsAt: required", "seats: out_of_range", "cost.amount: out_of_range",
                "maxDetour: out_of_range",
            ])
    }

    @Test func somebody_drives_so_many_rides() throws {
        #expect(throws: RideError.tooManyRides(limit: 20)) { try post(Example.draft(), having: 20) }
        #expect(try post(Example.draft(), having: 19).state == .open)
    }

    // MARK: The summary

    @Test func a_quote_says_what_it_would_be() throws {
        var capped = limits
        capped.costPerKilometre = 10
        let quote = try RideQuote(Example.draft(), for: maya, at: noon, within: capped)
        #expect(quote.length == 317_354 && quote.stops.map(\.at) == [0, 177_597, 317_354])
        #expect(quote.costs.map(\.amount) == [1119, 881], "177,597 and 139,757 of 317,354 metres")
        #expect(quote.highestCost == Money(amount: 3200, currency: "USD") && quote.warnings == [])
        #expect(quote.stops[0].address == "1 Grand Ave" && quote.stops[0].isExact && quote.stops[0].position == campus)
        #expect(abs(quote.arrivesAt.timeIntervalSince(quote.departsAt) - 15030.93) < 0.001)
        let free = try RideQuote(Example.draft { $0.cost = nil }, for: maya, at: noon, within: limits)
        #expect(free.costs.isEmpty && free.highestCost == nil)
    }

    @Test func a_quote_warns() throws {
        func warnings(_ change: (inout RideDraft) -> Void) throws -> [RideWarning] {
            try RideQuote(Example.draft(change), for: maya, at: noon, within: limits).warnings
        }
        #expect(try warnings { $0.stops = [Example.stops[0], Example.stops[2], Example.stops[1]] } == [.roundabout])
        let short = [Example.stop("Here", campus), Example.stop("There", north(of: campus, metres: 1200))]
        #expect(try warnings { ($0.stops, $0.maxDetour) = (short, 0) } == [.short])
        #expect(try warnings { $0.departsAt = "2026-11-01T01:30" } == [.shownTwice])
        #expect(try warnings { $0.departsAt = "2026-11-01T02:30" } == [])
    }
}
