import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import RidesService

@Suite("Seats at the same moment", .serialized)
struct RideRaceTests {
    private func isExpected(_ refusal: any Error) -> Bool {
        // On a machine that is busy with something else, some are told to try again.
        if (refusal as? ServiceError)?.code == .unavailable { return true }
        if case .soldOut = refusal as? RideError { return true }
        return false
    }

    @Test(.timeLimit(.minutes(5))) func of_200_who_ask_for_four_seats_exactly_four_have_one() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { $0.accepts = .everybody }.id
            let results = await atOnce(crowd(200)) { try await rides.ask(ride, by: $0).state }
            #expect(results.count { $0.isSuccess } == 4)
            #expect(results.compactMap(\.error).filter { !isExpected($0) }.isEmpty)
            #expect(try await rides.stored(ride)?.load.people == [4, 0])
            #expect(try await rides.wrongSums() == 0)
            #expect(try await rides.told(SeatRequested.self).count == 4)
        }
    }

    @Test(.timeLimit(.minutes(5))) func no_part_of_the_way_is_oversold_while_some_ask_and_others_leave() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { $0.accepts = .everybody }.id
            let parts = [0...1, 1...2, 0...2]
            let other = rides.replica
            let results = await atOnce(Array(0..<200)) { number in
                let (person, process) = (PersonID.new(), number % 2 == 0 ? rides : other)
                let seat = try await process.ask(ride, by: person, parts[number % 3]) {
                    $0.seats = 1 + number % 2
                    $0.waitlist = number % 4 == 0
                }
                guard number % 5 == 0 else { return }
                try await process.act(seat.id, seat.state == .accepted ? .leave : .withdraw, by: person)
            }
            #expect(results.count { $0.isSuccess } >= 4)
            #expect(try await rides.wrongSums() == 0)
            // Whoever waits still would not fit.
            let (stored, waiting) = (try await rides.stored(ride), try await rides.waiting(in: ride))
            #expect(stored.map { Waitlist.promotions(of: waiting, in: $0, at: rides.clock.now).isEmpty } == true)
        }
    }

    @Test(.timeLimit(.minutes(5))) func a_driver_who_accepts_all_at_once_has_accepted_as_many_as_there_are_seats()
        async throws
    {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            var asked: [SeatRequestID] = []
            for person in crowd(30) { asked.append(try await rides.ask(ride, by: person).id) }
            let results = await atOnce(asked) { try await rides.act($0, .accept) }
            #expect(results.count { $0.isSuccess } == 4)
            #expect(results.compactMap(\.error).filter { !isExpected($0) }.isEmpty)
            #expect(try await rides.wrongSums() == 0)
        }
    }

    @Test(.timeLimit(.minutes(5))) func each_seat_that_comes_free_goes_to_one_of_those_who_wait() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { $0.accepts = .everybody }.id
            var seated: [SeatRequest] = []
            for person in crowd(4) { seated.append(try await rides.ask(ride, by: person)) }
            var waiting: [SeatRequestID] = []
            for person in crowd(6) {
                waiting.append(try await rides.ask(ride, by: person) { $0.waitlist = true }.id)
                rides.clock.advance(by: .seconds(1))
            }
            let left = await atOnce(seated) { try await rides.act($0.id, .leave, by: $0.rider.id) }
            #expect(left.count { $0.isSuccess } == left.count)
            #expect(
                try await rides.states(waiting) == [.accepted, .accepted, .accepted, .accepted, .waiting, .waiting])
            #expect(try await rides.told(SeatChanged.self).count { $0.what == .promoted } == 4)
            #expect(try await rides.wrongSums() == 0)
        }
    }

    @Test(.timeLimit(.minutes(5))) func somebody_who_asks_twice_at_once_has_asked_once() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            let results = await atOnce(Array(0..<20)) { _ in try await rides.ask(ride) }
            #expect(results.count { $0.isSuccess } == 1)
            let refusals = results.compactMap { $0.error as? RideError }
            #expect(refusals.allSatisfy { if case .alreadyAsked = $0 { true } else { false } })
        }
    }

    @Test(.timeLimit(.minutes(5))) func nobody_rides_in_two_cars_at_one_time() async throws {
        try await Rides.with { rides in
            var all: [RideID] = []
            for driver in crowd(10) { all.append(try await rides.posted(by: driver) { $0.accepts = .everybody }.id) }
            let results = await atOnce(all) { try await rides.ask($0) }
            #expect(results.count { $0.isSuccess } == 1)
            #expect(
                results.compactMap { $0.error as? RideError }.allSatisfy {
                    if case .overlaps = $0 { true } else { false }
                })
        }
    }

    /// Two processes at everything that is due, again and again: each thing happens once.
    @Test(.timeLimit(.minutes(5))) func two_replicas_of_the_rounds_do_each_thing_once() async throws {
        try await Rides.with { rides in
            var asked: [SeatRequestID] = []
            for driver in crowd(20) {
                let ride = try await rides.posted(by: driver) { $0.accepts = .everybody }.id
                for person in crowd(4) { _ = try await rides.ask(ride, by: person) }
                for person in crowd(2) { asked.append(try await rides.ask(ride, by: person) { $0.waitlist = true }.id) }
            }
            for hours in [1.0, 24, 22, 2, 10] {
                rides.advance(hours: hours)
                let rounds = [rides, rides.replica].map {
                    RideRounds(store: $0.store, logger: .quiet, batch: 7)
                }
                let results = await atOnce(rounds) { rounds in
                    for _ in 0..<30 { _ = try await rounds.round() }
                }
                #expect(results.count { $0.isSuccess } == results.count)
                try await rides.pass()
            }
            #expect(Set(try await rides.states(asked)) == [.expired])
            #expect(try await rides.told(SeatAnswered.self).count == asked.count)
            #expect(try await rides.told(RideRemoved.self).count == 20)
            #expect(try await rides.told(EncounterCompleted.self).count == 80)
            #expect(try await rides.told(SeatChanged.self).count { $0.what == .completed } == 80)
            #expect(try await rides.told(SeatReminder.self).count { $0.about == .tomorrow } == 80)
            #expect(try await rides.told(SeatReminder.self).count { $0.about == .soon } == 80)
            #expect(try await rides.wrongSums() == 0)
        }
    }
}

extension Rides {
    fileprivate func waiting(in ride: RideID) async throws -> [SeatAgreement] {
        try await store.transaction { try await $0.openSeats(of: ride) }.filter { $0.state == .waiting }
    }
}
