import FoundationEssentials
import Messaging
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// What many do at one moment, on two replicas.
@Suite(.serialized) struct SeatRaceTests {
    private func taken(_ rides: Rides, _ ride: RideID) async throws -> Int {
        try await rides.seen(ride, by: maya).passengers.reduce(0) { $0 + $1.seats }
    }

    /// On a machine that is busy with something else, some are told to try again.
    private func others(_ refusals: [any Error]) -> [any Error] {
        refusals.filter { refusal in
            if case .soldOut = refusal as? RideError { return false }
            return (refusal as? ServiceError)?.code != .unavailable
        }
    }

    @Test(.timeLimit(.minutes(5))) func of_100_who_are_accepted_at_once_three_ride_along() async throws {
        try await Rides.with { rides in
            let replica = rides.replica
            let ride = try await rides.posted { $0.seats = 3 }.id
            var asked: [SeatRequestID] = []
            for person in crowd(100) { asked.append(try await rides.ask(ride, by: person).id) }
            let results = await atOnce(Array(asked.enumerated())) { number, request in
                try await (number % 2 == 0 ? rides : replica).act(request, .accept)
            }
            #expect(results.count { $0.isSuccess } == 3)
            #expect(others(results.compactMap(\.error)).isEmpty)
            #expect(try await taken(rides, ride) == 3)
            #expect(try await rides.told(SeatAnswered.self).count { $0.request.state == .accepted } == 3)
        }
    }

    @Test(.timeLimit(.minutes(5))) func of_100_who_ask_where_seats_are_given_at_once_three_have_one() async throws {
        try await Rides.with { rides in
            let replica = rides.replica
            let ride = try await rides.posted { ($0.seats, $0.accepts) = (3, .everybody) }.id
            let results = await atOnce(Array(crowd(100).enumerated())) { number, person in
                try await (number % 2 == 0 ? rides : replica).ask(ride, by: person)
            }
            #expect(results.count { $0.isSuccess } == 3)
            #expect(others(results.compactMap(\.error)).isEmpty)
            #expect(try await taken(rides, ride) == 3)
        }
    }

    @Test func one_request_that_comes_50_times_has_one_effect_and_one_answer() async throws {
        try await Rides.with { rides in
            let replica = rides.replica
            let (posting, asking, accepting) = (UUID.version7(), UUID.version7(), UUID.version7())
            func one<Answer: Codable & Hashable & Sendable>(
                _ body: @Sendable @escaping (Rides) async throws -> Answer
            ) async throws -> Answer {
                let results = await atOnce(Array(0..<50)) { try await body($0 % 2 == 0 ? rides : replica) }
                let answers = try Set(results.map { try $0.get() })
                #expect(answers.count == 1)
                return try #require(answers.first)
            }
            let ride = try await one { try await $0.rides.post(Example.draft(), .from(maya, id: posting)) }
            let asked = try await one { try await $0.rides.requestSeat(ride.id, SeatDraft(), .from(tom, id: asking)) }
            let seat = try await one {
                try await $0.rides.act(asked.id, .accept, SeatActDraft(), .from(maya, id: accepting))
            }
            #expect(seat.state == .accepted)
            #expect(try await rides.told(RidePosted.self).count == 1)
            #expect(try await rides.told(SeatRequested.self).count == 1)
            #expect(try await rides.told(SeatAnswered.self).count == 1)
            #expect(try await taken(rides, ride.id) == 1)
        }
    }

    @Test func one_request_id_for_two_requests_is_refused() async throws {
        try await Rides.with { rides in
            let id = UUID.version7()
            _ = try await rides.rides.post(Example.draft(), .from(maya, id: id, "one"))
            #expect(
                await refusalCode { try await rides.rides.post(Example.draft(), .from(maya, id: id, "two")) }
                    == .idempotencyMismatch)
        }
    }

    @Test(.timeLimit(.minutes(5))) func a_ride_that_is_removed_while_many_ask_leaves_nobody_in_it() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { ($0.seats, $0.accepts) = (8, .everybody) }.id
            let people: [PersonID?] = crowd(40).map { $0 } + [nil] + crowd(40).map { $0 }
            _ = await atOnce(people) { person in
                if let person { return _ = try await rides.ask(ride, by: person) { $0.waitlist = true } }
                try await rides.rides.remove(ride, RideRemoval(), .from(maya))
            }
            let requests = try await rides.rides.requests(
                SeatRequestQuery(ride: ride, limit: 100), for: Caller(person: maya)
            ).items
            #expect(requests.allSatisfy { $0.state == .removed })
            #expect(try await rides.changes().count { $0.hasSuffix("rideRemoved") } == requests.count)
        }
    }
}
