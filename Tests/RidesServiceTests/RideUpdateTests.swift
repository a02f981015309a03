import FoundationEssentials
import Messaging
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// What becomes of a ride when its driver changes it, removes it, leaves or arrives.
@Suite struct RideUpdateTests {
    // MARK: Changing

    @Test func a_small_change_is_told_and_a_large_one_asks() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            let seat = try await rides.seated(in: ride).id
            rides.advance(hours: 0.01)
            let pending = try await rides.ask(ride, by: lin).id
            func move(_ minutes: Double) async throws -> Ride {
                let draft = RideDraft(departsAt: WireJSON.text(of: Example.departure + minutes * 60))
                return try await rides.rides.change(ride, to: draft, .from(maya))
            }
            #expect(try await move(15).departsAt == Example.departure + 900)
            #expect(try await rides.changes() == ["tom rideChanged", "lin rideChanged"])
            #expect(try await rides.seen(seat, by: tom).isConfirmed)
            _ = try await move(60)
            #expect(try await rides.changes().suffix(2) == ["tom rideMoved", "lin rideChanged"])
            let moved = try await rides.seen(seat, by: tom)
            #expect(!moved.isConfirmed && moved.state == .accepted && moved.possible.contains(.keep))
            #expect(moved.boarding.time == Example.departure + 3600)
            #expect(try await rides.seen(pending, by: lin).state == .pending)
            #expect(try await rides.act(seat, .keep, by: tom).isConfirmed)
        }
    }

    @Test func more_seats_go_to_those_who_wait() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { ($0.seats, $0.accepts) = (1, .everybody) }.id
            _ = try await rides.ask(ride)
            let waiting = try await rides.ask(ride, by: lin) { $0.waitlist = true }
            #expect(waiting.state == .waiting && waiting.isApproved && waiting.ahead == 0)
            let changed = try await rides.rides.change(ride, to: RideDraft(seats: 2), .from(maya))
            #expect(changed.free == [0, 0] && changed.passengers.count == 2)
            #expect(try await rides.seen(waiting.id, by: lin).state == .accepted)
            let less = await rideRefusal { try await rides.rides.change(ride, to: RideDraft(seats: 1), .from(maya)) }
            #expect(less == .seatsTaken(2))
        }
    }

    @Test func what_somebody_counts_on_stays() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted()
            let other = RideDraft(stops: [Example.stops[0], Example.stops[2]])
            let asked = try await rides.ask(ride.id)
            #expect(await rideRefusal { try await rides.rides.change(ride.id, to: other, .from(maya)) } == .inUse)
            try await rides.act(asked.id, .withdraw, by: tom)
            let changed = try await rides.rides.change(ride.id, to: other, .from(maya))
            #expect(changed.stops.count == 2)
            let old = RideDraft(seats: 3, version: ride.version)
            let refusal = await rideRefusal { try await rides.rides.change(ride.id, to: old, .from(maya)) }
            #expect(refusal == .changedMeanwhile(changed.version))
        }
    }

    @Test func a_change_makes_no_ride_the_same_as_another() async throws {
        try await Rides.with { rides in
            let first = try await rides.posted().id
            let second = try await rides.posted { $0.departsAt = WireJSON.text(of: after(hours: 72)) }.id
            let draft = RideDraft(departsAt: WireJSON.text(of: Example.departure))
            #expect(
                await rideRefusal { try await rides.rides.change(second, to: draft, .from(maya)) } == .duplicate(first))
        }
    }

    // MARK: Removing, leaving and arriving

    @Test func everybody_who_asked_or_rides_along_hears_that_it_was_removed() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { $0.seats = 1 }.id
            let seat = try await rides.seated(in: ride)
            rides.advance(hours: 0.01)
            let pending = try await rides.ask(ride, by: lin) { $0.waitlist = true }
            try await rides.rides.save(ride, .from(kim))
            try await rides.rides.remove(ride, RideRemoval(reason: "The car broke down."), .from(maya))
            #expect(try await rides.changes() == ["tom rideRemoved", "lin rideRemoved"])
            for (request, person) in [(seat, tom), (pending, lin)] {
                let over = try await rides.seen(request.id, by: person)
                #expect(over.state == .removed && over.reason == "The car broke down." && over.possible.isEmpty)
                #expect(try await rides.seen(ride, by: person).state == .removed)
            }
            #expect(try await rides.told(RideRemoved.self).map(\.state) == [.removed])
            let saved = try await rides.rides.myRides(MyRidesQuery(tab: .saved), for: Caller(person: kim))
            #expect(saved.items.map(\.ride.state) == [.removed])
            #expect(await rideRefusal { try await rides.ask(ride, by: crowd(1)[0]) } == .notFound)
            let again = await rideRefusal { try await rides.rides.remove(ride, RideRemoval(), .from(maya)) }
            #expect(again == .rideOver([]))
        }
    }

    @Test func a_ride_leaves_and_arrives() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            let seat = try await rides.seated(in: ride).id
            let pending = try await rides.ask(ride, by: lin) { $0.seats = 3 }.id
            let early = await rideRefusal { try await rides.rides.depart(ride, .from(maya)) }
            #expect(early == .rideOver([.change, .remove]))
            #expect(early?.serviceError.errors.map(\.code) == ["change", "remove"])
            rides.advance(hours: 47.5)
            #expect(try await rides.rides.depart(ride, .from(maya)).state == .departed)
            #expect(try await rides.changes() == ["tom departed"])
            #expect(try await rides.seen(pending, by: lin).state == .expired)
            let left = await rideRefusal { try await rides.act(seat, .leave, by: tom) }
            #expect(left == .wrongState([]))
            #expect(try await rides.rides.arrive(ride, .from(maya)).state == .completed)
            #expect(try await rides.seen(seat, by: tom).state == .rode)
            let encounter = try #require(try await rides.told(EncounterCompleted.self).first)
            #expect(encounter.subject == Subject(seat) && Set(encounter.people) == [maya, tom])
        }
    }

    @Test func only_its_driver_does_any_of_it() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            _ = try await rides.seated(in: ride)
            rides.advance(hours: 47.75)
            for person in [tom, lin] {
                let tries = [
                    await rideRefusal { try await rides.rides.change(ride, to: RideDraft(seats: 2), .from(person)) },
                    await rideRefusal { try await rides.rides.remove(ride, RideRemoval(), .from(person)) },
                    await rideRefusal { try await rides.rides.depart(ride, .from(person)) },
                    await rideRefusal { try await rides.rides.arrive(ride, .from(person)) },
                ]
                #expect(tries == Array(repeating: .forbidden, count: 4))
            }
            let moderator = RequestContext.from(lin, roles: [.moderator])
            #expect(await rideRefusal { try await rides.rides.remove(ride, RideRemoval(), moderator) } == .forbidden)
        }
    }
}
