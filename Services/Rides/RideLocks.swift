import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// Locks are taken in one order: people, then rides by their ids, then requests. A ride is never locked without the other one of outward and return:
// what ends a request in one may end its other one there, and nobody who holds a lower id waits for a higher one the other way round.

extension OfferedRide {
    /// The ids of some rides, and of the other one of outward and return of each: an array.
    static func bothWays(of ids: SQLQuery) -> SQLQuery {
        """
        (\(ids) || ARRAY(SELECT id FROM rides WHERE return_of = ANY(\(ids)))
            || ARRAY(SELECT return_of FROM rides WHERE id = ANY(\(ids)) AND return_of IS NOT NULL))
        """
    }

    /// Locks some rides and their other ways, in the order of their ids.
    static func locking(_ ids: SQLQuery, _ columns: SQLQuery = "") -> SQLQuery {
        "SELECT \(columns) FROM rides WHERE id = ANY(\(bothWays(of: ids))) ORDER BY id FOR NO KEY UPDATE"
    }
}

extension RideTransaction {
    /// Locked with their other ways, and answered in the order of their ids.
    func locked(_ ids: [RideID]) async throws -> [OfferedRide] {
        if ids.isEmpty { return [] }
        return try await transaction.query(OfferedRide.locking("\(ids)", OfferedRide.columns)).map(OfferedRide.init)
            .filter { ids.contains($0.id) }
    }

    /// Those of some rides that no other process is at, with their other ways: locked, in the order of their ids. Nobody is waited for.
    /// - Parameter ids: a statement that selects them.
    func lockedWhereFree(_ ids: SQLQuery) async throws -> [OfferedRide] {
        let rows = try await transaction.query(
            """
            WITH wanted AS MATERIALIZED (SELECT ARRAY(\(ids)) AS ids)
            SELECT \(OfferedRide.columns), id = ANY((SELECT ids FROM wanted)::uuid[]) AS is_wanted,
                (SELECT back.id FROM rides AS back WHERE back.return_of = rides.id) AS back
            FROM rides WHERE id = ANY(\(OfferedRide.bothWays(of: "(SELECT ids FROM wanted)::uuid[]")))
            ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
            """)
        let held = try Set(rows.map { try $0.get("id", as: RideID.self) })
        return try rows.compactMap { row in
            let (ride, back) = (try OfferedRide(row), try row.get("back", as: RideID?.self))
            let isWhole = [ride.returnOf, back].allSatisfy { $0.map(held.contains) ?? true }
            return try isWhole && row.get("is_wanted") ? ride : nil
        }
    }

    /// The other one of outward and return of a ride that is locked, which locks both.
    func other(of ride: OfferedRide) async throws -> OfferedRide? {
        try await transaction.query(
            "SELECT \(OfferedRide.columns) FROM rides WHERE return_of = \(ride.id) OR id = \(ride.returnOf)::uuid"
        ).first.map(OfferedRide.init)
    }
}
