import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

/// Places in a row towards the east, each some 111 metres from the one before; the first two lie at one point.
@Suite struct PositionTests {
    private let middle = Position(latitude: 0, longitude: 0)
    private static let places = [0, 0, 0.001, 0.002, 0.003].map { Position(latitude: 0, longitude: $0) }

    private func with(_ body: (TestDatabase) async throws -> Void) async throws {
        try await TestDatabase.with(migrations: [
            Migration(
                1, "places",
                """
                CREATE EXTENSION IF NOT EXISTS cube SCHEMA public;
                CREATE EXTENSION IF NOT EXISTS earthdistance SCHEMA public;
                CREATE TABLE places (id uuid PRIMARY KEY, globe cube NOT NULL);
                """)
        ]) { test in
            for place in Self.places {
                _ = try await test.pool.query(
                    "INSERT INTO places (id, globe) VALUES (\(UUID.version7()), \(place.globe))")
            }
            try await body(test)
        }
    }

    @Test func pages_of_what_is_near_go_from_the_nearest_to_the_farthest() async throws {
        try await with { test async throws in
            var (seen, last): ([DistanceCursor], DistanceCursor?) = ([], nil)
            repeat {
                let rows = try await test.pool.query(
                    """
                    SELECT id, \(middle.chord) AS chord, \(middle.metres(to: "globe")) AS ground FROM places
                    WHERE \(middle.isNear(within: 250)) \(middle.beyond(last)) ORDER BY \(middle.chord), id LIMIT 1
                    """)
                last = try rows.first.map { DistanceCursor(try $0.get("chord"), try $0.get("id")) }
                for row in rows {
                    let (chord, ground): (Double, Double) = (try row.get("chord"), try row.get("ground"))
                    #expect(abs(ground - chord) < 0.01)
                }
                if let last { seen.append(last) }
            } while last != nil
            #expect(seen.map { Int($0.chord.rounded()) } == [0, 0, 111, 223])
            #expect(Set(seen.map(\.id)).count == 4)
        }
    }

    @Test func the_smallest_numbers_are_nothing() async throws {
        let tiny = Position(latitude: .leastNonzeroMagnitude, longitude: -1e-13)
        #expect(tiny.settled == middle && Position(latitude: 1e-9, longitude: 0).settled.latitude == 1e-9)
        try await with { test async throws in
            let rows = try await test.pool.query("SELECT FROM places WHERE \(tiny.isNear(within: 1))")
            #expect(rows.count == 2)
        }
    }
}
