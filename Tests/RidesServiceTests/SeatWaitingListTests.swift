import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// A ride with one seat, which Tom has. Lin and Kim wait for it.
@Suite struct SeatWaitingListTests {
    private func ride(_ rides: Rides, _ change: (inout RideDraft) -> Void = { _ in }) async throws -> RideID {
        try await rides.posted { draft in
            draft.seats = 1
            change(&draft)
        }.id
    }

    private func wait(_ ride: RideID, _ person: PersonID, _ rides: Rides) async throws -> SeatRequestID {
        rides.advance(hours: 0.01)
        return try await rides.ask(ride, by: person) { $0.waitlist = true }.id
    }

    @Test func who_waits_is_told_their_place() async throws {
        try await Rides.with { rides in
            let ride = try await ride(rides)
            _ = try await rides.seated(in: ride)
            #expect(await rideRefusal { try await rides.ask(ride, by: lin) } == .soldOut(free: 0))
            let first = try await wait(ride, lin, rides)
            let second = try await wait(ride, kim, rides)
            #expect(try await rides.seen(first, by: lin).ahead == 0)
            let place = try await rides.seen(second, by: kim)
            #expect(place.ahead == 1 && place.state == .waiting && !place.isApproved && place.possible == [.withdraw])
            #expect(try await rides.seen(second, by: maya).possible == [.approve, .reject])
            #expect(try await rides.seen(ride, by: lin).action == .withdraw)
            #expect(try await rides.seen(ride, by: nil).action == .wait)
        }
    }

    @Test func a_seat_that_comes_free_goes_to_the_first_who_was_approved_and_keeps_it() async throws {
        try await Rides.with { rides in
            let ride = try await ride(rides)
            let seat = try await rides.seated(in: ride).id
            let (first, second) = (try await wait(ride, lin, rides), try await wait(ride, kim, rides))
            #expect(try await rides.act(first, .approve).isApproved)
            try await rides.act(seat, .leave, by: tom)
            #expect(try await rides.changes() == ["lin approved", "tom left", "lin promoted"])
            let promoted = try await rides.seen(first, by: lin)
            #expect(promoted.state == .accepted && !promoted.isConfirmed && promoted.possible.contains(.keep))
            #expect(promoted.confirmBy == rides.clock.now + 2 * 3600)
            #expect(try await rides.seen(second, by: kim).ahead == 0)
            let kept = try await rides.act(first, .keep, by: lin)
            #expect(kept.isConfirmed && kept.confirmBy == nil && kept.possible == [.leave])
            rides.advance(hours: 3)
            try await rides.pass()
            #expect(try await rides.seen(first, by: lin).state == .accepted)
        }
    }

    @Test func who_does_not_say_that_they_keep_it_loses_it_to_the_next() async throws {
        try await Rides.with { rides in
            let ride = try await ride(rides) { $0.accepts = .everybody }
            let seat = try await rides.ask(ride).id
            let (first, second) = (try await wait(ride, lin, rides), try await wait(ride, kim, rides))
            try await rides.act(seat, .leave, by: tom)
            rides.advance(hours: 2)
            try await rides.pass()
            #expect(try await rides.seen(first, by: lin).state == .expired)
            #expect(try await rides.seen(second, by: kim).state == .accepted)
            #expect(try await rides.changes().suffix(2) == ["lin lapsed", "kim promoted"])
            #expect(await rideRefusal { try await rides.act(first, .keep, by: lin) } == .wrongState([]))
        }
    }

    @Test func who_was_not_looked_at_is_looked_at_then() async throws {
        try await Rides.with { rides in
            let ride = try await ride(rides)
            let seat = try await rides.seated(in: ride).id
            let waiting = try await wait(ride, lin, rides)
            #expect(try await rides.act(seat, .remove, reason: "Too late.").reason == "Too late.")
            let asked = try await rides.seen(waiting, by: maya)
            #expect(asked.state == .pending && asked.answerBy != nil && asked.possible == [.accept, .reject])
            #expect(try await rides.act(waiting, .accept).isConfirmed)
        }
    }

    @Test func who_does_not_fit_keeps_their_place_and_blocks_nobody() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { ($0.seats, $0.accepts) = (2, .everybody) }.id
            let seat = try await rides.ask(ride).id
            _ = try await rides.ask(ride, by: crowd(1)[0])
            let two = try await rides.ask(ride, by: lin) { ($0.waitlist, $0.seats) = (true, 2) }.id
            let one = try await wait(ride, kim, rides)
            try await rides.act(seat, .leave, by: tom)
            #expect(try await rides.seen(one, by: kim).state == .accepted)
            #expect(try await rides.seen(two, by: lin).state == .waiting)
        }
    }

    /// Whoever has found another car meanwhile is not given a second seat at that time.
    @Test func who_is_in_another_car_is_passed_over() async throws {
        try await Rides.with { rides in
            let ride = try await ride(rides) { $0.accepts = .everybody }
            let seat = try await rides.ask(ride).id
            let (first, second) = (try await wait(ride, lin, rides), try await wait(ride, kim, rides))
            let other = try await rides.posted(by: crowd(1)[0]) { draft in
                (draft.accepts, draft.departsAt) = (.everybody, WireJSON.text(of: Example.departure + 3600))
            }
            _ = try await rides.ask(other.id, by: lin)
            try await rides.act(seat, .leave, by: tom)
            #expect(try await rides.seen(first, by: lin).state == .waiting)
            #expect(try await rides.seen(second, by: kim).state == .accepted)
        }
    }
}
