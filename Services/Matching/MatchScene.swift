import DurableMessaging
import FoundationEssentials
import Logging
import MatchEngine
import People
import Postgres
import WireProtocol

/// A row that was read, and is not locked.
struct FoundRow<Value: Sendable>: Sendable {
    let value: Value
    /// Where its person belongs, where campuses are kept apart.
    let campus: String?
    /// Which making of the row this is: another one after each change.
    let version: String
}

/// Who waits and who is free, before a round.
struct MatchScene: Sendable {
    var round: DeliveryRound
    /// Of those who are free, as the round knows them.
    var credits: [PersonID: Credit] = [:]
    /// Ways from restaurants to where people go anyway, as far as nobody has said how long they are.
    var trips: [WayQuestion]
    /// Of orders and availabilities, by their ids.
    fileprivate var versions: [UUID: String]
}

extension DeliveryTransaction {
    /// So many orders are looked at in one round.
    private static let mostWaiting = 500

    /// Orders that wait and were marked, or wait where something was, the earliest first. What is more is marked for the next round.
    /// What cannot be read is logged, and put off.
    func waiting(of marks: DeliveryMarks, logger: Logger) async throws -> [FoundRow<PlacedOrder>] {
        let (area, limit) = (marks.area, Self.mostWaiting)
        let waits: SQLQuery = """
            \(marks.found) AND state = 'waiting' AND areas @> \([area]) AND waits_until > \(now) \(isKnown)
                AND NOT \(SuspensionProjection.isSuspended("orders.orderer", at: now))
            """
        let rows = try await transaction.query(
            """
            SELECT \(PlacedOrder.columns), campus AS belongs, xmin::text AS version FROM orders
            WHERE \(waits) ORDER BY id LIMIT \(unescaped: "\(limit)")
            """
        )
        let (found, unread) = try readable(rows, of: "orders", logger) { try row($0, PlacedOrder($0, words)) }
        try await putOff(unread)
        if rows.count == limit, let last: OrderID = try rows.last?.get("id") {
            _ = try await transaction.query(
                "INSERT INTO marks (area, \"order\") SELECT \(area), id FROM orders WHERE \(waits) AND id > \(last)")
        }
        return found
    }

    /// Orders rest for a minute; then `DeliveryRounds` has them looked at again. An order that is written is marked, which would have it looked at at once.
    private func putOff(_ orders: [UUID]) async throws {
        if orders.isEmpty { return }
        try await transaction.pipeline([
            """
            UPDATE orders SET due_at = least(due_at, \(now + Database.unreadableRest)) WHERE id IN (
                SELECT id FROM orders WHERE id = ANY(\(orders)) AND state = 'waiting' FOR NO KEY UPDATE SKIP LOCKED)
            """,
            "DELETE FROM marks WHERE \"order\" = ANY(\(orders))",
        ])
    }

    /// What cannot be read is logged and passed over.
    private func readable<Value>(
        _ rows: PostgresRows, of table: String, _ logger: Logger, _ read: (PostgresRow) throws -> Value
    ) throws -> (values: [Value], unread: [UUID]) {
        var (values, unread): ([Value], [UUID]) = ([], [])
        for row in rows {
            do { values.append(try read(row)) } catch let error as PostgresError where error.isUnreadable {
                let id: UUID = try row.get("id")
                logger.error(
                    "a row cannot be read: it is passed over",
                    metadata: ["table": "\(table)", "row": "\(id)", "error": "\(error.debugDetail)"])
                unread.append(id)
            }
        }
        return (values, unread)
    }

    /// - Parameter candidates: those who may bring some of the orders.
    func scene(
        _ waiting: [FoundRow<PlacedOrder>], _ candidates: Set<AvailabilityID>, logger: Logger
    ) async throws -> MatchScene {
        let rows = try await transaction.query(
            """
            SELECT \(OfferedAvailability.columns), campus AS belongs, xmin::text AS version FROM availabilities
            WHERE id = ANY(\(candidates.sorted())) AND state = 'available' AND taken < capacity AND until > \(now) \(isKnown)
            """
        )
        let free = try readable(rows, of: "availabilities", logger) { try row($0, OfferedAvailability($0)) }.values
        let (availabilities, orders) = (free.map(\.value), waiting.map(\.value))
        let hops = KnownWays.hops(between: orders, and: availabilities)
        let deliverers = availabilities.map(\.deliverer)
        let answers = try await transaction.pipeline([
            KnownWays.selection(of: hops), MatchAgreement.selection(inHandOf: availabilities.map(\.id)),
            MatchAgreement.selection(of: orders.map(\.id)),
            "SELECT person, credit, as_of FROM credits WHERE person = ANY(\(deliverers))",
            "SELECT person, other FROM blocks WHERE person = ANY(\(orders.map(\.orderer))) AND other = ANY(\(deliverers))",
        ])
        let ways = try KnownWays(answers[0])
        var round = DeliveryRound(ways: ways)
        // Whose matches cannot all be read is offered nothing, and nobody is asked for such an order.
        let (inHand, unreadInHand) = try readable(answers[1], of: "matches", logger) { try MatchAgreement($0, words) }
        let carried = Dictionary(grouping: inHand, by: \.availability)
        let busy = try holders(of: unreadInHand, among: answers[1], "availability", as: AvailabilityID.self)
        for each in free where !busy.contains(each.value.id) {
            round.add(each.value, carrying: carried[each.value.id, default: []].map(\.dropOff), of: each.campus)
        }
        let (offered, unreadOffered) = try readable(answers[2], of: "matches", logger) { try MatchAgreement($0, words) }
        let before = Dictionary(grouping: offered, by: \.order)
        let unclear = try holders(of: unreadOffered, among: answers[2], "order", as: OrderID.self)
        for each in waiting where !unclear.contains(each.value.id) {
            round.add(each.value, after: before[each.value.id, default: []], of: each.campus)
        }
        var credits: [PersonID: Credit] = [:]
        for row in answers[3] {
            credits[try row.get("person")] = Credit(value: try row.get("credit"), asOf: try row.get("as_of"))
        }
        for (person, credit) in credits { round.add(credit, of: person) }
        for row in answers[4] { round.separate(try row.get("person"), try row.get("other")) }
        let versions = free.map { ($0.value.id.uuid, $0.version) } + waiting.map { ($0.value.id.uuid, $0.version) }
        return MatchScene(
            round: round, credits: credits, trips: availabilities.compactMap { $0.unknownTrip(ways) },
            versions: Dictionary(uniqueKeysWithValues: versions))
    }

    /// What rows belong to that could not be read.
    private func holders<Kind>(
        of unread: [UUID], among rows: PostgresRows, _ column: String, as id: ID<Kind>.Type
    ) throws -> Set<ID<Kind>> {
        if unread.isEmpty { return [] }
        return Set(try rows.filter { unread.contains(try $0.get("id")) }.map { try $0.get(column, as: id) })
    }

    private func row<Value>(_ row: PostgresRow, _ value: Value) throws -> FoundRow<Value> {
        FoundRow(
            value: value, campus: people.campuses.isOn ? try row.get("belongs") : nil, version: try row.get("version"))
    }

    /// Who belongs nowhere that is known is together with nobody, where campuses are kept apart.
    private var isKnown: SQLQuery { people.campuses.isOn ? "AND campus IS NOT NULL" : "" }

    // MARK: What was decided

    /// Locks what offers are about, without waiting for anybody. Once it is locked, nobody can have become apart or suspended without waiting for this.
    /// - Returns: those of which all is as it was read, and the others.
    func locked(
        _ offers: [ProposedOffer], of scene: MatchScene
    ) async throws -> (kept: [ProposedOffer], missed: [ProposedOffer]) {
        if offers.isEmpty { return ([], []) }
        let answers = try await transaction.pipeline([
            Self.locking("availabilities", Set(offers.map(\.availability.id.uuid))),
            Self.locking("orders", Set(offers.map(\.order.id.uuid))),
            """
            SELECT "order" FROM unnest(\(offers.map(\.order.id)), \(offers.map(\.order.orderer)), \(offers.map(\.availability.deliverer)))
                AS pair ("order", orderer, deliverer)
            WHERE EXISTS (SELECT FROM blocks WHERE person = orderer AND other = deliverer)
                OR \(SuspensionProjection.isSuspended("orderer", at: now)) OR \(SuspensionProjection.isSuspended("deliverer", at: now))
            """,
        ])
        let unchanged = Set(
            try answers.prefix(2).joined().compactMap { row in
                let id: UUID = try row.get("id")
                return try row.get("version") == scene.versions[id] ? id : nil
            })
        let apart: Set<OrderID> = Set(try answers[2].map { try $0.get("order") })
        var (kept, missed): ([ProposedOffer], [ProposedOffer]) = ([], [])
        for offer in offers {
            let isSo =
                unchanged.isSuperset(of: [offer.order.id.uuid, offer.availability.id.uuid])
                && !apart.contains(offer.order.id)
            if isSo { kept.append(offer) } else { missed.append(offer) }
        }
        return (kept, missed)
    }

    private static func locking(_ table: SQLQuery, _ ids: Set<UUID>) -> SQLQuery {
        """
        SELECT id, xmin::text AS version FROM \(table) WHERE id = ANY(\(Array(ids)))
        ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
        """
    }
}

extension DeliveryMarks {
    /// A condition on orders: each by an index.
    fileprivate var found: SQLQuery {
        if isAll { return "true" }
        let (orders, restaurants) = (orders.sorted(), restaurants.sorted())
        if restaurants.isEmpty { return "id = ANY(\(orders))" }
        return """
            id IN (
                SELECT id FROM orders WHERE id = ANY(\(orders))
                UNION ALL SELECT id FROM orders WHERE state = 'waiting' AND restaurants && \(restaurants)
                UNION ALL SELECT orders.id FROM restaurants
                    JOIN orders ON state = 'waiting' AND middle IS NOT NULL
                        AND earth_box(restaurants.globe, \(Double(DeliveryLimits.radii.upperBound + 1))) @> middle
                        AND middle <-> restaurants.globe <= radius + 1
                WHERE restaurants.id = ANY(\(restaurants)))
            """
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
