import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// A ride as a row of the table `rides`, in both directions.

extension OfferedRide {
    static let columns: SQLQuery = """
        id, driver, posted_at, state, stop_names, stop_addresses, stop_latitudes, stop_longitudes, stop_regions, stop_at, departs_at, \
        leaves_by, zone, seats, cost, currency, max_detour, luggage, accepts, notes, marks, load, detour_used, hidden_at, \
        hidden_reason, withheld, changed_at, reason, return_of, series, series_day, leg_metres, leg_seconds
        """

    init(_ row: PostgresRow) throws {
        let hiddenFor: String? = try row.get("hidden_reason")
        self.init(
            id: try row.get("id"), driver: try row.get("driver"), postedAt: try row.get("posted_at"),
            state: try RideState.stored(row.get("state")), way: try RideWay(row), departsAt: try row.get("departs_at"),
            leavesBy: try row.get("leaves_by"), zone: try row.get("zone"), seats: try row.get("seats"),
            cost: try row.get("cost"), currency: try row.get("currency"), maxDetour: try row.get("max_detour"),
            detourUsed: try row.get("detour_used"), luggage: try RideLuggage.stored(row.get("luggage")),
            accepts: try RideAcceptance.stored(row.get("accepts")), notes: try row.get("notes"),
            load: SeatLoad(marks: try row.get("marks"), people: try row.get("load")),
            hidden: try hiddenFor.map { Hiding(at: try row.get("hidden_at"), reason: $0) },
            isWithheld: try row.get("withheld"), changedAt: try row.get("changed_at"), reason: try row.get("reason"),
            returnOf: try row.get("return_of"), series: try row.get("series"),
            seriesDay: try row.get("series_day", as: String?.self).flatMap { CivilDay($0) },
            legs: try StreetLeg.legs(row))
    }

    var insertion: SQLQuery {
        """
        INSERT INTO rides (id, driver, posted_at, state, stop_names, stop_addresses, stop_latitudes, stop_longitudes, stop_regions,
            stop_at, departs_at, leaves_by, arrives_at, zone, seats, cost, currency, max_detour, luggage, accepts, notes, hidden_at,
            hidden_reason, withheld, changed_at, reason, due_at, doors_until, regions_due, return_of, series, series_day,
            leg_metres, leg_seconds)
        VALUES (\(id), \(driver), \(postedAt), \(state.rawValue), \(way.names), \(way.addresses), \(way.latitudes),
            \(way.longitudes), \(way.regions), \(way.metres), \(departsAt), \(leavesBy), \(lastArrival), \(zone), \(seats),
            \(cost), \(cost > 0 ? currency : nil), \(maxDetour), \(luggage.rawValue), \(accepts.rawValue), \(notes),
            \(hidden?.at), \(hidden?.reason), \(isWithheld), \(changedAt), \(reason), \(dueAt), \(doorsUntil),
            \(firstAsking), \(returnOf), \(series), \(seriesDay?.text)::text::date,
            \(legs?.map(\.metres)), \(legs?.map(\.seconds)))
        """
    }

    /// Writes all that can change, but for what the database makes itself.
    var update: SQLQuery {
        """
        UPDATE rides
        SET state = \(state.rawValue), stop_names = \(way.names), stop_addresses = \(way.addresses),
            stop_latitudes = \(way.latitudes), stop_longitudes = \(way.longitudes), stop_regions = \(way.regions),
            stop_at = \(way.metres), departs_at = \(departsAt), leaves_by = \(leavesBy), arrives_at = \(lastArrival),
            zone = \(zone), seats = \(seats), cost = \(cost), currency = \(cost > 0 ? currency : nil),
            max_detour = \(maxDetour), luggage = \(luggage.rawValue), accepts = \(accepts.rawValue), notes = \(notes),
            hidden_at = \(hidden?.at), hidden_reason = \(hidden?.reason), withheld = \(isWithheld),
            changed_at = \(changedAt), reason = \(reason), due_at = \(dueAt), return_of = \(returnOf),
            series = \(series), series_day = \(seriesDay?.text)::text::date, leg_metres = \(legs?.map(\.metres)),
            leg_seconds = \(legs?.map(\.seconds)),
            doors_until = CASE WHEN doors_until IS NOT NULL THEN \(doorsUntil) END,
            regions_due = CASE WHEN \(asksPlaces) THEN coalesce(regions_due, \(postedAt)) END
        WHERE id = \(id)
        """
    }

    /// Whether Places has something to tell of it that is not known.
    var asksPlaces: Bool { state == .open && (!way.isPlaced || legs == nil) }

    /// Where regions are known and streets are not, there are none of there.
    private var firstAsking: Date? {
        way.isPlaced ? legs == nil ? postedAt + RideRegionRounds.again.unknown : nil : postedAt
    }

    /// Of what is over nobody needs the doors for longer.
    private var doorsUntil: Date { (state == .removed ? changedAt : lastArrival) + Self.doorsKept }

    static let doorsKept: TimeInterval = 30 * 86_400
}

extension StreetLeg {
    /// Nil where they are not known.
    fileprivate static func legs(_ row: PostgresRow) throws -> [StreetLeg]? {
        guard let metres = try row.get("leg_metres", as: [Int]?.self),
            let seconds = try row.get("leg_seconds", as: [Int]?.self)
        else { return nil }
        return zip(metres, seconds).map { StreetLeg(metres: $0, seconds: $1) }
    }
}

extension RideWay {
    fileprivate init(_ row: PostgresRow) throws {
        let (names, addresses): ([String], [String?]) = (try row.get("stop_names"), try row.get("stop_addresses"))
        let north: [Double] = try row.get("stop_latitudes")
        let east: [Double] = try row.get("stop_longitudes")
        let (regions, metres): ([String?], [Int]) = (try row.get("stop_regions"), try row.get("stop_at"))
        // The table holds as many of each.
        stops = names.indices.map { number in
            WayStop(
                name: names[number], address: addresses[number],
                position: Position(latitude: north[number], longitude: east[number]), region: regions[number],
                at: metres[number])
        }
    }

    fileprivate var names: [String] { stops.map(\.name) }
    fileprivate var metres: [Int] { stops.map(\.at) }
    var addresses: [String?] { stops.map(\.address) }
    var latitudes: [Double] { stops.map(\.position.latitude) }
    var longitudes: [Double] { stops.map(\.position.longitude) }
    var regions: [String?] { stops.map(\.region) }

    /// Whether the region of each stop is known.
    var isPlaced: Bool { stops.allSatisfy { $0.region != nil } }
}

/// A ride that somebody looks at, with what is between it and them.
struct SeenRide: Hashable, Sendable {
    var ride: OfferedRide
    /// The request of the one who looks that is not over.
    var request: SeatRequestID?
    var requestState: SeatState?
    var isSaved = false
}

extension SeenRide {
    init(_ row: PostgresRow) throws {
        ride = try OfferedRide(row)
        request = try row.get("request")
        requestState = try row.get("request_state", as: String?.self).map { try SeatState.stored($0) }
        isSaved = try row.get("is_saved")
    }
}
