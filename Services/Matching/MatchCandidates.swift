import DurableMessaging
import FoundationEssentials
import MatchEngine
import People
import Postgres
import WireProtocol

/// Who may bring an order, in SQL. Of those who are there many fit, and a few of the best are enough to decide: these are chosen here, the rest is left where it is.
struct MatchCandidates {
    let now: Date
    let campuses: CampusSeparation
    var settings = MatchSettings()

    /// Twice as many as the engine weighs: it knows streets.
    static let usual = 2 * MatchSettings().edges
    /// Where none of those fits.
    static let atLength = 1000

    /// Pairs of both ids: so many of each order at most who may fit, as a straight line is never longer than streets. Those who seem the nearest, and whose turn it is, come first.
    func selection(for orders: [OrderID], atMost limit: Int) -> SQLQuery {
        """
        SELECT waiting.id AS "order", found.id AS availability
        FROM orders AS waiting CROSS JOIN LATERAL (\(Self.restaurants)) AS source CROSS JOIN LATERAL (
            SELECT availabilities.id FROM availabilities CROSS JOIN LATERAL (\(way)) AS way
            WHERE \(mayMeet)
                AND (way.trip IS NULL OR way.there + way.onwards <= way.trip + availabilities.detour OR \(Self.goesThere))
            ORDER BY \(detour)
                - \(settings.credit) * greatest(-\(settings.mostCredit), least(\(settings.mostCredit), coalesce((
                    SELECT credit * 0.5 ^ (extract(epoch FROM \(now) - as_of)::float8 / \(settings.creditHalfLife))
                    FROM credits WHERE credits.person = availabilities.person), 0)))
                + \(settings.fullHand) * availabilities.taken,
                availabilities.id
            LIMIT \(unescaped: "\(limit)")
        ) AS found
        WHERE waiting.id = ANY(\(orders))
        """
    }

    /// How many of those who are there could bring each order and were not asked yet, as long as ways are guessed to be; 100 at most.
    func count(for orders: [OrderID]) -> SQLQuery {
        """
        SELECT waiting.id AS "order", (
            SELECT count(*) FROM (
                SELECT FROM availabilities CROSS JOIN LATERAL (\(way)) AS way
                WHERE \(mayMeet) AND \(detour) <= availabilities.detour LIMIT 100) AS fitting) AS deliverers
        FROM orders AS waiting CROSS JOIN LATERAL (\(Self.restaurants)) AS source
        WHERE waiting.id = ANY(\(orders))
        """
    }

    // MARK: What both ask

    /// From where an order may come, and where it is brought.
    private static let restaurants: SQLQuery = """
        SELECT \(drop("waiting")) AS drop, CASE WHEN waiting.middle IS NULL THEN waiting.restaurants ELSE ARRAY(
            SELECT restaurants.id FROM restaurants
            WHERE earth_box(waiting.middle, waiting.radius + 1) @> restaurants.globe
                AND restaurants.globe <-> waiting.middle <= waiting.radius + 1) END AS wanted
        OFFSET 0
        """

    /// Where the order is brought, or somebody goes. The arithmetic of the earth refuses the smallest numbers that there are (`Position.settled`).
    private static func drop(_ row: SQLQuery) -> SQLQuery {
        func settled(_ degrees: SQLQuery) -> SQLQuery { "CASE WHEN abs(\(degrees)) < 1e-12 THEN 0 ELSE \(degrees) END" }
        return "ll_to_earth(\(settled("\(row).drop_latitude")), \(settled("\(row).drop_longitude")))::cube"
    }

    /// Whether somebody goes to where the order is brought.
    private static let goesThere: SQLQuery =
        "coalesce(availabilities.drop_place = waiting.drop_place OR way.onwards < 1, false)"

    private var guess: SQLQuery { "\(settings.streetsForStraight)" }

    /// Straight lines, and the length of the way without the order. `OFFSET 0` has PostgreSQL reckon each once, not wherever it is used.
    private var way: SQLQuery {
        """
        SELECT availabilities.globe <-> source.drop AS there, source.drop <-> goal AS onwards, availabilities.globe <-> goal AS straight,
            availabilities.trip_metres * CASE WHEN availabilities.trip_along_streets THEN 1 ELSE \(guess) END AS trip
        FROM (SELECT \(Self.drop("availabilities")) AS goal OFFSET 0) AS own OFFSET 0
        """
    }

    /// Metres of way in addition, as long as they are guessed to be.
    private var detour: SQLQuery {
        """
        CASE WHEN \(Self.goesThere) THEN 0
        ELSE greatest(0, \(guess) * (way.there + way.onwards) - coalesce(way.trip, \(guess) * way.straight)) END
        """
    }

    /// Somebody is there with a free hand, and the two may meet for what both want.
    private var mayMeet: SQLQuery {
        let isOfCampus: SQLQuery = campuses.isOn ? "AND availabilities.campus = waiting.campus" : ""
        return """
            availabilities.restaurant = ANY(source.wanted) AND availabilities.state = 'available'
                AND availabilities.taken < availabilities.capacity AND availabilities.until > \(now)
                AND availabilities.person <> waiting.orderer
                AND coalesce(availabilities.least_fee, 0) <= coalesce(waiting.fee, 0) \(isOfCampus)
                AND NOT EXISTS (
                    SELECT FROM blocks
                    WHERE blocks.person = waiting.orderer AND blocks.other = availabilities.person OFFSET 0)
                AND NOT EXISTS (
                    SELECT FROM matches WHERE matches."order" = waiting.id
                        AND matches.deliverer = availabilities.person AND matches.state <> 'withdrawn' OFFSET 0)
                AND NOT \(SuspensionProjection.isAmongSuspended("availabilities.person", at: now))
            """
    }
}

extension DeliveryTransaction {
    /// By the order, of those for which there is anybody.
    func candidates(for orders: [OrderID], atMost limit: Int) async throws -> [OrderID: [AvailabilityID]] {
        if orders.isEmpty { return [:] }
        let candidates = MatchCandidates(now: now, campuses: people.campuses)
        return try await transaction.query(candidates.selection(for: orders, atMost: limit)).reduce(into: [:]) {
            $0[try $1.get("order"), default: []].append(try $1.get("availability"))
        }
    }

    /// How many could bring an order and were not asked yet.
    func possible(for order: PlacedOrder) async throws -> Int {
        guard order.isLookedFor(at: now) else { return 0 }
        let candidates = MatchCandidates(now: now, campuses: people.campuses)
        return try await transaction.query(candidates.count(for: [order.id]))[0].get("deliverers")
    }
}

extension DeliveryStore {
    /// How many could bring each of some orders and were not asked yet.
    func possible(for orders: [PlacedOrder], at now: Date) async throws -> [OrderID: Int] {
        let lookedFor = orders.filter { $0.isLookedFor(at: now) }.map(\.id)
        if lookedFor.isEmpty { return [:] }
        let candidates = MatchCandidates(now: now, campuses: people.campuses)
        return try await database.read(candidates.count(for: lookedFor)).reduce(into: [:]) {
            $0[try $1.get("order")] = try $1.get("deliverers")
        }
    }
}
