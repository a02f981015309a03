import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import RidesService

@Suite struct RideStoreTests {
    @Test func a_ride_is_read_as_it_was_kept() async throws {
        try await Rides.with { rides in
            var ride = Example.ride(window: 2)
            ride.way.stops[0].region = "Central Coast"
            ride.reason = "So it was."
            ride.hidden = Hiding(at: noon, reason: "Hm.")
            let kept = ride
            _ = try await rides.store.transaction { try await $0.add(kept) }
            #expect(try await rides.stored(ride.id) == ride)

            ride.way = RideWay(measuring: [
                Example.stop("Paso Robles", Example.paso), Example.stop("Gilroy", Example.gilroy),
            ])
            (ride.departsAt, ride.leavesBy, ride.zone) = (after(hours: 50), after(hours: 51), "UTC")
            (ride.seats, ride.cost, ride.currency, ride.maxDetour) = (2, 0, nil, 100)
            (ride.luggage, ride.accepts, ride.notes, ride.hidden) = (.large, .everybody, nil, nil)
            (ride.isWithheld, ride.changedAt, ride.reason) = (true, after(hours: 1), nil)
            let changed = ride
            _ = try await rides.store.transaction { try await $0.keep(changed, insteadOf: kept) }
            #expect(try await rides.stored(ride.id) == ride)
        }
    }

    @Test func a_seat_is_read_as_it_was_kept() async throws {
        try await Rides.with { rides in
            let ride = Example.ride()
            _ = try await rides.store.transaction { try await $0.add(ride) }
            let seat = Example.seatWithPoints()
            _ = try await rides.store.transaction {
                try await $0.add([SeatChange(asked: seat, in: ride)])
            }
            #expect(try await rides.stored(seat.id) == seat)

            var after = seat
            (after.state, after.answerBy, after.changedAt, after.changedBy) = (.accepted, nil, noon + 60, maya)
            (after.isConfirmed, after.confirmBy, after.isApproved, after.reason) = (
                false, noon + 7200, true, "Why not."
            )
            let kept = after
            let decision = SeatDecision(agreement: kept, told: .answered, by: maya)
            let ridden = try #require(
                try await rides.store.transaction {
                    try await $0.keep([SeatChange(seat, in: ride, decision)])[ride.id]
                })
            #expect(try await rides.stored(seat.id) == after)
            #expect(ridden.detourUsed == seat.part.detour && ridden.load.people == [2, 0])
            #expect(try await rides.stored(ride.id) == ridden)
        }
    }

    @Test func the_table_refuses_more_people_than_seats_whoever_writes() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { $0.seats = 2 }.id
            for person in [tom, lin] { _ = try await rides.seated(person, in: ride, 0...1) }
            let kims = try await rides.ask(ride, by: kim, 0...2) { $0.waitlist = true }
            let accepting: SQLQuery = "UPDATE seat_requests SET state = 'accepted' WHERE id = \(kims.id)"
            #expect(await constraint { try await rides.database.query(accepting) } == "rides_never_overfull")
            let fewer: SQLQuery = "UPDATE rides SET seats = 1 WHERE id = \(ride)"
            #expect(await constraint { try await rides.database.query(fewer) } == "rides_never_overfull")
            #expect(try await rides.wrongSums() == 0)
        }
    }

    @Test func the_load_follows_every_statement() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { $0.accepts = .everybody }.id
            let toms = try await rides.ask(ride, 0...1) { $0.seats = 2 }
            let lins = try await rides.ask(ride, by: lin, 1...2)
            #expect(try await rides.stored(ride)?.load.people == [2, 1, 0])
            _ = try await rides.database.query("UPDATE seat_requests SET seats = 3 WHERE id = \(lins.id)")
            #expect(try await rides.stored(ride)?.load.people == [2, 3, 0])
            _ = try await rides.database.query("DELETE FROM seat_requests WHERE id = \(toms.id)")
            #expect(try await rides.stored(ride)?.load.people == [3, 0])
            #expect(try await rides.wrongSums() == 0)
        }
    }

    @Test func the_table_refuses_a_detour_that_the_driver_does_not_offer() async throws {
        try await Rides.with { rides in
            let ride = Example.ride()
            _ = try await rides.store.transaction { try await $0.add(ride) }
            let longer: SQLQuery = "UPDATE seat_requests SET detour = 20001"
            let seat = Example.seatWithPoints()
            _ = try await rides.store.transaction {
                try await $0.add([SeatChange(asked: seat, in: ride)])
            }
            _ = try await rides.database.query(longer)
            let accepting: SQLQuery = "UPDATE seat_requests SET state = 'accepted'"
            #expect(await constraint { try await rides.database.query(accepting) } == "rides_within_detour")
        }
    }

    @Test func who_has_a_seat_asks_for_no_other_one_at_that_time() async throws {
        try await Rides.with { rides in
            let first = try await rides.posted().id
            let second = try await rides.posted(by: lin) { $0.departsAt = WireJSON.text(of: after(hours: 49)) }.id
            let later = try await rides.posted(by: lin) { $0.departsAt = WireJSON.text(of: after(hours: 72)) }.id
            var asked: [SeatRequestID] = []
            for ride in [first, second, later] { asked.append(try await rides.ask(ride).id) }
            try await rides.act(asked[0], .accept)
            #expect(try await rides.states(asked) == [.accepted, .withdrawn, .pending])
            let withdrawn = try await rides.told(SeatChanged.self).filter { $0.what == .withdrawn }
            #expect(withdrawn.map(\.request.id) == [asked[1]] && withdrawn[0].request.by == nil)
        }
    }

    @Test func what_is_one_ride_is_not_posted_twice() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted()
            let driving = try await rides.store.driving(of: maya)
            #expect(driving.open == 1 && driving.close(to: ride.departsAt + 1800).count == 1)
            #expect(driving.close(to: ride.departsAt + 1801).isEmpty)
            var other = Example.ride()
            other.departsAt += 1800
            #expect(driving.duplicate(of: other)?.id == ride.id)
            other.way = RideWay(measuring: [Example.stop("Paso", Example.paso), Example.stop("City", city)])
            #expect(driving.duplicate(of: other) == nil)
        }
    }

    @Test func rooms_are_told_who_has_to_do_with_a_ride_until_three_days_after() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { $0.maxDetour = 0 }.id
            let toms = try await rides.seated(tom, in: ride)
            let lins = try await rides.ask(ride, by: lin)
            func facts() async throws -> RoomSubjectFacts? { try await rides.told(RoomSubjectChanged.self).last?.facts }
            #expect(try await facts()?.partners == [tom, lin])
            #expect(try await facts()?.title == "San Luis Obispo → San Francisco")
            #expect(try await facts()?.isOpenToAll == true)
            try await rides.act(lins.id, .reject)
            #expect(try await facts()?.partners == [tom])
            rides.advance(hours: 60)
            try await rides.pass()
            #expect(try await rides.stored(toms.id)?.state == .rode)
            #expect(try await facts()?.partners == [tom])
            #expect(try await facts()?.isOpen == true)
            #expect(try await facts()?.isOpenToAll == false)
            rides.advance(hours: 3 * 24)
            try await rides.pass()
            #expect(try await facts()?.isOpen == false)
            #expect(try await rides.store.partners(of: ride, at: rides.clock.now).isEmpty)
        }
    }
}

/// The constraint by which it is refused.
func constraint(_ body: () async throws -> some Any) async -> String? {
    do {
        _ = try await body()
        return nil
    } catch { return (error as? PostgresError)?.constraint }
}

extension Example {
    /// Tom's, with Ava, from a door of his own to another one.
    fileprivate static func seatWithPoints() -> SeatAgreement {
        func own(_ name: String, _ position: Position, at metres: Int) -> WayPoint {
            WayPoint(at: metres, own: OwnPoint(name: name, address: "\(name), 2nd floor", position: position))
        }
        let part = WayPart(
            boarding: own("Paso Robles", paso, at: 40_000), leaving: own("Gilroy", gilroy, at: 230_000), detour: 2_345)
        return SeatAgreement(
            id: .new(at: noon), ride: ride().id, driver: maya, rider: tom, seats: 2, riders: ["me", "Ava"], part: part,
            cost: 2500, currency: "USD", message: "Please, \"we\" {are} late", askedAt: noon, answerWithin: 6 * 3600,
            answerBy: noon + 6 * 3600, state: .pending, changedAt: noon, changedBy: tom)
    }
}
