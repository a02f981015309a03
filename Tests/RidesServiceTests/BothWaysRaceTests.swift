import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// Many who want both ways, or one of them, at one moment on two replicas.
@Suite(.serialized) struct BothWaysRaceTests {
    private func isExpected(_ refusal: any Error) -> Bool {
        if (refusal as? ServiceError)?.code == .unavailable { return true }
        switch refusal as? RideError {
        case .soldOut, .wrongState, .rideOver: return true
        default: return false
        }
    }

    /// How many have one of two ways that they asked for together and not the other, though none has given theirs back.
    private func halves(_ rides: Rides) async throws -> Int {
        try await rides.database.query(
            """
            SELECT count(*) AS halves FROM seat_requests AS own JOIN seat_requests AS other ON other.id = own.together
            WHERE (own.state IN ('pending', 'accepted')) <> (other.state IN ('pending', 'accepted'))
                OR own.state = 'pending' AND other.state <> 'pending'
            """)[0].get("halves")
    }

    @Test(.timeLimit(.minutes(5)), arguments: [true, false])
    func nobody_has_one_way_without_the_other(_ isAtOnce: Bool) async throws {
        try await Rides.with { rides in
            let replica = rides.replica
            let there = try await rides.posted {
                ($0.seats, $0.accepts) = (4, isAtOnce ? .everybody : .nobody)
                $0.returnRide = Example.returning { $0.seats = 3 }
            }
            let back = try #require(there.other).id
            let results = await atOnce(Array(crowd(60).enumerated())) { number, person in
                let process = number % 2 == 0 ? rides : replica
                let seat: SeatRequest
                switch number % 4 {
                case 0: seat = try await process.ask(both: there.id, by: person)
                case 1: seat = try await process.ask(both: back, by: person)
                case 2: seat = try await process.ask(there.id, by: person, 0...1)
                default: seat = try await process.ask(back, by: person, 1...2)
                }
                if seat.state == .pending { try await process.act(seat.id, .accept) }
            }
            #expect(results.compactMap(\.error).filter { !isExpected($0) }.isEmpty)
            #expect(try await halves(rides) == 0)
            #expect(try await rides.wrongSums() == 0)
            let (out, returning) = (try await rides.stored(there.id), try await rides.stored(back))
            #expect(out?.free(from: 0, to: 1) == 0 || returning?.free(from: 200_000, to: 200_001) == 0)
        }
    }

    /// What ends a request on one way while it is answered on the other: nobody waits in a circle, and both end.
    @Test(.timeLimit(.minutes(5))) func whatever_happens_to_both_at_once_happens_to_both() async throws {
        try await Rides.with { rides in
            let replica = rides.replica
            for _ in 0..<3 {
                let there = try await rides.posted {
                    $0.seats = 8
                    $0.returnRide = Example.returning()
                }
                let back = try #require(there.other).id
                var asked: [[SeatRequestID]] = []
                for person in crowd(8) { asked.append(try await rides.asked(both: there.id, by: person)) }
                let (accepted, rejected) = (asked.prefix(4).flatMap(\.self), asked.suffix(4).flatMap(\.self))
                let acts = accepted.map { Act.answer($0, .accept) } + rejected.map { Act.answer($0, .reject) }
                let results = await atOnce(Array((acts + [.remove(back), .round]).enumerated())) { number, act in
                    let process = number % 2 == 0 ? rides : replica
                    switch act {
                    case .answer(let seat, let answer): try await process.act(seat, answer)
                    case .remove(let ride): try await process.rides.remove(ride, RideRemoval(), .from(maya))
                    case .round: _ = try await process.rounds.round()
                    }
                }
                #expect(results.compactMap(\.error).filter { !isExpected($0) }.isEmpty)
                for seats in asked {
                    let states = try await rides.states(seats)
                    #expect(states != [.accepted, .withdrawn] && !states.contains(.pending), "\(states)")
                }
                try await rides.rides.remove(there.id, RideRemoval(), .from(maya))
            }
            #expect(try await rides.wrongSums() == 0)
        }
    }
}

private enum Act {
    case answer(SeatRequestID, SeatAct)
    case remove(RideID)
    case round
}
