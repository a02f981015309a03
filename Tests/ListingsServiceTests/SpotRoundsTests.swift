import DurableMessaging
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

@Suite("Spots whose time is over")
struct SpotRoundsTests {
    private func rounds(_ listings: Listings, batch: Int) -> SpotRounds {
        var rounds = listings.rounds
        rounds.batch = batch
        return rounds
    }

    @Test func theyLeaveTheMapBeforeTheSweepAndAreToldByIt() async throws {
        try await Listings.with { listings in
            let due = try await listings.posted()
            let later = try await listings.posted(draft(kind: .garage))
            listings.clock.advance(by: .seconds(30 * 60))
            #expect(try await listings.found(SpotQuery(near: library)).items.map(\.id) == [later.id])
            #expect(try await listings.spots.spot(due.id, for: .anonymous).state == .expired)
            await #expect(throws: SpotError.expired) { try await listings.spots.claim(due.id, .from(tom)) }
            #expect(try await listings.events(of: "spotRemoved").isEmpty)

            #expect(try await listings.rounds.expire() == 1)
            #expect(try await listings.rounds.expire() == 0)
            #expect(try await listings.stored(due.id)?.state == .expired)
            #expect(try await listings.events(of: "spotRemoved").map(\.aggregate) == ["spot/\(due.id)"])
        }
    }

    @Test func aClaimedSpotIsLeftAlone() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            _ = try await listings.spots.claim(id, .from(tom))
            listings.clock.advance(by: .seconds(60 * 60))
            #expect(try await listings.rounds.expire() == 0)
            #expect(try await listings.stored(id)?.claimer == tom)
        }
    }

    @Test func old_claims_are_completed_and_told_once() async throws {
        try await Listings.with { listings in
            let (parked, left, given) = (
                try await listings.posted().id, try await listings.posted().id, try await listings.posted().id
            )
            for id in [parked, left, given] { _ = try await listings.spots.claim(id, .from(tom)) }
            _ = try await listings.spots.observe(parked, .there, .from(tom))
            _ = try await listings.spots.observe(parked, .there, .from(tom))
            _ = try await listings.spots.release(given, .from(tom))
            #expect(try await listings.events(of: "encounterCompleted").map(\.aggregate) == ["spot/\(parked)"])
            let hers = try await listings.spots.spot(parked, for: Caller(person: maya))
            #expect(hers.claim?.parkedAt == noon)
            #expect(try await listings.rounds.settle() == 0)

            listings.clock.advance(by: .seconds(3 * 3600))
            let settled = await atOnce([1, 2]) { _ in try await listings.rounds.settle() }
            #expect(try settled.map { try $0.get() }.reduce(0, +) == 1)
            #expect(try await listings.rounds.settle() == 0)
            let told = try await listings.events(of: "encounterCompleted")
            #expect(told.map(\.aggregate) == ["spot/\(parked)", "spot/\(left)"])
            #expect(told.allSatisfy { $0.audience == .nobody })
            #expect(try await listings.stored(left)?.state.parkedAt == after(120))
        }
    }

    /// Once a second: that must not pass over all spots that there are.
    @Test func looking_for_old_claims_costs_nothing() async throws {
        try await Listings.with { listings in
            _ = try await listings.posted()
            _ = try await listings.database.query(
                """
                INSERT INTO spots (id, posted_by, posted_at, name, kind, latitude, longitude, expires_at, state, claimed_by,
                    claimed_at, parked_at, there, gone, map, globe)
                SELECT gen_random_uuid(), posted_by, posted_at, name, kind, latitude, longitude, expires_at,
                    CASE WHEN n % 2 = 0 THEN 'claimed' ELSE 'free' END, CASE WHEN n % 2 = 0 THEN \(tom)::uuid END,
                    CASE WHEN n % 2 = 0 THEN posted_at END, CASE WHEN n % 2 = 0 THEN posted_at END, 0, 0, map, globe
                FROM spots, generate_series(1, 5000) n
                """)
            _ = try await listings.database.query("ANALYZE spots")
            let statement = SpotTransaction.unsettled(claimedBy: noon, atMost: 100)
            let plan = try await listings.database.query("EXPLAIN " + statement)
                .map { try $0.get("QUERY PLAN", as: String.self) }.joined(separator: "\n")
            #expect(plan.contains("spots_next_to_settle"), "\(plan)")
        }
    }

    @Test func what_ended_without_a_claim_is_deleted_after_its_time_and_nothing_else() async throws {
        try await Listings.with { listings in
            let expired = try await listings.posted()
            _ = try await listings.spots.observe(expired.id, .there, .from(tom))
            let removed = try await listings.posted()
            _ = try await listings.spots.remove(removed.id, .from(maya))
            let claimed = try await listings.posted()
            _ = try await listings.spots.claim(claimed.id, .from(tom))
            let offered = try await listings.posted(draft(kind: .garage))

            listings.clock.advance(by: .seconds(89 * 86400))
            _ = try await listings.rounds.expire()
            let free = try await listings.posted()
            #expect(try await listings.rounds.forget() == 0)

            listings.clock.advance(by: .seconds(2 * 86400))
            #expect(try await rounds(listings, batch: 1).forget() == 1)
            #expect(try await listings.rounds.forget() == 1)
            #expect(try await listings.rounds.forget() == 0)
            for id in [expired.id, removed.id] { #expect(try await listings.stored(id) == nil) }
            // A claim is what two people did together; the garage was offered for thirty days, and ninety have not passed since.
            for id in [claimed.id, offered.id, free.id] { #expect(try await listings.stored(id) != nil) }
            #expect(try await listings.database.query("SELECT FROM observations").isEmpty)
            let mine = try await listings.found(SpotQuery(of: .posted), by: maya).items.map(\.id)
            #expect(Set(mine) == [claimed.id, offered.id, free.id])
        }
    }

    @Test func twoSweepersEndEachOnce() async throws {
        try await Listings.with { listings in
            let spots = await atOnce(crowd(120)) { try await listings.posted(by: $0).id }
            listings.clock.advance(by: .seconds(60 * 60))
            let ended = await atOnce([1, 2]) { _ in
                var ended = 0
                while case let some = try await rounds(listings, batch: 7).expire(), some > 0 { ended += some }
                return ended
            }
            let sum = try ended.map { try $0.get() }.reduce(0, +)
            #expect(sum == 120)
            let told = try await listings.events(of: "spotRemoved").map(\.aggregate)
            #expect(told.count == 120)
            let posted = try spots.map { "spot/\(try $0.get())" }
            #expect(Set(told) == Set(posted))
        }
    }

    @Test func itRunsUntilItIsCancelled() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            var runner = listings.rounds
            (runner.pause, runner.forgets) = (.milliseconds(10), .milliseconds(10))
            let run = Task { [runner] in try await runner.run() }
            listings.clock.advance(by: .seconds(60 * 60))
            try await eventually("the sweep") { try await listings.stored(id)?.state == .expired }
            listings.clock.advance(by: .seconds(91 * 86400))
            try await eventually("its end") { try await listings.stored(id) == nil }
            run.cancel()
            try await run.value
        }
    }
}
