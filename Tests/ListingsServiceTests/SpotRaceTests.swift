import FoundationEssentials
import Messaging
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

@Suite("At the same moment", .serialized)
struct SpotRaceTests {
    private static let rounds = 10

    @Test(.timeLimit(.minutes(5))) func of200WhoClaimOneSpotExactlyOneHasIt() async throws {
        try await Listings.with { listings in
            for round in 1...Self.rounds {
                let spot = try await listings.posted(by: .new())
                let people = crowd(200)
                let results = await atOnce(people) { try await listings.spots.claim(spot.id, .from($0)) }

                let winners = results.compactMap { try? $0.get() }
                try #require(winners.count == 1, "round \(round)")
                #expect(winners[0].claim?.mine == true)
                let refusals = results.compactMap { $0.error as? SpotError }
                try #require(refusals.count == 199 && refusals.allSatisfy { $0 == .alreadyClaimed }, "round \(round)")

                let stored = try #require(try await listings.stored(spot.id))
                #expect(stored.claimer == winners[0].claim?.by.id)
            }
            let claims = try await listings.events(of: "spotClaimed")
            #expect(claims.count == Self.rounds)
            #expect(Set(claims.map(\.aggregate)).count == Self.rounds)
        }
    }

    @Test func oneRequestSent50TimesHasOneEffectAndOneAnswer() async throws {
        try await Listings.with { listings in
            let id = UUID.version7()
            let results = await atOnce(Array(1...50)) { _ in try await listings.spots.post(draft(), .from(maya, id: id))
            }
            let answers = try Set(results.map { try WireJSON.encode(try $0.get()) })
            #expect(answers.count == 1)
            #expect(try await listings.found(SpotQuery(of: .posted), by: maya).items.count == 1)
            #expect(try await listings.events().count == 1)
        }
    }

    @Test func oneRequestIdForTwoRequestsIsRefused() async throws {
        try await Listings.with { listings in
            let id = UUID.version7()
            _ = try await listings.spots.post(draft(), .from(maya, id: id, "one"))
            await #expect {
                _ = try await listings.spots.post(draft(), .from(maya, id: id, "two"))
            } throws: {
                ($0 as? ServiceError)?.code == .idempotencyMismatch
            }
        }
    }

    @Test func aPersonNeverHoldsMoreThanThree() async throws {
        try await Listings.with { listings in
            var spots: [Spot] = []
            for _ in 1...10 { spots.append(try await listings.posted()) }
            let results = await atOnce(spots) { try await listings.spots.claim($0.id, .from(tom)) }
            #expect(results.count { $0.isSuccess } == 3)
            #expect(
                results.compactMap { $0.error as? SpotError } == Array(repeating: .tooManyClaims(limit: 3), count: 7))
            #expect(try await listings.found(SpotQuery(of: .claimed), by: tom).items.count == 3)
        }
    }

    @Test func aPersonNeverHasMoreThanTwentyOnTheMap() async throws {
        try await Listings.with { listings in
            let results = await atOnce(Array(1...30)) { _ in try await listings.posted() }
            #expect(results.count { $0.isSuccess } == 20)
            #expect(results.compactMap { $0.error as? SpotError }.allSatisfy { $0 == .tooManySpots(limit: 20) })
        }
    }

    @Test func whatManySeeIsCountedForEach() async throws {
        try await Listings.with { listings in
            let spot = try await listings.posted()
            let results = await atOnce(crowd(40)) { try await listings.spots.observe(spot.id, .there, .from($0)) }
            #expect(results.allSatisfy { $0.isSuccess })
            #expect(try await listings.stored(spot.id)?.observations == ObservationCount(there: 40, gone: 0))
        }
    }

    @Test func onePersonWhoSaysItManyTimesIsCountedOnce() async throws {
        try await Listings.with { listings in
            let spot = try await listings.posted()
            let results = await atOnce(Array(1...20)) { _ in
                try await listings.spots.observe(spot.id, .gone, .from(tom))
            }
            #expect(results.allSatisfy { $0.isSuccess })
            let stored = try #require(try await listings.stored(spot.id))
            #expect(stored.observations == ObservationCount(there: 0, gone: 1))
            #expect(stored.expiresAt == after(15))
        }
    }

    @Test func claimAndRemovalExcludeEachOther() async throws {
        try await Listings.with { listings in
            for _ in 1...20 {
                let spot = try await listings.posted()
                async let claim = atOnce([spot.id]) { try await listings.spots.claim($0, .from(.new())).state }
                async let removal = atOnce([spot.id]) { try await listings.spots.remove($0, .from(maya)) }
                let (claimed, removed) = (await claim[0], await removal[0])
                #expect(claimed.isSuccess != removed.isSuccess)
                let error = (claimed.error ?? removed.error) as? SpotError
                #expect(error == (claimed.isSuccess ? .claimed : .removed))
            }
        }
    }
}
