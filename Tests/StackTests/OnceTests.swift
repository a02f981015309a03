import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// Nothing is sold twice and nothing is done twice (B1).
    @Suite(.serialized, .onProcesses) struct OnceTests {
        /// `deploy/ledger --rounds` asks for more of them.
        private static let rounds =
            ProcessInfo.processInfo.environment["KAMPONG_LEDGER_ROUNDS"].flatMap { Int($0) } ?? 10

        @Test func in_every_round_of_200_people_at_one_spot_exactly_one_gets_it() async throws {
            let begin = ContinuousClock.now
            let owner = try await Community.newcomer("Owner")
            let people = try await Community.newcomers(200)
            for round in 1...Self.rounds {
                let spot = try await owner.postSpot(Community.draft("Round \(round)"))
                let outcomes = await withTaskGroup(of: (Int, Result<Spot, any Error>).self) { group in
                    for (index, person) in people.enumerated() {
                        group.addTask { (index, await Result { try await person.claim(spot.id) }) }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                let winners = outcomes.filter { (try? $0.1.get().claim?.mine) == true }
                #expect(winners.count == 1, "round \(round)")
                #expect(outcomes.count { $0.1.refusal == .alreadyClaimed } == 199, "round \(round): \(odd(outcomes))")
                if let winner = winners.first { _ = try await people[winner.0].release(spot.id) }
                try await owner.removeSpot(spot.id)
            }
            print("ledger: \(Self.rounds) rounds of 200 people at one spot in \(ContinuousClock.now - begin)")
        }

        /// What was neither won nor taken, for the message of a failure.
        private func odd(_ outcomes: [(Int, Result<Spot, any Error>)]) -> [String] {
            outcomes.compactMap { _, outcome in
                guard case .failure(let error) = outcome, outcome.refusal != .alreadyClaimed else { return nil }
                return "\(error)"
            }
        }

        @Test func the_same_key_fifty_times_at_once_has_one_effect_and_identical_answers() async throws {
            let ada = try await Community.newcomer()
            let draft = Community.draft("Posted once")
            let key = UUID().uuidString
            let answers = try await withThrowingTaskGroup(of: Spot.self) { group in
                for _ in 0..<50 { group.addTask { try await ada.postSpot(draft, key: key) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(answers).count == 1)
            #expect(try await ada.spots(of: .posted).items.map(\.id) == [answers[0].id])
        }

        @Test func the_same_key_with_another_body_is_refused() async throws {
            let ada = try await Community.newcomer()
            let key = UUID().uuidString
            _ = try await ada.postSpot(Community.draft("One"), key: key)
            #expect(
                await Result { try await ada.postSpot(Community.draft("Two"), key: key) }.refusal
                    == .idempotencyMismatch)
        }
    }
}
