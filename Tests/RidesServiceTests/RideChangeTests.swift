import FoundationEssentials
import Testing
import WireProtocol

@testable import RidesService

@Suite("A ride that is changed")
struct RideChangeTests {
    private func change(
        _ draft: RideDraft, of ride: OfferedRide = Example.ride(), hasRequests: Bool = true, at now: Date = noon
    ) throws(RideError) -> RideChange {
        try ride.change(draft, hasRequests: hasRequests, at: now, within: limits)
    }

    private func departing(_ minutes: Double) -> RideDraft {
        RideDraft(departsAt: WireJSON.text(of: Example.departure + minutes * 60))
    }

    @Test func nothing_said_changes_nothing() throws {
        let before = Example.ride(window: 1, load: SeatLoad(marks: [0, 177_597], people: [2, 0]), detourUsed: 300)
        let change = try change(RideDraft(version: "an old one"), of: before)
        #expect(change.ride == before && change.told == .nothing)
        let again = try self.change(
            Example.draft { $0.leavesBy = WireJSON.text(of: before.leavesBy) }, of: before)
        #expect(again.ride == before, "a form says all of it")
    }

    @Test func riders_are_told_what_matters_to_them() throws {
        for draft in [
            RideDraft(zone: "America/Denver"), RideDraft(luggage: .large), RideDraft(notes: ""), departing(15),
            departing(-15), RideDraft(leavesBy: WireJSON.text(of: Example.departure + 900)),
        ] { #expect(try change(draft).told == .small) }
        for draft in [
            departing(15.1), departing(-15.1), RideDraft(leavesBy: WireJSON.text(of: Example.departure + 901)),
        ] { #expect(try change(draft).told == .large) }
        for draft in [
            RideDraft(seats: 5), RideDraft(cost: Money(amount: 0, currency: "USD")), RideDraft(maxDetour: 0),
            RideDraft(accepts: .everybody),
        ] {
            let change = try change(draft)
            #expect(change.told == .nothing && change.ride != Example.ride(), "what was agreed stays agreed")
        }
    }

    @Test func an_empty_text_takes_away() throws {
        #expect(try change(RideDraft(notes: " ")).ride.notes == nil)
        let free = try change(RideDraft(cost: Money(amount: 0, currency: "USD"))).ride
        #expect(free.cost == 0 && free.currency == nil && free.price == nil)
    }

    @Test func stops_stay_while_somebody_counts_on_them() throws {
        var stops = Example.stops
        stops[1].address = "The station"
        #expect(throws: RideError.inUse) { try change(RideDraft(stops: stops)) }
        #expect(try change(RideDraft(stops: stops), hasRequests: false).ride.way.stops[1].address == "The station")
        #expect(try change(RideDraft(stops: Example.stops, seats: 5)).ride.seats == 5, "they are the same")
        let shorter = try change(RideDraft(stops: [stops[0], stops[1]]), hasRequests: false).ride
        #expect(shorter.way.length == 177_597 && shorter.maxDetour == 20_000)
    }

    @Test func the_regions_of_stops_that_stay_are_known() throws {
        var ride = Example.ride()
        for index in ride.way.stops.indices { ride.way.stops[index].region = "Region \(index)" }
        let last = Example.stop("San Jose", sanJose)
        let stops = [Example.stops[1], Example.stops[0], last]
        let after = try change(RideDraft(stops: stops, maxDetour: 0), of: ride, hasRequests: false).ride
        #expect(after.way.stops.map(\.region) == ["Region 1", "Region 0", nil])
        #expect(try change(RideDraft(stops: Example.stops), of: ride).told == .nothing)
    }

    @Test func seats_that_are_given_are_not_taken_away() throws {
        let ride = Example.ride(load: SeatLoad(marks: [0, 177_597], people: [1, 3]))
        #expect(throws: RideError.seatsTaken(3)) { try change(RideDraft(seats: 2), of: ride) }
        #expect(try change(RideDraft(seats: 3), of: ride).ride.seats == 3)
    }

    @Test func detours_that_are_promised_are_not_taken_away() throws {
        let ride = Example.ride(detourUsed: 2470)
        #expect(
            wrong { () throws(RideError) in _ = try change(RideDraft(maxDetour: 2469), of: ride) } == [
                "maxDetour: out_of_range"
            ])
        #expect(try change(RideDraft(maxDetour: 2470), of: ride).ride.detourLeft == 0)
    }

    /// What is not said follows a way that is shorter; what it costs does not.
    @Test func a_shorter_way_allows_less() throws {
        let near = Position(latitude: 35.3712, longitude: -120.6598)
        let stops = [Example.stops[0], Example.stop("Santa Margarita", near)]
        let after = try change(RideDraft(stops: stops), hasRequests: false).ride
        #expect(after.way.length < 10_000 && after.maxDetour == after.way.length / 4)
        var capped = limits
        capped.costPerKilometre = 10
        let faults = wrong { () throws(RideError) in
            _ = try Example.ride().change(RideDraft(stops: stops), hasRequests: false, at: noon, within: capped)
        }
        #expect(faults == ["cost.amount: too_dear"])
    }

    @Test func who_changes_what_somebody_else_has_changed_is_told() throws {
        let ride = Example.ride()
        let version = try #require(ride.version)
        let after = try change(RideDraft(seats: 5, version: version)).ride
        #expect(after.version != version)
        #expect(throws: RideError.changedMeanwhile(after.version)) {
            try change(RideDraft(notes: "Late", version: version), of: after)
        }
        #expect(
            try change(RideDraft(notes: "Late"), of: after).ride.notes == "Late",
            "who does not say changes what there is")
        var taken = ride
        taken.load = SeatLoad(marks: [0, 177_597], people: [2, 0])
        #expect(taken.version == version, "who rides along is nothing that its driver says")
    }

    @Test func what_has_left_says_what_it_said() {
        let ride = Example.ride(window: 2)
        #expect(throws: RideError.rideOver([])) { try change(RideDraft(seats: 5), of: ride, at: ride.leavesBy) }
        #expect(throws: RideError.rideOver([.remove, .arrive])) {
            try change(RideDraft(seats: 5), of: Example.ride(.departed))
        }
    }
}
