import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// Who is in which car.

/// Who rides along, or has.
struct Passenger: Hashable, Sendable {
    let ride: RideID
    let person: PersonID
    let seats: Int

    static func selection(of rides: [RideID]) -> SQLQuery {
        """
        SELECT ride, rider, seats FROM seat_requests
        WHERE ride = ANY(\(rides)) AND state IN ('accepted', 'rode') ORDER BY ride, board_at, id
        """
    }

    init(_ row: PostgresRow) throws {
        (ride, person, seats) = (try row.get("ride"), try row.get("rider"), try row.get("seats"))
    }
}

/// What somebody drives that is not over.
struct Driving: Hashable, Sendable {
    /// Two of one driver that leave so close together, from and to nearly the same places, are one.
    static let sameTime: TimeInterval = 30 * 60
    static let samePlace = 1_000.0

    var rides: [OfferedRide]
    /// Of which rides will be made.
    var series: Set<RideSeriesID>

    /// One row of nulls where there is no ride.
    static func selection(of person: PersonID) -> SQLQuery {
        """
        SELECT running.series_ids, \(OfferedRide.columns)
        FROM (SELECT ARRAY(SELECT id FROM ride_series WHERE driver = \(person) AND due_at IS NOT NULL) AS series_ids) AS running
        LEFT JOIN rides ON driver = \(person) AND state IN ('open', 'departed')
        ORDER BY departs_at, id
        """
    }

    /// How many have not left: a series counts once, whether its rides are there or will be made.
    var open: Int {
        let open = rides.filter { $0.state == .open }
        return open.count { $0.series == nil } + series.union(open.compactMap(\.series)).count
    }

    /// Those that leave at about that time.
    func close(to moment: Date) -> [OfferedRide] {
        rides.filter { abs($0.departsAt.timeIntervalSince(moment)) <= Self.sameTime }
    }

    /// The ride that is the same as this one.
    func duplicate(of ride: OfferedRide) -> OfferedRide? {
        close(to: ride.departsAt).first { other in
            other.id != ride.id && other.state == .open && other.way.isAlike(ride.way)
        }
    }

    /// Whether one of them is driven already.
    func hasDuplicate(of rides: [OfferedRide]) -> Bool { rides.contains { duplicate(of: $0) != nil } }
}

extension Driving {
    init(_ rows: PostgresRows) throws {
        self.init(
            rides: try rows.filter { try $0.get("id", as: RideID?.self) != nil }.map(OfferedRide.init),
            series: Set(try rows.first?.get("series_ids", as: [RideSeriesID].self) ?? []))
    }
}

extension RideWay {
    /// Whether both ends are nearly the same.
    fileprivate func isAlike(_ other: RideWay) -> Bool {
        guard let start = stops.first, let end = stops.last, let first = other.stops.first, let last = other.stops.last
        else { return false }
        func areClose(_ one: WayStop, _ two: WayStop) -> Bool {
            one.position.onGrid.metres(to: two.position.onGrid) <= Driving.samePlace
        }
        return areClose(start, first) && areClose(end, last)
    }
}
