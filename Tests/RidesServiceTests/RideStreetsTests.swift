import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// What Places knows of the ways of rides, and when it is asked.
@Suite struct RideStreetsTests {
    private static let region: RideRegionRounds.Ask = { _ in "California" }

    private func legs(_ ride: RideID, _ rides: Rides) async throws -> [StreetLeg]? {
        try await rides.stored(ride)?.legs
    }

    private func due(_ ride: RideID, _ rides: Rides) async throws -> Date? {
        try await rides.database.query("SELECT regions_due FROM rides WHERE id = \(ride)")[0].get("regions_due")
    }

    private func rounds(_ rides: Rides, _ streets: MadeUpStreets) -> RideRegionRounds {
        RideRegionRounds(
            store: rides.store, logger: .quiet, ask: Self.region, askForLegs: streets.askForLegs)
    }

    @Test func a_ride_is_posted_with_its_legs() async throws {
        let streets = MadeUpStreets()
        try await Rides.with(region: Self.region, legs: streets.askForLegs) { rides in
            let ride = try await rides.posted()
            #expect(streets.routes.withLock(\.self) == [Example.way.points], "the middles of fields")
            #expect(try await legs(ride.id, rides) == streets.legs(Example.way.points))
            #expect(try await due(ride.id, rides) == nil)
            #expect(ride.length == Example.way.length, "all else is in straight lines")
            // Words and times change nothing of it, other stops do.
            _ = try await rides.rides.change(ride.id, to: RideDraft(notes: "Smoking."), .from(maya))
            #expect(streets.routes.withLock(\.count) == 1)
            var stops = Example.stops
            stops[1].name = "Salinas, by the station"
            _ = try await rides.rides.change(ride.id, to: RideDraft(stops: stops), .from(maya))
            #expect(try await legs(ride.id, rides) == streets.legs(Example.way.points))
            stops.remove(at: 1)
            streets.isAway.withLock { $0 = true }
            _ = try await rides.rides.change(ride.id, to: RideDraft(stops: stops), .from(maya))
            #expect(try await legs(ride.id, rides) == nil)
            streets.isAway.withLock { $0 = false }
            _ = try await rounds(rides, streets).round()
            let points = stops.compactMap { $0.position?.onGrid }
            #expect(try await legs(ride.id, rides) == streets.legs(points))
            #expect(try await due(ride.id, rides) == nil)
        }
    }

    @Test func outward_and_return_are_two_questions() async throws {
        let streets = MadeUpStreets()
        try await Rides.with(region: Self.region, legs: streets.askForLegs) { rides in
            let ride = try await rides.posted {
                $0.returnRide = ReturnDraft(departsAt: WireJSON.text(of: after(hours: 72)))
            }
            let points = Example.way.points
            #expect(Set(streets.routes.withLock(\.self)) == [points, points.reversed()])
            let rows = try await rides.database.query(
                "SELECT \(OfferedRide.columns) FROM rides WHERE return_of = \(ride.id)")
            let back = try #require(try rows.first.map(OfferedRide.init))
            #expect(back.legs == streets.legs(points.reversed()) && back.way.isPlaced)
        }
    }

    @Test func what_was_not_answered_is_asked_for_again_and_nobody_is_told() async throws {
        let streets = MadeUpStreets()
        streets.isAway.withLock { $0 = true }
        try await Rides.with(
            region: { _ in throw ServiceError(.unavailable, "Places is away.") }, legs: streets.askForLegs
        ) { rides in
            let ride = try await rides.posted().id
            #expect(try await legs(ride, rides) == nil)
            let places = rounds(rides, streets)
            #expect(try await places.round() == false)
            rides.advance(hours: 0.1)
            streets.isAway.withLock { $0 = false }
            _ = try await places.round()
            #expect(try await legs(ride, rides) == streets.legs(Example.way.points))
            #expect(try await rides.stored(ride)?.way.isPlaced == true)
            #expect(try await due(ride, rides) == nil)
            let told = try await rides.told(RideChanged.self).count
            #expect(told == 1, "of its regions")
            _ = try await rides.database.query(
                "UPDATE rides SET leg_metres = NULL, leg_seconds = NULL, regions_due = \(noon) WHERE id = \(ride)")
            _ = try await places.round()
            #expect(try await legs(ride, rides) != nil)
            #expect(try await rides.told(RideChanged.self).count == told, "of streets nobody is told")
        }
    }

    @Test func where_there_are_no_streets_they_are_asked_for_a_day_later() async throws {
        let streets = MadeUpStreets { $0 != salinas.onGrid }
        try await Rides.with(region: Self.region, legs: streets.askForLegs) { rides in
            let ride = try await rides.posted().id
            #expect(try await legs(ride, rides) == nil)
            #expect(try await due(ride, rides) == noon + 86_400)
            let places = rounds(rides, streets)
            _ = try await places.round()
            #expect(streets.routes.withLock(\.count) == 1)
            rides.advance(hours: 24.1)
            _ = try await places.round()
            #expect(streets.routes.withLock(\.count) == 2)
            #expect(try await due(ride, rides) == rides.clock.now + 86_400)
            // What has left is asked for no more.
            rides.advance(hours: 24)
            try await rides.pass()
            #expect(try await due(ride, rides) == nil)
        }
    }

    @Test func legs_are_kept_for_each_leg_or_for_none() async throws {
        let streets = MadeUpStreets()
        try await Rides.with(legs: streets.askForLegs) { rides in
            let ride = try await rides.posted().id
            for change: SQLQuery in ["leg_metres = '{1}'", "leg_seconds = NULL", "leg_metres = NULL"] {
                await #expect(throws: PostgresError.self) {
                    try await rides.database.query("UPDATE rides SET \(change) WHERE id = \(ride)")
                }
            }
        }
    }
}
