import FoundationEssentials
import Postgres
import WireProtocol

/// One page of somebody's orders, the latest first.
struct OrderPage: Hashable, Sendable {
    var orderer: PersonID
    /// Those that are over, or those that are not; all where nil.
    var isOver: Bool?
    var limit = PageSize.usual
    var after: OrderID?

    /// - Throws: `invalid`, or `unauthenticated`.
    init(_ query: OrderQuery, for caller: Caller) throws {
        orderer = try caller.requirePerson()
        isOver = query.isOver
        var errors: [FieldError] = []
        limit = query.readLimit(&errors)
        after = query.readCursor(&errors) { OrderID($0) }
        guard errors.isEmpty else { throw DeliveryError.invalid(errors) }
    }

    init(of orderer: PersonID, isOver: Bool? = nil, limit: Int = PageSize.usual, after: OrderID? = nil) {
        (self.orderer, self.isOver, self.limit, self.after) = (orderer, isOver, limit, after)
    }

    /// Answers the first `limit` + 1. What time has ended is over, whether or not the rounds came by.
    func statement(at now: Date) -> SQLQuery {
        var condition: SQLQuery = "orderer = \(orderer)"
        switch isOver {
        case true?: condition += " AND (NOT \(PlacedOrder.isOpen) OR due_at <= \(now))"
        case false?: condition += " AND \(PlacedOrder.isOpen) AND NOT coalesce(due_at <= \(now), false)"
        case nil: break
        }
        if let after { condition += " AND id < \(after)" }
        return """
            SELECT \(PlacedOrder.columns) FROM orders WHERE \(condition)
            ORDER BY id DESC LIMIT \(unescaped: "\(limit + 1)")
            """
    }
}
