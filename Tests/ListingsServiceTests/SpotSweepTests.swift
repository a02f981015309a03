import Messaging
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

@Suite("Spots whose time is over")
struct SpotSweepTests {
    private func sweep(_ listings: Listings, batch: Int = 100) -> SpotSweep<PostgresSpotStore> {
        SpotSweep(store: listings.store, logger: .quiet, batch: batch)
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

            #expect(await sweep(listings).sweep() == 1)
            #expect(await sweep(listings).sweep() == 0)
            #expect(try await listings.store.spot(due.id)?.state == .expired)
            #expect(try await listings.events(of: "spotRemoved").map(\.aggregate) == ["spot/\(due.id)"])
        }
    }

    @Test func aClaimedSpotIsLeftAlone() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            _ = try await listings.spots.claim(id, .from(tom))
            listings.clock.advance(by: .seconds(60 * 60))
            #expect(await sweep(listings).sweep() == 0)
            #expect(try await listings.store.spot(id)?.claimer == tom)
        }
    }

    @Test func twoSweepersEndEachOnce() async throws {
        try await Listings.with { listings in
            let spots = await atOnce(crowd(120)) { try await listings.posted(by: $0).id }
            listings.clock.advance(by: .seconds(60 * 60))
            let ended = await atOnce([1, 2]) { _ in
                var ended = 0
                while case let some = await sweep(listings, batch: 7).sweep(), some > 0 { ended += some }
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
            var runner = sweep(listings)
            runner.pause = .milliseconds(10)
            let run = Task { [runner] in try await runner.run() }
            listings.clock.advance(by: .seconds(60 * 60))
            try await eventually("the sweep") { try await listings.store.spot(id)?.state == .expired }
            run.cancel()
            try await run.value
        }
    }
}
