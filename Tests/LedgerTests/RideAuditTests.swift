import Foundation
import TestKit
import Testing
import WireProtocol

/// The audit of rides can fail.
@Suite struct RideAuditTests {
    /// A ride with one seat through three stops: Ben has it to the second, Cem has asked for the rest and waits, since Dan had that. Dan leaves it, and
    /// Cem gets it.
    private struct Past {
        let ride = RideID.new()
        let ada = PersonID.new()
        let ben = PersonID.new()
        let cem = PersonID.new()
        let dan = PersonID.new()
        let first = SeatRequestID.new()
        let second = SeatRequestID.new()
        let third = SeatRequestID.new()
        var events: [PublishedEvent] = []
        var rides: [RideHistory.RideRow]
        var seats: [RideHistory.SeatRow]
        /// The places of events that a command brought to others.
        var brought: Set<Int64> = [4, 6, 9, 10]

        init() throws {
            rides = [
                .init(
                    id: ride, state: .open, seats: 1, marks: [0, 1000, 3000], load: [1, 1, 0], detourUsed: 40,
                    maxDetour: 500)
            ]
            seats = [
                .init(id: first, ride: ride, state: .accepted, seats: 1, start: 0, end: 1000, detour: 0),
                .init(id: second, ride: ride, state: .left, seats: 1, start: 1000, end: 3000, detour: 0),
                .init(id: third, ride: ride, state: .accepted, seats: 1, start: 1000, end: 3000, detour: 40),
            ]
            try tell(RidePosted(ride: shown([1, 1])), 1)
            try ask(first, ben, .pending, 2)
            try tell(SeatAnswered(request: news(first, ben, .accepted, by: ada)), 3)
            try tell(RideChanged(ride: shown([0, 1])), 3)
            // At once.
            try ask(second, dan, .accepted, 4)
            try tell(RideChanged(ride: shown([0, 0])), 4)
            try ask(third, cem, .waiting, 5)
            try tell(SeatChanged(request: news(second, dan, .left, by: dan), what: .left), 6)
            try tell(SeatChanged(request: news(third, cem, .accepted, by: nil), what: .promoted), 6)
            try tell(RideChanged(ride: shown([0, 0])), 6)
        }

        func shown(_ free: [Int]) -> PublicRide {
            let stops = [0, 1000, 3000].map {
                RideStop(
                    name: "\($0)", position: Position(latitude: 1, longitude: 2), isExact: false, at: $0,
                    time: Date(timeIntervalSince1970: 0))
            }
            let time = Date(timeIntervalSince1970: 0)
            return PublicRide(
                id: ride, driver: PersonSummary(id: ada, name: "Ada"), stops: stops, departsAt: time, arrivesAt: time,
                zone: "UTC", seats: 1, free: free, length: 3000, detourLeft: 0, postedAt: time)
        }

        func news(_ id: SeatRequestID, _ rider: PersonID, _ state: SeatState, by person: PersonID?) -> SeatNews {
            let requested = RequestedRide(
                id: ride, state: .open, from: "A", to: "B", departsAt: Date(), arrivesAt: Date(), zone: "UTC")
            return SeatNews(
                id: id, ride: requested, driver: PersonSummary(id: ada, name: "Ada"),
                rider: PersonSummary(id: rider, name: "Someone"), state: state, seats: 1, boardsAt: Date(), by: person)
        }

        mutating func ask(_ id: SeatRequestID, _ rider: PersonID, _ state: SeatState, _ mark: Int64) throws {
            try tell(SeatRequested(request: news(id, rider, state, by: rider)), mark)
        }

        mutating func tell(_ event: some Event, _ mark: Int64) throws {
            var service = ServiceEvidence(head: Int64(events.count))
            try service.publish(event, about: "seat", to: .everyone, mark)
            events += service.events
        }

        func findings() -> Set<Finding.Rule> {
            let history = RideHistory(rides: rides, seats: seats, events: events) { [brought] in
                !brought.contains($0.number)
            }
            return Set(history.findings().map(\.rule))
        }
    }

    @Test func a_past_in_which_all_is_well_has_no_findings() throws {
        #expect(try Past().findings() == [])
    }

    @Test func more_people_than_seats_are_found() throws {
        var past = try Past()
        past.seats[0].end = 1001
        #expect(past.findings() == [.doubled, .rowsDiffer, .lost])
        past = try Past()
        past.rides[0].maxDetour = 39
        #expect(past.findings() == [.doubled])
    }

    @Test func sums_that_are_not_what_they_are_the_sum_of_are_found() throws {
        var past = try Past()
        past.rides[0].load = [1, 2, 0]
        #expect(past.findings() == [.rowsDiffer])
        past = try Past()
        past.rides[0].detourUsed = 0
        #expect(past.findings() == [.rowsDiffer])
    }

    @Test func a_state_that_nobody_was_told_of_is_found() throws {
        var past = try Past()
        past.seats[1].state = .removed
        #expect(past.findings() == [.rowsDiffer])
        past = try Past()
        past.rides[0].state = .departed
        #expect(past.findings() == [.rowsDiffer])
        past = try Past()
        past.seats[1].state = .rode
        #expect(past.findings() == [.rowsDiffer, .halfDone])
    }

    @Test func free_seats_of_which_nobody_was_told_are_found() throws {
        var past = try Past()
        past.events.remove(at: 5)
        past.events.removeLast()
        #expect(past.findings() == [.lost])
        past = try Past()
        try past.tell(RideChanged(ride: past.shown([1, 0])), 7)
        #expect(past.findings() == [.rowsDiffer, .lost])
    }

    @Test func a_second_open_request_in_one_ride_is_found() throws {
        var past = try Past()
        let again = SeatRequestID.new()
        try past.ask(again, past.ben, .pending, 7)
        past.seats.append(
            .init(id: again, ride: past.ride, state: .pending, seats: 1, start: 0, end: 1000, detour: 0))
        #expect(past.findings() == [.doubled])
    }

    @Test func what_comes_of_nothing_is_found() throws {
        var past = try Past()
        try past.tell(RideChanged(ride: past.shown([0, 0])), 7)
        past.brought.insert(11)
        #expect(past.findings() == [.doubled])
        past = try Past()
        let again = SeatRequestID.new()
        try past.ask(again, past.dan, .pending, 7)
        try past.tell(
            SeatChanged(request: past.news(again, past.dan, .withdrawn, by: past.dan), what: .withdrawn), 8)
        past.seats.append(
            .init(id: again, ride: past.ride, state: .withdrawn, seats: 1, start: 0, end: 1000, detour: 0))
        #expect(past.findings() == [])
        past.brought.insert(12)
        #expect(past.findings() == [.doubled])
    }

    @Test func seats_that_outlive_their_ride_are_found() throws {
        var past = try Past()
        try past.tell(RideRemoved(id: past.ride, state: .removed), 7)
        past.rides[0].state = .removed
        #expect(past.findings() == [.halfDone])
        try past.ask(.new(), past.dan, .pending, 8)
        #expect(past.findings() == [.halfDone, .disorder])
    }

    @Test func what_a_command_leaves_behind_is_what_it_should() throws {
        let past = try Past()
        let book = RideBook()
        let ask = AskCommand(ride: past.ride, rider: past.ben, book: book, draft: SeatDraft())
        #expect(ask.explains([past.events[1]]))
        let asElse = ask.explains([past.events[4]])
        #expect(asElse == false, "that is Dan's")
        let leave = SeatCommand(seat: past.second, act: .leave, book: book)
        #expect(leave.explains([past.events[7]]))
        let half = leave.explains([])
        #expect(half == false)
        let depart = RideCommand(ride: past.ride, act: .depart, book: book)
        let silent = depart.explains([])
        #expect(silent == false)
    }
}
