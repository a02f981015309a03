import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// What somebody has to do with: what they drive, ride along in, saved, and asked for.
@Suite struct OwnRideListTests {
    private func mine(
        _ rides: Rides, _ tab: MyRidesTab, by person: PersonID, limit: Int? = nil
    ) async throws -> [MyRide] {
        var (found, query): ([MyRide], MyRidesQuery) = ([], MyRidesQuery(tab: tab, limit: limit))
        repeat {
            let page = try await rides.rides.myRides(query, for: Caller(person: person))
            found += page.items
            query.cursor = page.next
        } while query.cursor != nil
        return found
    }

    private func post(_ rides: Rides, by driver: PersonID = maya, at hours: Double) async throws -> RideID {
        try await rides.posted(by: driver) { $0.departsAt = WireJSON.text(of: after(hours: hours)) }.id
    }

    @Test func current_is_what_one_drives_and_rides_along_in_and_past_what_is_over() async throws {
        try await Rides.with { rides in
            var lins: [SeatRequestID] = []
            for hours in [20.0, 60, 100] {
                lins.append(try await rides.seated(maya, in: try await post(rides, by: lin, at: hours), by: lin))
            }
            let own = [try await post(rides, at: 40), try await post(rides, at: 80)]
            for limit in [1, 2, 20] {
                let current = try await mine(rides, .current, by: maya, limit: limit)
                #expect(current.map(\.request?.id) == [lins[0], nil, lins[1], nil, lins[2]])
                #expect(current.map(\.ride.mine) == [false, true, false, true, false])
            }
            rides.advance(hours: 50)
            try await rides.pass()
            try await rides.rides.remove(own[1], RideRemoval(), .from(maya))
            try await rides.act(lins[2], .leave, by: maya)
            for limit in [1, 2, 20] {
                #expect(try await mine(rides, .current, by: maya, limit: limit).map(\.request?.id) == [lins[1]])
                let past = try await mine(rides, .past, by: maya, limit: limit)
                #expect(past.map(\.request?.id) == [lins[2], nil, nil, lins[0]])
                #expect(past.map(\.ride.state) == [.open, .removed, .completed, .completed])
            }
        }
    }

    @Test func pending_is_what_waits_for_an_answer_of_either() async throws {
        try await Rides.with { rides in
            let (own, lins) = (try await post(rides, at: 80), try await post(rides, by: lin, at: 90))
            let toms = try await rides.ask(own) { $0.answerWithin = 12 }
            let kims = try await rides.ask(own, by: kim) { $0.answerWithin = 3 }
            let mayas = try await rides.ask(lins, by: maya) { $0.answerWithin = 6 }
            for limit in [1, 2, 20] {
                let pending = try await mine(rides, .pending, by: maya, limit: limit)
                #expect(pending.map(\.request?.id) == [kims.id, mayas.id, toms.id], "what is due first comes first")
            }
            try await rides.act(kims.id, .reject)
            #expect(try await mine(rides, .pending, by: maya).map(\.request?.id) == [mayas.id, toms.id])
            #expect(try await mine(rides, .pending, by: lin).map(\.request?.id) == [mayas.id])
        }
    }

    @Test func saved_rides_stay_when_they_are_removed_and_not_when_their_driver_is_apart() async throws {
        try await Rides.with { rides in
            var all: [RideID] = []
            for hours in [50.0, 30, 40] {
                let ride = try await post(rides, by: hours == 30 ? maya : lin, at: hours)
                try await rides.rides.save(ride, .from(tom))
                try await rides.rides.save(ride, .from(tom))
                rides.clock.advance(by: .seconds(1))
                all.append(ride)
            }
            for limit in [1, 20] {
                #expect(try await mine(rides, .saved, by: tom, limit: limit).map(\.ride.id) == all.reversed())
            }
            #expect(try await rides.seen(all[0], by: tom).isSaved)
            #expect(try await !rides.seen(all[0], by: kim).isSaved)
            try await rides.rides.remove(all[0], RideRemoval(), .from(lin))
            #expect(try await mine(rides, .saved, by: tom).last?.ride.state == .removed)
            #expect(try await rides.seen(all[0], by: tom).state == .removed)
            #expect(await rideRefusal { try await rides.seen(all[0], by: kim) } == .notFound)
            try await rides.part(maya, tom)
            #expect(try await mine(rides, .saved, by: tom).map(\.ride.id) == [all[2], all[0]])
            try await rides.rides.unsave(all[2], .from(tom))
            #expect(try await mine(rides, .saved, by: tom).map(\.ride.id) == [all[0]])
        }
    }

    @Test func requests_are_listed_by_role_ride_and_state() async throws {
        try await Rides.with { rides in
            let (own, lins) = (try await post(rides, at: 80), try await post(rides, by: lin, at: 120))
            var asked: [SeatRequestID] = []
            for (ride, person) in [(own, tom), (own, kim), (lins, maya), (lins, tom)] {
                asked.append(try await rides.ask(ride, by: person).id)
                rides.clock.advance(by: .milliseconds(5))
            }
            try await rides.act(asked[1], .accept)
            func ids(_ query: SeatRequestQuery, by person: PersonID) async throws -> [SeatRequestID] {
                try await rides.rides.requests(query, for: Caller(person: person)).items.map(\.id)
            }
            #expect(try await ids(SeatRequestQuery(), by: maya) == [asked[2], asked[1], asked[0]])
            #expect(try await ids(SeatRequestQuery(role: .driver), by: maya) == [asked[1], asked[0]])
            #expect(try await ids(SeatRequestQuery(role: .rider), by: maya) == [asked[2]])
            #expect(try await ids(SeatRequestQuery(state: .accepted), by: maya) == [asked[1]])
            #expect(try await ids(SeatRequestQuery(ride: lins), by: tom) == [asked[3]])
            #expect(try await ids(SeatRequestQuery(ride: lins), by: lin) == [asked[3], asked[2]])
            #expect(try await ids(SeatRequestQuery(ride: lins), by: kim).isEmpty)
            let first = try await rides.rides.requests(SeatRequestQuery(limit: 2), for: Caller(person: maya))
            #expect(first.items.map(\.id) == [asked[2], asked[1]])
            #expect(try await ids(SeatRequestQuery(cursor: first.next), by: maya) == [asked[0]])
        }
    }

    @Test func cursors_that_are_none_are_refused() async throws {
        try await Rides.with { rides in
            let maya = Caller(person: maya)
            #expect(
                await refusalCode { try await rides.rides.rides(RideQuery(cursor: "x"), for: maya) } == .invalid)
            #expect(await refusalCode { try await rides.rides.rides(RideQuery(limit: 0), for: maya) } == .invalid)
            #expect(
                await refusalCode { try await rides.rides.myRides(MyRidesQuery(cursor: "x"), for: maya) } == .invalid)
            #expect(
                await refusalCode { try await rides.rides.requests(SeatRequestQuery(cursor: "x"), for: maya) }
                    == .invalid)
            #expect(
                await refusalCode { try await rides.rides.requests(SeatRequestQuery(disputed: true), for: maya) }
                    == .forbidden)
        }
    }
}

extension Rides {
    fileprivate func seated(_ person: PersonID, in ride: RideID, by driver: PersonID) async throws -> SeatRequestID {
        let asked = try await ask(ride, by: person)
        return try await act(asked.id, .accept, by: driver).id
    }
}
