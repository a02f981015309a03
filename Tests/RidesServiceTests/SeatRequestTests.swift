import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// How seats are asked for.
@Suite struct SeatRequestTests {
    // MARK: Quotes

    @Test func a_quote_says_what_a_part_of_the_way_would_be() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { $0.seats = 1 }.id
            _ = try await rides.seated(in: ride, 0...1)
            _ = try await rides.ask(ride, by: lin, 0...1) { $0.waitlist = true }
            func quote(_ person: PersonID?, _ draft: SeatDraft) async throws -> SeatQuote {
                try await rides.rides.quoteSeat(ride, draft, for: Caller(person: person))
            }
            let whole = try await quote(nil, SeatDraft())
            #expect(whole.free == 0 && whole.cost?.amount == 2000 && whole.waiting == 1)
            let part = try await quote(kim, SeatDraft(from: SeatPointDraft(stop: 1)))
            #expect(part.free == 1 && part.boarding.name == "Salinas" && part.cost.map { $0.amount < 1000 } == true)
            #expect(!whole.boarding.isExact && whole.boarding.address == nil, "no door before the acceptance")
            #expect(await refusalCode { try await quote(kim, SeatDraft(seats: 9)) } == .invalid)
            try await rides.rides.remove(ride, RideRemoval(), .from(maya))
            #expect(await rideRefusal { try await quote(kim, SeatDraft()) } == .notFound)
        }
    }

    // MARK: Asking

    @Test func who_asks_waits_for_the_driver() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            let asked = try await rides.ask(ride) { $0.message = "With a cello." }
            #expect(asked.state == .pending && asked.role == .rider && asked.possible == [.withdraw])
            #expect(asked.cost?.amount == 2000 && asked.answerBy == noon + 86_400)
            let shown = try await rides.seen(asked.id, by: maya)
            #expect(shown.role == .driver && shown.possible == [.accept, .reject] && shown.message == "With a cello.")
            let seen = try await rides.seen(ride, by: tom)
            #expect(seen.action == .withdraw && seen.request == asked.id && seen.free == [4, 4])
            #expect(try await rides.told(SeatRequested.self).map(\.request.id) == [asked.id])
            #expect(await rideRefusal { try await rides.ask(ride) } == .alreadyAsked(asked.id))
        }
    }

    @Test func a_driver_may_let_people_have_seats_at_once() async throws {
        try await Rides.with { rides in
            try await rides.name(tom, "Tom", campus: "hill")
            try await rides.name(lin, "Lin")
            let ride = try await rides.posted { $0.accepts = .verified }.id
            #expect(try await rides.ask(ride).state == .accepted)
            #expect(try await rides.ask(ride, by: lin).state == .pending)
            #expect(try await rides.seen(ride, by: tom).free == [3, 3])
        }
    }

    @Test func a_request_is_refused_for_what_it_is() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { $0.seats = 2 }.id
            _ = try await rides.seated(lin, in: ride, 0...1)
            #expect(await refusalCode { try await rides.ask(ride, by: maya) } == .forbidden)
            #expect(await rideRefusal { try await rides.ask(.new()) } == .notFound)
            #expect(
                await refusalCode { try await rides.rides.requestSeat(ride, SeatDraft(), .from(nil)) }
                    == .unauthenticated)
            #expect(await rideRefusal { try await rides.ask(ride) { $0.seats = 2 } } == .soldOut(free: 1))
            #expect(await refusalCode { try await rides.ask(ride) { $0.seats = 0 } } == .invalid)
            let stale = await rideRefusal {
                try await rides.ask(ride) { $0.expected = SeatExpectation(cost: 1, departsAt: noon) }
            }
            guard case .termsChanged(let errors) = stale else { return #expect(stale == nil) }
            #expect(errors.map(\.field) == ["expected.cost", "expected.departsAt"] && errors[0].code == "2000")
            #expect(try await rides.ask(ride, 1...2) { $0.seats = 2 }.state == .pending, "there both are free")
        }
    }

    @Test func a_person_waits_for_so_many_answers() async throws {
        var few = limits
        few.requests = 2
        try await Rides.with(limits: few) { rides in
            var all: [RideID] = []
            for driver in crowd(4) { all.append(try await rides.posted(by: driver).id) }
            let asked = try await rides.ask(all[0])
            // Of two requests at one moment only one is within the limit.
            let results = await atOnce([all[1], all[2]]) { try await rides.ask($0) }
            #expect(results.count { $0.isSuccess } == 1)
            #expect(results.compactMap(\.error).first as? RideError == .tooManyRequests(limit: 2))
            try await rides.act(asked.id, .withdraw, by: tom)
            #expect(try await rides.ask(all[3]).state == .pending)
        }
    }

    @Test func nobody_is_in_two_cars_at_one_time() async throws {
        try await Rides.with { rides in
            let first = try await rides.posted().id
            let second = try await rides.posted(by: lin) { $0.departsAt = WireJSON.text(of: Example.departure + 3600) }
                .id
            let tomorrow = try await rides.posted(by: kim) { $0.departsAt = WireJSON.text(of: after(hours: 72)) }.id
            _ = try await rides.seated(in: first)
            #expect(await rideRefusal { try await rides.ask(second) } == .overlaps(first))
            let error = RideError.overlaps(first).serviceError
            #expect(error.errors.map(\.field) == ["ride"] && error.errors.map(\.code) == [first.description])
            #expect(await rideRefusal { try await rides.ask(second, by: maya) } == .overlaps(first), "she drives")
            #expect(try await rides.ask(tomorrow).state == .pending)
        }
    }

    @Test func who_gets_a_seat_asks_for_no_other_at_that_time() async throws {
        try await Rides.with { rides in
            let first = try await rides.posted().id
            let second = try await rides.posted(by: lin) { $0.departsAt = WireJSON.text(of: Example.departure + 3600) }
                .id
            let tomorrow = try await rides.posted(by: kim) { $0.departsAt = WireJSON.text(of: after(hours: 72)) }.id
            let asked = try await rides.ask(first)
            let (other, later) = (try await rides.ask(second), try await rides.ask(tomorrow))
            try await rides.act(asked.id, .accept)
            #expect(try await rides.seen(other.id, by: tom).state == .withdrawn)
            #expect(try await rides.seen(later.id, by: tom).state == .pending)
            #expect(try await rides.changes() == ["tom withdrawn"])
            #expect(await rideRefusal { try await rides.act(other.id, .accept, by: lin) } == .wrongState([]))
        }
    }

    /// Whoever drives elsewhere by now is not given a seat; why is not told.
    @Test func who_is_in_another_car_is_not_accepted() async throws {
        try await Rides.with { rides in
            let asked = try await rides.ask(try await rides.posted().id)
            _ = try await rides.posted(by: tom)
            #expect(await rideRefusal { try await rides.act(asked.id, .accept) } == .wrongState([.reject]))
        }
    }
}
