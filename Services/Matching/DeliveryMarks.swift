import DurableMessaging
import Postgres
import WireProtocol

// What may be possible that was not before: rounds look at it.

/// Marks of one area that a round has taken.
struct DeliveryMarks: Hashable, Sendable {
    let area: Int64
    /// These wait, or say something else now.
    var orders: Set<OrderID> = []
    /// Somebody is there with a free hand, or not any more, or says something else now.
    var restaurants: Set<PlaceID> = []
    /// All that waits there is to be looked at.
    var isAll = false

    /// So many are taken at once; the next round takes more.
    fileprivate static let most = 5000
}

extension DeliveryTransaction {
    /// Takes marks of one area, in which nobody else matches until this is committed.
    /// - Returns: Nil where there are none that nobody is at.
    func takeMarks() async throws -> DeliveryMarks? {
        // By chance: one area where a round fails does not keep the others from theirs.
        let first = try await transaction.query(
            "SELECT area FROM marks ORDER BY random() LIMIT 1 FOR UPDATE SKIP LOCKED")
        guard let area: Int64 = try first.first?.get("area") else { return nil }
        let taken = try await transaction.pipeline([
            .lock("round", area),
            """
            DELETE FROM marks WHERE id = ANY (ARRAY(
                SELECT id FROM marks WHERE area = \(area) ORDER BY id LIMIT \(unescaped: "\(DeliveryMarks.most)")
                FOR UPDATE SKIP LOCKED))
            RETURNING "order", restaurant
            """,
        ])[1]
        return try taken.reduce(into: DeliveryMarks(area: area)) { marks, row in
            if let order: OrderID = try row.get("order") {
                marks.orders.insert(order)
            } else if let restaurant: PlaceID = try row.get("restaurant") {
                marks.restaurants.insert(restaurant)
            } else {
                marks.isAll = true
            }
        }
    }

    /// A round looks at all that waits there once this is committed.
    func mark(_ areas: some Sequence<Int64>) async throws {
        let areas = Set(areas).sorted()
        if areas.isEmpty { return }
        _ = try await transaction.query("INSERT INTO marks (area) SELECT unnest(\(areas))")
    }

    /// The next round looks at these once more.
    func mark(_ orders: some Collection<OrderID>, in area: Int64) async throws {
        if orders.isEmpty { return }
        _ = try await transaction.query(
            "INSERT INTO marks (area, \"order\") SELECT \(area), unnest(\(orders.sorted()))")
    }
}
