import Messaging
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

@Suite("Finding spots")
struct SpotMapTests {
    private func at(_ latitude: Double, _ longitude: Double) -> SpotDraft {
        draft(at: Position(latitude: latitude, longitude: longitude))
    }

    /// All pages of a query, one after another.
    private func all(
        _ listings: Listings, _ query: SpotQuery, between: () async throws -> Void = {}
    ) async throws -> [Spot] {
        var query = query
        var found: [Spot] = []
        while true {
            let page = try await listings.found(query)
            #expect(page.items.count <= query.limit ?? 20)
            found += page.items
            guard let next = page.next else { return found }
            #expect(!page.items.isEmpty)
            query.cursor = next
            try await between()
        }
    }

    @Test func aBoxHoldsWhatIsInItWithItsEdges() async throws {
        try await Listings.with { listings in
            let middle = try await listings.posted(at(60.5, 24.5))
            let edge = try await listings.posted(at(60, 24))
            for outside in [at(59.9999, 24.5), at(61.0001, 24.5), at(60.5, 23.9999), at(60.5, 25.0001)] {
                _ = try await listings.posted(outside)
            }
            let box = BoundingBox(west: 24, south: 60, east: 25, north: 61)
            #expect(Set(try await listings.found(SpotQuery(bbox: box)).items.map(\.id)) == [middle.id, edge.id])
        }
    }

    @Test func aBoxAcrossTheDateLineHoldsBothSides() async throws {
        try await Listings.with { listings in
            let east = try await listings.posted(at(-17, 179.9))
            listings.clock.advance(by: .seconds(1))
            let west = try await listings.posted(at(-17, -179.9))
            listings.clock.advance(by: .seconds(1))
            let line = try await listings.posted(at(-17, 180))
            _ = try await listings.posted(at(-17, 0))
            let box = BoundingBox(west: 179, south: -18, east: -179, north: -16)
            #expect(try await all(listings, SpotQuery(bbox: box, limit: 1)).map(\.id) == [line.id, west.id, east.id])
            let near = SpotQuery(near: Position(latitude: -17, longitude: -179.95), radius: 50_000)
            #expect(Set(try await listings.found(near).items.map(\.id)) == [east.id, west.id, line.id])
        }
    }

    @Test func onlyFreeOnesAreFound() async throws {
        try await Listings.with { listings in
            let free = try await listings.posted()
            let claimed = try await listings.posted()
            let removed = try await listings.posted()
            _ = try await listings.spots.claim(claimed.id, .from(tom))
            try await listings.spots.remove(removed.id, .from(maya))
            let world = BoundingBox(west: -180, south: -90, east: 180, north: 90)
            #expect(try await listings.found(SpotQuery(bbox: world)).items.map(\.id) == [free.id])
            #expect(try await listings.found(SpotQuery(near: library), by: tom).items.map(\.id) == [free.id])
            _ = try await listings.spots.release(claimed.id, .from(tom))
            #expect(Set(try await listings.found(SpotQuery(near: library)).items.map(\.id)) == [free.id, claimed.id])
        }
    }

    @Test func aSpotThatMovesIsFoundWhereItIs() async throws {
        try await Listings.with { listings in
            let spot = try await listings.posted()
            let place = Position(latitude: 1.2966, longitude: 103.7764)
            _ = try await listings.spots.change(spot.id, to: draft(at: place), .from(maya))
            #expect(try await listings.found(SpotQuery(near: library)).items.isEmpty)
            #expect(try await listings.found(SpotQuery(near: place)).items.map(\.id) == [spot.id])
            let box = BoundingBox(west: 103, south: 1, east: 104, north: 2)
            #expect(try await listings.found(SpotQuery(bbox: box)).items.map(\.id) == [spot.id])
            #expect(
                try await listings.events().map(\.location) == [library, library, place],
                "added; removed from where it was; added where it is")
        }
    }

    @Test func theNearestComeFirstWithTheirDistance() async throws {
        try await Listings.with { listings in
            let steps = [0.004, 0.001, 0.008, 0, 0.002]
            for step in steps { _ = try await listings.posted(at(library.latitude + step, library.longitude)) }
            _ = try await listings.posted(at(library.latitude + 0.0095, library.longitude))
            let found = try await all(listings, SpotQuery(near: library, radius: 1000, limit: 2))
            // A degree of latitude is 111.3 km on earthdistance's earth.
            #expect(found.map(\.distance) == [0, 111, 223, 445, 891])
        }
    }

    @Test func manySpotsAtOnePlaceAreAllFoundOnce() async throws {
        try await Listings.with { listings in
            let posted = await atOnce(crowd(57)) { try await listings.posted(by: $0).id }
            let near = try await all(listings, SpotQuery(near: library, limit: 5)).map(\.id)
            #expect(near.count == 57)
            let ids = try posted.map { try $0.get() }
            #expect(Set(near) == Set(ids))
            let world = BoundingBox(west: -180, south: -90, east: 180, north: 90)
            let newest = try await all(listings, SpotQuery(bbox: world, limit: 5)).map(\.id)
            #expect(newest.map(\.description) == newest.map(\.description).sorted(by: >), "newest first")
            #expect(Set(newest) == Set(near))
        }
    }

    @Test func pagesHaveNoGapsWhileSpotsAppear() async throws {
        try await Listings.with { listings in
            var before: Set<SpotID> = []
            for step in 0..<40 {
                listings.clock.advance(by: .milliseconds(step % 3))
                let place = at(library.latitude + Double(step % 7) / 10_000, library.longitude)
                before.insert(try await listings.posted(place, by: .new()).id)
            }
            let world = BoundingBox(west: -180, south: -90, east: 180, north: 90)
            for query in [SpotQuery(bbox: world, limit: 7), SpotQuery(near: library, limit: 7)] {
                let found = try await all(listings, query) {
                    listings.clock.advance(by: .milliseconds(1))
                    _ = try await listings.posted(by: .new())
                }.map(\.id)
                #expect(Set(found).count == found.count, "none twice")
                #expect(before.isSubset(of: found), "none left out")
            }
        }
    }
}
