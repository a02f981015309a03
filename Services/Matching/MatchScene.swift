import DurableMessaging
import FoundationEssentials
import MatchEngine
import People
import Postgres
import WireProtocol

/// Who waits and who is free around some restaurants, locked, before a round.
struct MatchScene: Sendable {
    var round: DeliveryRound
    /// Of those who are free, as the round knows them.
    var credits: [PersonID: Credit] = [:]
    /// Ways from restaurants to where people go anyway, as far as nobody has said how long they are.
    var trips: [WayQuestion]
    /// Whether these are all.
    var isWhole: Bool
}

extension DeliveryTransaction {
    /// Nil where nobody waits, or nobody is free.
    func scene(of area: Int64) async throws -> MatchScene? {
        guard let wanted = try await wanted(in: area) else { return nil }
        let free = try await free(in: area, at: wanted)
        let waiting = try await waiting(in: area, for: free.rows.map(\.value.restaurant.id))
        let isWhole = free.isWhole && waiting.isWhole
        if isWhole, free.rows.isEmpty || waiting.rows.isEmpty { return nil }
        return try await scene(free, waiting, isWhole: isWhole)
    }

    private func scene(
        _ free: LockedRows<OfferedAvailability>, _ waiting: LockedRows<PlacedOrder>, isWhole: Bool
    ) async throws -> MatchScene {
        let (availabilities, orders) = (free.rows.map(\.value), waiting.rows.map(\.value))
        let places = availabilities.flatMap { [$0.restaurant.shown, $0.dropOff] } + orders.map(\.dropOff)
        let deliverers = availabilities.map(\.deliverer)
        let answers = try await transaction.pipeline([
            KnownWays.selection(among: places), MatchAgreement.selection(inHandOf: availabilities.map(\.id)),
            MatchAgreement.selection(of: orders.map(\.id)),
            "SELECT person, credit, as_of FROM credits WHERE person = ANY(\(deliverers))",
            "SELECT person, other FROM blocks WHERE person = ANY(\(orders.map(\.orderer))) AND other = ANY(\(deliverers))",
        ])
        let ways = try KnownWays(answers[0])
        var round = DeliveryRound(ways: ways)
        let carried = Dictionary(grouping: try matches(answers[1]), by: \.availability)
        for (availability, campus) in free.rows {
            round.add(availability, carrying: carried[availability.id, default: []].map(\.dropOff), of: campus)
        }
        let before = Dictionary(grouping: try matches(answers[2]), by: \.order)
        for (order, campus) in waiting.rows { round.add(order, after: before[order.id, default: []], of: campus) }
        var credits: [PersonID: Credit] = [:]
        for row in answers[3] {
            credits[try row.get("person")] = Credit(value: try row.get("credit"), asOf: try row.get("as_of"))
        }
        for (person, credit) in credits { round.add(credit, of: person) }
        for row in answers[4] { round.separate(try row.get("person"), try row.get("other")) }
        let trips = availabilities.compactMap { $0.unknownTrip(ways) }
        return MatchScene(round: round, credits: credits, trips: trips, isWhole: isWhole)
    }

    private func matches(_ rows: PostgresRows) throws -> [MatchAgreement] {
        try rows.map { try MatchAgreement($0, words) }
    }

    // MARK: Who is locked

    /// How many at most are in one round. Where there are more, chance says who: nobody is left out of all rounds.
    private static let (mostWaiting, mostFree) = (1000, 5000)

    /// Where somebody waits for something: nobody is locked who is elsewhere. Nil where nobody waits.
    private func wanted(in area: Int64) async throws -> WantedRestaurants? {
        let row = try await transaction.query(
            """
            SELECT bool_or(restaurants = '{}') AS anywhere,
                coalesce(array_agg(DISTINCT restaurant) FILTER (WHERE restaurant IS NOT NULL), '{}') AS wanted
            FROM orders LEFT JOIN LATERAL unnest(restaurants) AS place (restaurant) ON true
            WHERE \(PlacedOrder.waits(in: area, at: now))
            """)[0]
        guard let isAnywhere: Bool = try row.get("anywhere") else { return nil }
        return isAnywhere ? .any : .these(try row.get("wanted"))
    }

    private func free(
        in area: Int64, at wanted: WantedRestaurants
    ) async throws -> LockedRows<OfferedAvailability> {
        try await lockedWhereFree(
            OfferedAvailability.columns, of: "availabilities", atMost: Self.mostFree,
            where: """
                area = \(area) AND state = 'available' AND taken < capacity AND until > \(now) \(wanted.condition)
                    AND NOT \(SuspensionProjection.isSuspended("availabilities.person", at: now))
                """
        ) { row in try OfferedAvailability(row) }
    }

    /// Those that take something from one of these restaurants, or from any of a circle.
    private func waiting(in area: Int64, for restaurants: [PlaceID]) async throws -> LockedRows<PlacedOrder> {
        let restaurants = Set(restaurants).sorted()
        return try await lockedWhereFree(
            PlacedOrder.columns, of: "orders", atMost: Self.mostWaiting,
            where: """
                \(PlacedOrder.waits(in: area, at: now)) AND (restaurants = '{}' OR restaurants && \(restaurants))
                    AND NOT \(SuspensionProjection.isSuspended("orders.orderer", at: now))
                """
        ) { row in try PlacedOrder(row, words) }
    }

    /// Locks what nobody else is at. Who belongs nowhere that is known is together with nobody, where campuses are kept apart.
    private func lockedWhereFree<Value>(
        _ columns: SQLQuery, of table: SQLQuery, atMost limit: Int, where condition: SQLQuery,
        _ read: (PostgresRow) throws -> Value
    ) async throws -> LockedRows<Value> {
        let known: SQLQuery = people.campuses.isOn ? "AND campus IS NOT NULL" : ""
        let rows = try await transaction.query(
            """
            SELECT \(columns), campus AS belongs FROM \(table) WHERE \(condition) \(known)
            ORDER BY random() LIMIT \(unescaped: "\(limit)") FOR NO KEY UPDATE SKIP LOCKED
            """)
        let ids = try rows.map { try $0.get("id", as: UUID.self) }
        let others = try await transaction.query(
            "SELECT FROM \(table) WHERE \(condition) \(known) AND id <> ALL(\(ids)) LIMIT 1")
        return LockedRows(
            rows: try rows.map { row in
                (try read(row), people.campuses.isOn ? try row.get("belongs") : nil)
            }, isWhole: others.first == nil)
    }
}

/// Where orders may come from that wait in an area.
private enum WantedRestaurants {
    /// Of a circle.
    case any
    case these([PlaceID])

    var condition: SQLQuery {
        switch self {
        case .any: ""
        case .these(let restaurants): "AND restaurant = ANY(\(restaurants))"
        }
    }
}

/// Rows that are locked, each with where its person belongs, where campuses are kept apart.
private struct LockedRows<Value> {
    var rows: [(value: Value, campus: String?)]
    /// Whether there are no others, that somebody else was at or that were too many.
    var isWhole: Bool
}

extension PlacedOrder {
    fileprivate static func waits(in area: Int64, at now: Date) -> SQLQuery {
        "state = 'waiting' AND areas @> \([area]) AND waits_until > \(now)"
    }
}

extension MatchAgreement {
    /// What fills the hands of some.
    fileprivate static func selection(inHandOf availabilities: [AvailabilityID]) -> SQLQuery {
        "SELECT \(columns) FROM matches WHERE availability = ANY(\(availabilities)) AND fills_hand"
    }
}

extension OfferedAvailability {
    /// The way from the restaurant to where they go, where nobody has said how long it is.
    fileprivate func unknownTrip(_ ways: KnownWays) -> WayQuestion? {
        let (from, to) = (restaurant.shown.stop, dropOff.stop)
        guard trip == nil, from.id != to.id, ways.way(from: restaurant.shown, to: dropOff) == nil else { return nil }
        let hop = Hop(from.id, to.id)
        let (first, second) = hop.one == from.id ? (from, to) : (to, from)
        return WayQuestion(hop: hop, from: first.position, to: second.position)
    }
}
