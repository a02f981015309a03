import DurableMessaging
import FoundationEssentials
import Postgres
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import RidesService

@Suite("When searches look anew")
struct SearchedNewsTests {
    @Test func what_becomes_of_a_ride_is_said_once_each() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { $0.seats = 1 }.id
            let header = try #require(try await rides.headers(of: SearchableChanged.self).first)
            #expect(header.audience == .nobody && header.aggregate == "ride/\(ride)" && header.concerns == nil)
            #expect(try await rides.lookedAnew() == [ride])
            _ = try await rides.rides.change(ride, to: RideDraft(maxDetour: 1000), .from(maya))
            #expect(try await rides.lookedAnew() == [ride])
            _ = try await rides.rides.change(ride, to: RideDraft(notes: "No dogs."), .from(maya))
            #expect(try await rides.lookedAnew() == [], "no search asks for notes")
            let asked = try await rides.ask(ride).id
            #expect(try await rides.lookedAnew() == [], "a request takes no seat yet")
            try await rides.act(asked, .accept)
            #expect(try await rides.lookedAnew() == [ride], "it is full")
            try await rides.act(asked, .leave, by: tom)
            #expect(try await rides.lookedAnew() == [ride], "it has a seat again")
            let hiding = Hiding(at: noon, reason: "Rude.")
            try await rides.hear(SubjectHidden(subject: Subject(ride), hiding: hiding))
            try await rides.hear(SubjectRestored(subject: Subject(ride)))
            #expect(try await rides.lookedAnew() == [ride, ride])
            try await rides.suspend(maya, until: after(hours: 1))
            rides.advance(hours: 1)
            try await rides.pass()
            #expect(try await rides.lookedAnew() == [ride, ride])
            rides.advance(hours: 47)
            try await rides.pass()
            #expect(try await rides.lookedAnew() == [ride], "it has left")
            rides.advance(hours: 20)
            try await rides.pass()
            #expect(try await rides.lookedAnew() == [])
        }
    }

    /// Of these only whoever waits to be told looks anew.
    @Test func what_fits_fewer_searches_says_so() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { ($0.seats, $0.maxDetour) = (2, 5000) }.id
            #expect(try await rides.isNarrower() == [false])
            let seat = try await rides.seated(in: ride).id
            #expect(try await rides.isNarrower() == [true], "a seat less")
            try await rides.act(seat, .leave, by: tom)
            #expect(try await rides.isNarrower() == [false], "a seat more")
            for (draft, isNarrower) in [
                (RideDraft(maxDetour: 1000), true), (RideDraft(maxDetour: 2000), false), (RideDraft(seats: 3), false),
                (RideDraft(departsAt: WireJSON.text(of: Example.departure + 600)), false),
            ] {
                _ = try await rides.rides.change(ride, to: draft, .from(maya))
                #expect(try await rides.isNarrower() == [isNarrower])
            }
            try await rides.rides.remove(ride, RideRemoval(), .from(maya))
            #expect(try await rides.isNarrower() == [false], "whoever was told of it hears that it is gone")
        }
    }

    @Test func a_load_is_within_another_where_no_leg_has_more() {
        let one = SeatLoad().adding(2, from: 0, to: 50)
        let both = one.adding(1, from: 30, to: 100)
        #expect(SeatLoad().isWithin(one) && one.isWithin(one) && one.isWithin(both) && !both.isWithin(one))
        let other = SeatLoad().adding(1, from: 60, to: 100)
        #expect(!one.isWithin(other) && !other.isWithin(one) && other.isWithin(both))
        #expect(one.isWithin(SeatLoad().adding(2, from: 0, to: 20).adding(2, from: 20, to: 50)), "marks are no matter")
        #expect(!one.isWithin(SeatLoad().adding(2, from: 0, to: 20).adding(1, from: 20, to: 50)))
    }

    @Test func a_seat_that_goes_on_to_who_waits_is_not_free() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { ($0.seats, $0.accepts) = (1, .everybody) }.id
            let toms = try await rides.ask(ride).id
            _ = try await rides.ask(ride, by: lin) { $0.waitlist = true }
            _ = try await rides.lookedAnew()
            try await rides.act(toms, .leave, by: tom)
            #expect(try await rides.lookedAnew() == [], "it is as full as it was")
        }
    }

    @Test func both_ways_a_whole_series_and_what_goes_are_said() async throws {
        try await Rides.with { rides in
            let there = try await rides.posted { $0.returnRide = Example.returning() }
            let back = try #require(there.other).id
            #expect(try await Set(rides.lookedAnew()) == [there.id, back])
            _ = try await rides.rides.remove(there.id, RideRemoval(withOther: true), .from(maya))
            #expect(try await Set(rides.lookedAnew()) == [there.id, back])
            let erased = try await rides.posted().id
            _ = try await rides.lookedAnew()
            try await rides.erase(maya)
            #expect(try await rides.lookedAnew() == [erased])
        }
    }

    @Test func rides_of_a_series_are_said_as_they_are_made_and_end() async throws {
        try await Rides.with { rides in
            let series = try await rides.postedSeries()
            let made = try await rides.lookedAnew()
            #expect(made.count > 4 && Set(made).count == made.count)
            try await rides.rides.endSeries(series.id, RideSeriesEnding(), .from(maya))
            #expect(try await Set(rides.lookedAnew()) == Set(made))
        }
    }

    /// Streets that become known may be too far around.
    @Test func streets_that_are_known_later_are_said() async throws {
        let streets = MadeUpStreets()
        streets.isAway.withLock { $0 = true }
        try await Rides.with(legs: streets.askForLegs) { rides in
            let ride = try await rides.posted().id
            _ = try await rides.lookedAnew()
            _ = try? await rides.regionRounds(streets).round()
            #expect(try await rides.lookedAnew() == [])
            streets.isAway.withLock { $0 = false }
            rides.advance(hours: 1)
            _ = try await rides.regionRounds(streets).round()
            #expect(try await rides.stored(ride)?.legs != nil)
            #expect(try await rides.lookedAnew() == [ride])
        }
    }
}

extension Rides {
    /// What was said since this was asked the last time.
    fileprivate func lookedAnew() async throws -> [RideID] {
        let told = try await told(SearchableChanged.self).map { $0.subject.id(of: Ride.self) }
        _ = try await database.query("DELETE FROM outbox WHERE header->>'type' = \(SearchableChanged.type)")
        return told.compactMap { $0 }
    }

    /// The same, whether each of them fits fewer searches.
    fileprivate func isNarrower() async throws -> [Bool] {
        let told = try await told(SearchableChanged.self).map { $0.isNarrower == true }
        _ = try await lookedAnew()
        return told
    }

    fileprivate func regionRounds(_ streets: MadeUpStreets) -> RideRegionRounds {
        RideRegionRounds(store: store, logger: .quiet, ask: { _ in nil }, askForLegs: streets.askForLegs)
    }
}
