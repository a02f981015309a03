import DurableMessaging
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

@Suite("Spots in the database")
struct SpotStoreTests {
    @Test func aSpotComesBackAsItWasPosted() async throws {
        try await Listings.with { listings in
            let offer = draft(
                "Level 3 'east' \"🚗\"; DROP TABLE spots", price: Money(amount: 250, currency: "SGD"), until: after(20),
                kind: .garage, photo: String(repeating: "0a", count: 32))
            let posted = try await listings.posted(offer)
            let read = try await listings.spots.spot(posted.id, for: Caller(person: maya))
            #expect(try WireJSON.encode(read) == WireJSON.encode(posted))
            #expect(read.name == offer.name)
            #expect(read.price == offer.price)
            #expect(read.expiresAt == after(20))
            #expect(read.photo == offer.photo)
            #expect(read.position == library)
        }
    }

    /// PostgreSQL calls it an underflow where radians of a number become nothing.
    @Test func theSmallestNumbersAreAPlaceToo() async throws {
        try await Listings.with { listings in
            for place in [
                Position(latitude: -Double.leastNonzeroMagnitude, longitude: 0),
                Position(latitude: 0, longitude: .leastNonzeroMagnitude),
                Position(latitude: 1e-300, longitude: -1e-13),
            ] {
                var offer = draft("Where the equator meets Greenwich")
                offer.position = place
                #expect(try await listings.posted(offer).position == place)
                let query = SpotQuery(near: place, radius: 10)
                let found = try await listings.spots.spots(query, for: Caller(person: maya))
                #expect(found.items.contains { $0.position == place })
            }
        }
    }

    @Test func everyTransitionIsKeptAndTold() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            _ = try await listings.spots.change(id, to: draft("Level 4"), .from(maya))
            _ = try await listings.spots.claim(id, .from(tom))
            #expect(try await listings.stored(id)?.state == .claimed(by: tom, at: noon))
            _ = try await listings.spots.release(id, .from(tom))
            #expect(try await listings.stored(id)?.state == .free)
            _ = try await listings.spots.observe(id, .gone, .from(lin))
            try await listings.spots.remove(id, .from(maya))
            #expect(try await listings.stored(id)?.state == .removed)

            let events = try await listings.events()
            #expect(
                events.map(\.type)
                    == ["spotAdded", "spotChanged", "spotClaimed", "spotAdded", "spotChanged", "spotRemoved"])
            #expect(events.allSatisfy { $0.aggregate == "spot/\(id)" && $0.audience == .everyone })
            #expect(events.allSatisfy { $0.location == library })
        }
    }

    @Test func whatAPersonHasIsCountedWithoutReadingTheirPast() async throws {
        try await Listings.with { listings in
            for state in ["expired", "claimed"] {
                let poster = state == "claimed" ? tom : maya
                let claimer: SQLQuery = state == "claimed" ? "\(maya), '2020-01-01'" : "NULL, NULL"
                _ = try await listings.database.query(
                    """
                    INSERT INTO spots (id, posted_by, posted_at, name, kind, latitude, longitude, expires_at, state, claimed_by, claimed_at,
                        there, gone, map, globe)
                    SELECT gen_random_uuid(), \(poster), '2020-01-01', 'Long ago', 'street', 1, 1, '2020-01-02', \(state), \(claimer), 0, 0,
                        cube(ARRAY[1, 1, n]::float8[]), ll_to_earth(1, 1)::cube
                    FROM generate_series(1, 3000) n
                    """)
            }
            _ = try await listings.posted()
            _ = try await listings.database.query("ANALYZE spots")
            let read = try await listings.store.command(.from(maya), within: limits) { spots, _, held in
                #expect(held == SpotHoldings(free: 1, claims: 0))
                return try await spots.transaction.query(
                    """
                    SELECT seq_tup_read + idx_tup_fetch AS read FROM pg_stat_xact_user_tables
                    WHERE schemaname = current_schema() AND relname = 'spots'
                    """)[0].get("read", as: Int64.self)
            }
            #expect(read < 10)
        }
    }

    @Test func aRefusalLeavesNothingBehind() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            await #expect(throws: SpotError.notYours) { try await listings.spots.remove(id, .from(tom)) }
            await #expect(throws: SpotError.notFound) { try await listings.spots.remove(.new(), .from(tom)) }
            #expect(try await listings.stored(id)?.state == .free)
            #expect(try await listings.events().count == 1)
        }
    }

    @Test func claimingAgainIsTheSameAnswerAndToldOnce() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            let first = try await listings.spots.claim(id, .from(tom))
            listings.clock.advance(by: .seconds(60))
            let second = try await listings.spots.claim(id, .from(tom))
            #expect(second.claim == first.claim)
            #expect(try await listings.events(of: "spotClaimed").count == 1)
        }
    }

    @Test func aRemovedSpotIsFoundByItsPosterOnly() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            try await listings.spots.remove(id, .from(maya))
            #expect(try await listings.spots.spot(id, for: Caller(person: maya)).state == .removed)
            await #expect(throws: SpotError.notFound) { try await listings.spots.spot(id, for: Caller(person: tom)) }
            await #expect(throws: SpotError.removed) { try await listings.spots.claim(id, .from(tom)) }
        }
    }

    @Test func onesOwnAreListedInEveryState() async throws {
        try await Listings.with { listings in
            let free = try await listings.posted()
            let claimed = try await listings.posted()
            let removed = try await listings.posted()
            _ = try await listings.posted(by: lin)
            _ = try await listings.spots.claim(claimed.id, .from(tom))
            try await listings.spots.remove(removed.id, .from(maya))

            let mine = try await listings.found(SpotQuery(of: .posted), by: maya).items
            #expect(Set(mine.map(\.id)) == [free.id, claimed.id, removed.id])
            #expect(mine.first { $0.id == claimed.id }?.claim?.by.id == tom)
            #expect(try await listings.found(SpotQuery(of: .claimed), by: tom).items.map(\.id) == [claimed.id])
            #expect(try await listings.found(SpotQuery(of: .claimed), by: maya).items.isEmpty)
        }
    }

    @Test func anOldClaimNoLongerCounts() async throws {
        try await Listings.with { listings in
            for _ in 1...3 { _ = try await listings.spots.claim(listings.posted(draft(kind: .garage)).id, .from(tom)) }
            let next = try await listings.posted(draft(kind: .garage))
            await #expect(throws: SpotError.tooManyClaims(limit: 3)) {
                try await listings.spots.claim(next.id, .from(tom))
            }
            listings.clock.advance(by: .seconds(2 * 60 * 60))
            #expect(try await listings.found(SpotQuery(of: .claimed), by: tom).items.isEmpty)
            #expect(try await listings.spots.claim(next.id, .from(tom)).state == .claimed)
        }
    }

    @Test func theDatabaseItselfRefusesAClaimOfOnesOwn() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            await #expect(throws: (any Error).self) {
                try await listings.database.query(
                    "UPDATE spots SET state = 'claimed', claimed_by = posted_by, claimed_at = now() WHERE id = \(id)")
            }
        }
    }
}
