import FoundationEssentials
import Testing
import WireProtocol

@testable import RidesService

@Suite("A way back, posted with the way there")
struct RideOffersTests {
    private func draft(
        _ back: ReturnDraft, _ change: (inout RideDraft) -> Void = { _ in }
    ) -> RideDraft {
        Example.draft {
            $0.returnRide = back
            change(&$0)
        }
    }

    private func posted(_ draft: RideDraft, having open: Int = 0) throws(RideError) -> [OfferedRide] {
        try RideOffers(draft, at: noon, within: limits).post(by: maya, having: open, at: noon, within: limits)
    }

    private func faults(_ back: ReturnDraft, _ change: (inout RideDraft) -> Void = { _ in }) -> [String] {
        wrong { () throws(RideError) in _ = try posted(draft(back, change)) }
    }

    @Test func what_is_not_said_of_it_is_as_on_the_way_there() throws {
        let rides = try posted(draft(Example.returning()) { $0.accepts = .verified })
        #expect(rides.count == 2 && rides[0] == Example.ride(id: rides[0].id).accepting(.verified))
        let back = rides[1]
        #expect(back.returnOf == rides[0].id && rides[0].returnOf == nil && back.id != rides[0].id)
        #expect(back.way.stops.map(\.name) == ["San Francisco", "Salinas", "San Luis Obispo"])
        #expect(back.departsAt == Example.departure + 48 * 3600 && back.zone == rides[0].zone)
        #expect(back.seats == 4 && back.cost == 2000 && back.maxDetour == 20_000 && back.luggage == .medium)
        #expect(back.accepts == .verified && back.notes == "No smoking.")
    }

    @Test func what_is_said_of_it_is_so() throws {
        let said = Example.returning { draft in
            draft.stops = [Example.stop("San Jose", sanJose), Example.stop("Salinas", salinas)]
            draft.leavesBy = WireJSON.text(of: Example.departure + 50 * 3600)
            (draft.seats, draft.cost) = (2, Money(amount: 0, currency: "USD"))
        }
        let back = try posted(draft(said))[1]
        #expect(back.way.stops.map(\.name) == ["San Jose", "Salinas"] && back.seats == 2 && back.currency == nil)
        #expect(back.leavesBy == back.departsAt + 2 * 3600)
        #expect(back.maxDetour == back.way.length / 4, "of a shorter way")
    }

    @Test func it_leaves_after_the_arrival() {
        let arrival = RideWay.seconds(to: Example.way.length) / 3600
        let first = "returnRide.departsAt: out_of_order"
        #expect(faults(Example.returning(after: arrival - 0.01)) == [first])
        #expect(faults(Example.returning(after: arrival + 0.01)) == [])
        #expect(faults(Example.returning(after: -1)) == [first])
        let late = WireJSON.text(of: Example.departure + 3600)
        #expect(
            faults(Example.returning(after: arrival + 0.9)) { $0.leavesBy = late } == [first], "as late as it may be")
        #expect(faults(Example.returning(after: arrival + 1.01)) { $0.leavesBy = late } == [])
    }

    @Test func what_is_wrong_with_it_is_said_of_it() {
        #expect(faults(ReturnDraft()) == ["returnRide.departsAt: required"])
        #expect(faults(Example.returning { $0.seats = 0 }) == ["returnRide.seats: out_of_range"])
        #expect(
            faults(Example.returning { $0.cost = Money(amount: 1, currency: "EUR") })
                == ["returnRide.cost.currency: wrong_currency"])
        #expect(faults(Example.returning { $0.stops = [] }) == ["returnRide.stops: required"])
        #expect(
            faults(Example.returning { $0.stops = [Example.stop("", nil), Example.stop("There", city)] })
                == ["returnRide.stops.0: required"])
        #expect(faults(Example.returning { $0.leavesBy = "soon" }) == ["returnRide.leavesBy: not_a_time"])
    }

    @Test func what_is_taken_from_the_way_there_is_wrong_once() {
        #expect(
            faults(Example.returning()) { ($0.stops, $0.seats) = (nil, nil) } == ["stops: required", "seats: required"])
        #expect(faults(Example.returning()) { $0.zone = "Nowhere" } == ["zone: not_a_zone"])
        #expect(
            faults(Example.returning()) { $0.cost = Money(amount: -1, currency: "USD") } == [
                "cost.amount: out_of_range"
            ])
        #expect(
            faults(Example.returning { $0.seats = 9 }) { ($0.seats, $0.maxDetour) = (0, -1) }
                == ["seats: out_of_range", "maxDetour: out_of_range", "returnRide.seats: out_of_range"])
    }

    @Test func both_count() throws {
        let both = draft(Example.returning())
        #expect(try posted(both, having: 18).count == 2)
        #expect(throws: RideError.tooManyRides(limit: 20)) { try posted(both, having: 19) }
    }

    @Test func each_is_changed_by_itself() {
        let change = RideDraft(returnRide: Example.returning())
        #expect(
            wrong { () throws(RideError) in
                _ = try Example.ride().change(change, hasRequests: false, at: noon, within: limits)
            } == ["returnRide: not_possible"])
    }

    @Test func a_quote_says_what_both_would_be() throws {
        var capped = limits
        capped.costPerKilometre = 10
        let said = Example.returning { $0.departsAt = "2026-11-01T01:30" }
        let quote = try RideQuote(draft(said), for: maya, at: noon, within: capped)
        let back = try #require(quote.returnRide)
        #expect(back.length == quote.length && back.costs.map(\.amount) == [881, 1119])
        #expect(back.highestCost == quote.highestCost && back.warnings == [.shownTwice] && quote.warnings == [])
        #expect(back.stops.first?.name == "San Francisco" && back.stops.first?.address == "Pier 1")
        #expect(abs(back.arrivesAt.timeIntervalSince(back.departsAt) - 15030.93) < 0.001)
        #expect(try RideQuote(Example.draft(), for: maya, at: noon, within: limits).returnRide == nil)
    }
}

extension OfferedRide {
    fileprivate func accepting(_ accepts: RideAcceptance) -> OfferedRide {
        var ride = self
        ride.accepts = accepts
        return ride
    }
}
