import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// Rides as the board reads them.

extension BoardChange {
    static let columns: SQLQuery = """
        id, listed, departs_at, leaves_by, stop_latitudes, stop_longitudes, stop_at, max_detour - detour_used AS detour_left, seats, \
        marks, load, luggage, campus
        """

    /// Columns in their order, after `first` others: thousands of rows are read at once.
    init(_ row: PostgresRow, after first: Int) throws {
        let id: RideID = try row.get(at: first)
        guard try row.get(at: first + 1, as: Bool.self) else {
            self = .gone(id)
            return
        }
        let north: [Double] = try row.get(at: first + 4)
        let east: [Double] = try row.get(at: first + 5)
        let metres: [Int] = try row.get(at: first + 6)
        // The table holds as many of each.
        let way = metres.indices.map {
            BoardStop(point: GridPoint(Position(latitude: north[$0], longitude: east[$0])), at: metres[$0])
        }
        let load = SeatLoad(marks: try row.get(at: first + 9), people: try row.get(at: first + 10))
        let seats: Int = try row.get(at: first + 8)
        let taken = zip(metres, metres.dropFirst()).map { load.most(from: $0, to: $1) }.min() ?? 0
        self = .found(
            BoardRide(
                id: id, way: way, departsAt: try row.get(at: first + 2), leavesBy: try row.get(at: first + 3),
                detourLeft: try row.get(at: first + 7), free: max(0, seats - taken),
                luggage: try RideLuggage.stored(row.get(at: first + 11)), campus: try row.get(at: first + 12)))
    }
}

/// The statements of `RideFeed`.
enum BoardSQL {
    /// Rides in one statement, while the board is filled.
    static let most = 5_000

    static let snapshot: SQLQuery = "SELECT \(SeenTransactions.columns)"

    /// Those that have not left, after the last one that was read.
    static func rides(leavingAfter now: Date, beyond last: (departsAt: Date, id: RideID)?) -> SQLQuery {
        let from = last.map { $0.departsAt } ?? now - RideLimits.longestDeparture
        let beyond: SQLQuery = last.map { "AND (departs_at, id) > (\($0.departsAt), \($0.id))" } ?? ""
        return """
            SELECT \(BoardChange.columns) FROM rides
            WHERE listed AND departs_at >= \(from) AND leaves_by > \(now) \(beyond)
            ORDER BY departs_at, id LIMIT \(unescaped: "\(most)")
            """
    }

    /// Those that were written since, behind what is seen now: at least one row.
    /// - Parameter most: one more is read, so that it shows where there are more.
    static func changes(since seen: SeenTransactions, atMost most: Int) -> SQLQuery {
        """
        SELECT now.*, change.* FROM (\(snapshot)) AS now
        LEFT JOIN (\(seen.changes(BoardChange.columns, atMost: most + 1))) AS change ON true
        """
    }
}
