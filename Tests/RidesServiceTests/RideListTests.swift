import DurableMessaging
import FoundationEssentials
import People
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// Which rides somebody is shown, and in which order.
@Suite struct RideListTests {
    private static let regions = [
        campus.onGrid: "Central Coast", salinas.onGrid: "Monterey Bay", city.onGrid: "Bay Area",
    ]
    private static let region: RideRegionRounds.Ask = { regions[$0] }

    private func ids(_ rides: Rides, _ query: RideQuery, by person: PersonID? = nil) async throws -> [RideID] {
        var (found, query): ([RideID], RideQuery) = ([], query)
        repeat {
            let page = try await rides.rides.rides(query, for: Caller(person: person))
            #expect(page.items.count <= query.limit ?? 20)
            // A page that leads on is full: those who are apart leave no gaps.
            if page.next != nil { #expect(page.items.count == query.limit ?? 20) }
            found += page.items.map(\.id)
            query.cursor = page.next
        } while query.cursor != nil
        return found
    }

    private func post(_ rides: Rides, by driver: PersonID = maya, at hours: Double) async throws -> RideID {
        try await rides.posted(by: driver) { $0.departsAt = WireJSON.text(of: after(hours: hours)) }.id
    }

    @Test func a_region_lists_where_one_gets_in_or_out_the_soonest_first() async throws {
        try await Rides.with(region: Self.region) { rides in
            var all: [RideID] = []
            for hours in [50.0, 30, 40, 30, 60] { all.append(try await post(rides, by: .new(), at: hours)) }
            let soonest = [all[1], all[3]].sorted() + [all[2], all[0], all[4]]
            for limit in [1, 2, 20] {
                for (region, direction) in [
                    ("Central Coast", RideDirection.from), ("Monterey Bay", .from), ("Monterey Bay", .to),
                    ("Bay Area", .to),
                ] {
                    let query = RideQuery(region: region, direction: direction, limit: limit)
                    #expect(try await ids(rides, query) == soonest)
                }
                #expect(try await ids(rides, RideQuery(limit: limit)) == soonest)
            }
            #expect(try await ids(rides, RideQuery(region: "Bay Area")).isEmpty, "one only gets out there")
            #expect(try await ids(rides, RideQuery(region: "Nowhere")).isEmpty)
        }
    }

    @Test func regions_say_how_many_rides_leave_and_arrive() async throws {
        try await Rides.with(region: Self.region) { rides in
            for hours in [30.0, 40] { _ = try await post(rides, by: .new(), at: hours) }
            let gone = try await post(rides, at: 50)
            let all = [
                RegionOfRides(region: "Bay Area", from: 0, to: 3),
                RegionOfRides(region: "Central Coast", from: 3, to: 0),
                RegionOfRides(region: "Monterey Bay", from: 3, to: 3),
            ]
            #expect(try await rides.store.regions(for: nil, at: noon) == all)
            try await rides.part(maya, tom)
            #expect(try await rides.store.regions(for: tom, at: noon).map(\.from) == [0, 2, 2])
            try await rides.rides.remove(gone, RideRemoval(), .from(maya))
            #expect(try await rides.store.regions(for: nil, at: noon).map(\.to) == [2, 0, 2])
            rides.advance(hours: 31)
            #expect(try await rides.store.regions(for: nil, at: rides.clock.now).map(\.to) == [1, 0, 1])
            rides.advance(hours: 31)
            #expect(try await rides.store.regions(for: nil, at: rides.clock.now).isEmpty)
        }
    }

    @Test func regions_count_to_99() async throws {
        try await Rides.with { rides in
            _ = try await rides.store.transaction { transaction in
                for number in 0..<101 {
                    var ride = Example.ride(id: .new(at: noon + Double(number)))
                    ride.way.stops[0].region = "Central Coast"
                    try await transaction.add(ride)
                }
            }
            #expect(
                try await rides.store.regions(for: nil, at: noon)
                    == [RegionOfRides(region: "Central Coast", from: 99, to: 0)])
        }
    }

    @Test func who_is_apart_from_a_driver_finds_none_of_their_rides() async throws {
        try await Rides.with(region: Self.region) { rides in
            var (mayas, lins): ([RideID], [RideID]) = ([], [])
            for number in 0..<6 {
                mayas.append(try await post(rides, at: 24 + Double(number)))
                lins.append(try await post(rides, by: lin, at: 24 + Double(number)))
            }
            try await rides.part(maya, tom)
            for limit in [1, 4, 100] {
                #expect(try await ids(rides, RideQuery(limit: limit), by: tom) == lins)
                let region = RideQuery(region: "Central Coast", limit: limit)
                #expect(try await ids(rides, region, by: tom) == lins)
                #expect(try await ids(rides, RideQuery(by: maya, limit: limit), by: tom).isEmpty)
                #expect(try await ids(rides, RideQuery(by: maya, limit: limit), by: kim) == mayas)
            }
            #expect(await rideRefusal { try await rides.seen(mayas[0], by: tom) } == .notFound)
            #expect(try await rides.store.rides(mayas + lins, for: tom).map(\.ride.id) == lins)
        }
    }

    @Test func campuses_that_are_kept_apart_find_their_own() async throws {
        try await Rides.with(campuses: CampusSeparation(isOn: true), region: Self.region) { rides in
            try await RideCampusIndexes.settle(true, in: rides.database)
            for (person, campus) in [(maya, "slo"), (tom, "slo"), (lin, "ucsb"), (kim, "ucsb")] {
                try await rides.name(person, "Somebody", campus: campus)
            }
            let (mayas, lins) = (try await post(rides, at: 30), try await post(rides, by: lin, at: 30))
            for query in [RideQuery(), RideQuery(region: "Bay Area", direction: .to)] {
                #expect(try await ids(rides, query, by: tom) == [mayas])
                #expect(try await ids(rides, query, by: kim) == [lins])
                #expect(try await ids(rides, query).isEmpty)
            }
            #expect(await rideRefusal { try await rides.seen(lins, by: tom) } == .notFound)
            try await rides.name(lin, "Lin", campus: "slo")
            #expect(try await rides.seen(lins, by: tom).id == lins, "rides go with their driver")
            #expect(try await rides.headers(of: RidePosted.self).map(\.campus) == ["slo", "ucsb"])
        }
    }

    @Test func some_rides_come_in_the_order_in_which_they_are_named() async throws {
        try await Rides.with { rides in
            var all: [RideID] = []
            for hours in [50.0, 30, 40] { all.append(try await post(rides, by: .new(), at: hours)) }
            let asked = [all[2], all[0], .new(), all[1]]
            #expect(try await rides.store.rides(asked, for: tom).map(\.ride.id) == [all[2], all[0], all[1]])
            #expect(try await rides.store.rides([], for: tom).isEmpty)
        }
    }
}

extension Example {
    /// Another one of Maya's, as rides go.
    static func ride(id: RideID) -> OfferedRide {
        let ride = ride()
        return OfferedRide(
            id: id, driver: ride.driver, postedAt: noon, state: .open, way: ride.way, departsAt: ride.departsAt,
            leavesBy: ride.leavesBy, zone: ride.zone, seats: ride.seats, cost: ride.cost, currency: ride.currency,
            maxDetour: ride.maxDetour, luggage: ride.luggage, accepts: ride.accepts, notes: ride.notes, changedAt: noon)
    }
}
