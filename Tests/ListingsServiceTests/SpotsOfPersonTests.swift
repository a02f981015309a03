import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

@Suite("What somebody shares now")
struct SpotsOfPersonTests {
    @Test func others_see_free_ones_only_newest_first_and_page_by_page() async throws {
        try await Listings.with { listings in
            var posted: [SpotID] = []
            for minute in 0..<7 {
                listings.clock.advance(by: .seconds(60))
                posted.append(try await listings.posted(draft("Place \(minute)")).id)
            }
            _ = try await listings.posted(by: tom)
            _ = try await listings.spots.claim(posted[1], .from(tom))
            try await listings.spots.remove(posted[2], .from(maya))
            _ = try await listings.spots.change(
                posted[3], to: draft("Soon over", until: listings.clock.now + 1), .from(maya))
            listings.clock.advance(by: .seconds(2))
            let free = [posted[6], posted[5], posted[4], posted[0]]
            for viewer in [nil, tom, maya] {
                let first = try await listings.found(SpotQuery(by: maya, limit: 3), by: viewer)
                #expect(first.items.map(\.id) == Array(free.prefix(3)))
                #expect(first.items.allSatisfy { $0.mine == (viewer == maya) && $0.claim == nil })
                let rest = try await listings.found(SpotQuery(by: maya, limit: 3, cursor: first.next), by: viewer)
                #expect(rest.items.map(\.id) == [free[3]] && rest.next == nil)
            }
            #expect(try await listings.found(SpotQuery(by: .new())).items.isEmpty)
        }
    }

    /// All that somebody ever posted is kept; a look at what is free now must not pass over it.
    @Test func ended_spots_cost_nothing() async throws {
        try await Listings.with { listings in
            let spot = try await listings.posted()
            _ = try await listings.database.query(
                """
                INSERT INTO spots (id, posted_by, posted_at, name, kind, latitude, longitude, expires_at, state, there, gone,
                    map, globe)
                SELECT gen_random_uuid(), posted_by, posted_at, name, kind, latitude, longitude, expires_at, 'expired', 0, 0,
                    map, globe
                FROM spots, generate_series(1, 5000)
                """)
            _ = try await listings.database.query("ANALYZE spots")
            let statement = try #require(SpotPage(.free(by: maya)).statements(for: tom, at: noon).first)
            let plan = try await listings.database.query("EXPLAIN " + statement)
                .map { try $0.get("QUERY PLAN", as: String.self) }.joined(separator: "\n")
            #expect(plan.contains("spots_free_of_poster"), "\(plan)")
            #expect(try await listings.found(SpotQuery(by: maya)).items.map(\.id) == [spot.id])
        }
    }
}
