import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// What time does to rides and seats, in the tables.
@Suite struct RideRoundsTests {
    @Test func a_ride_leaves_and_arrives_and_each_who_rode_may_review() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            let toms = try await rides.seated(tom, in: ride, 0...1).id
            rides.clock.advance(by: .milliseconds(1))
            let seats = [toms, try await rides.seated(lin, in: ride, 1...2).id]
            let kims = try await rides.ask(ride, by: kim) { $0.answerWithin = 24 }.id
            rides.advance(hours: 47.9)
            try await rides.pass()
            #expect(try await rides.states(seats + [kims]) == [.accepted, .accepted, .expired])
            rides.advance(hours: 0.1)
            try await rides.pass()
            #expect(try await rides.stored(ride)?.state == .departed)
            #expect(try await rides.told(RideRemoved.self).map(\.state) == [.departed])
            #expect(try await rides.changes().suffix(2) == ["tom departed", "lin departed"])
            rides.advance(hours: 12)
            try await rides.pass()
            #expect(try await rides.stored(ride)?.state == .completed)
            #expect(try await rides.states(seats) == [.rode, .rode])
            let encounters = try await rides.told(EncounterCompleted.self)
            #expect(encounters.map(\.subject) == seats.map { Subject($0) })
            #expect(encounters.map(\.people) == [[maya, tom], [maya, lin]])
            #expect(encounters.allSatisfy { $0.title == "San Luis Obispo → San Francisco" })
            #expect(try await rides.wrongSums() == 0)
        }
    }

    @Test func a_ride_that_cannot_be_read_keeps_no_other_from_leaving() async throws {
        try await Rides.with { rides in
            let (broken, whole) = (try await rides.posted().id, try await rides.posted(by: kim).id)
            _ = try await rides.database.query("UPDATE rides SET stop_names[1] = NULL WHERE id = \(broken)")
            rides.advance(hours: 48)
            try await rides.pass()
            #expect(try await rides.stored(whole)?.state == .departed)
            let row = try await rides.database.query("SELECT state, due_at FROM rides WHERE id = \(broken)")[0]
            let (state, due): (String, Date) = (try row.get("state"), try row.get("due_at"))
            #expect(state == "open" && due == rides.clock.now + 60)
        }
    }

    @Test func who_does_not_keep_a_seat_loses_it_to_the_next() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { ($0.seats, $0.accepts) = (1, .everybody) }.id
            let toms = try await rides.ask(ride).id
            var waiting: [SeatRequestID] = []
            for person in [lin, kim] {
                waiting.append(try await rides.ask(ride, by: person) { $0.waitlist = true }.id)
                rides.clock.advance(by: .seconds(1))
            }
            #expect(try await rides.store.ahead(of: Array(rides.store.seats(waiting).values))[waiting[1]] == 1)
            try await rides.act(toms, .leave, by: tom)
            #expect(try await rides.states(waiting) == [.accepted, .waiting])
            #expect(try await rides.stored(waiting[0])?.isConfirmed == false)
            rides.advance(hours: 24)
            try await rides.pass()
            #expect(try await rides.states(waiting) == [.expired, .accepted])
            try await rides.act(waiting[1], .keep, by: kim)
            rides.advance(hours: 20)
            try await rides.pass()
            #expect(try await rides.states(waiting) == [.expired, .accepted])
            #expect(
                try await rides.changes() == [
                    "tom left", "lin promoted", "lin lapsed", "kim promoted", "kim kept",
                ])
            #expect(try await rides.wrongSums() == 0)
        }
    }

    @Test func who_waits_and_is_in_another_car_then_keeps_their_place() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { ($0.seats, $0.accepts) = (1, .everybody) }.id
            let toms = try await rides.ask(ride).id
            let lins = try await rides.ask(ride, by: lin) { $0.waitlist = true }.id
            rides.clock.advance(by: .seconds(1))
            let kims = try await rides.ask(ride, by: kim) { $0.waitlist = true }.id
            let other = try await rides.posted(by: .new()) { $0.accepts = .everybody }.id
            _ = try await rides.ask(other, by: lin)
            try await rides.act(toms, .leave, by: tom)
            #expect(try await rides.states([lins, kims]) == [.waiting, .accepted])
        }
    }

    @Test func more_seats_are_given_to_who_waits() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { ($0.seats, $0.accepts) = (1, .everybody) }.id
            _ = try await rides.ask(ride)
            let lins = try await rides.ask(ride, by: lin) { $0.waitlist = true }.id
            _ = try await rides.rides.change(ride, to: RideDraft(seats: 2), .from(maya))
            #expect(try await rides.stored(lins)?.state == .accepted)
            #expect(
                await rideRefusal { try await rides.rides.change(ride, to: RideDraft(seats: 1), .from(maya)) }
                    == .seatsTaken(2))
        }
    }

    @Test func a_ride_that_moves_takes_the_times_of_its_seats_along() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            let toms = try await rides.seated(tom, in: ride).id
            let moved = RideDraft(departsAt: WireJSON.text(of: after(hours: 72)))
            _ = try await rides.rides.change(ride, to: moved, .from(maya))
            #expect(try await rides.stored(toms)?.isConfirmed == false)
            let other = try await rides.posted(by: lin) { $0.departsAt = WireJSON.text(of: after(hours: 73)) }.id
            #expect(await rideRefusal { try await rides.ask(other) } == .overlaps(ride))
            let earlier = try await rides.posted(by: lin).id
            #expect(try await rides.ask(earlier).state == .pending)
            rides.advance(hours: 49)
            try await rides.pass()
            #expect(try await rides.stored(toms)?.state == .accepted)
            #expect(
                try await rides.told(SeatReminder.self).filter { $0.request.id == toms }.map(\.about) == [.tomorrow])
        }
    }

    @Test func what_is_over_for_a_month_keeps_neither_doors_nor_names() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { $0.maxDetour = 50_000 }.id
            let seat = try await rides.ask(ride) {
                $0.from = SeatPointDraft(name: "Paso Robles", address: "12 Vine St", position: Example.paso)
                $0.to = SeatPointDraft(stop: 2)
                ($0.seats, $0.riders) = (2, ["me", "Ava"])
            }.id
            try await rides.act(seat, .accept)
            rides.advance(hours: 80)
            try await rides.pass()
            rides.advance(hours: 28 * 24)
            try await rides.pass()
            #expect(try await rides.stored(ride)?.way.stops.first?.address == "1 Grand Ave")
            #expect(try await rides.stored(seat)?.riders == ["me", "Ava"])
            rides.advance(hours: 2 * 24)
            try await rides.pass()
            let (kept, stored) = (try await rides.stored(ride), try await rides.stored(seat))
            #expect(kept?.way.stops.map(\.address) == [nil, nil, nil])
            #expect(kept?.way.stops.map(\.position) == [campus.onGrid, salinas.onGrid, city.onGrid])
            #expect(stored?.riders == [] && stored?.state == .rode)
            let point = stored?.part.boarding.own
            #expect(point == OwnPoint(name: "Paso Robles", address: nil, position: Example.paso.onGrid))
            #expect(try await rides.rounds.round() == false)
        }
    }

    @Test func regions_that_nobody_knew_are_asked_for_later() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            #expect(try await rides.store.regions(for: nil, at: noon).isEmpty)
            let asked = Asked()
            func rounds(_ ask: @escaping RideRegionRounds.Ask) -> RideRegionRounds {
                RideRegionRounds(store: rides.store, logger: .quiet, ask: ask) { _ in nil }
            }
            let away = rounds { _ in throw ServiceError(.unavailable, "Places is away.") }
            #expect(try await away.round() == false)
            let places = rounds { point in
                await asked.add(point)
                return point == salinas.onGrid ? nil : "California"
            }
            _ = try await places.round()
            #expect(await asked.points.isEmpty, "not again at once")
            rides.advance(hours: 0.1)
            _ = try await places.round()
            #expect(Set(await asked.points) == [campus.onGrid, salinas.onGrid, city.onGrid])
            #expect(try await rides.stored(ride)?.way.stops.map(\.region) == ["California", nil, "California"])
            #expect(
                try await rides.store.regions(for: nil, at: noon) == [
                    RegionOfRides(region: "California", from: 1, to: 1)
                ])
            rides.advance(hours: 23)
            _ = try await places.round()
            #expect(await asked.points.count == 3)
            rides.advance(hours: 2)
            _ = try await places.round()
            #expect(await asked.points.count == 4, "the one that was unknown")
        }
    }
}

private actor Asked {
    private(set) var points: [Position] = []
    func add(_ point: Position) { points.append(point) }
}
