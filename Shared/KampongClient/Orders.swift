import Foundation
public import WireProtocol

// What somebody wants brought.

extension KampongClient {
    /// - Throws: `Problem` with code `handsFull` or `notThere` where the one who is asked for by name can't bring it; `tooManyOrders` for whoever has
    ///   as many that are not over as one may have.
    public func placeOrder(_ draft: OrderDraft, key: String? = nil) async throws -> DeliveryOrder {
        try await call(.post, "v1/orders", body: draft, key: key)
    }

    /// What the draft leaves out stays. Whoever is asked is asked no more, and somebody is asked anew.
    public func changeOrder(
        _ id: OrderID, with draft: OrderDraft, key: String? = nil
    ) async throws -> DeliveryOrder {
        try await call(.patch, "v1/orders/\(id)", body: draft, key: key)
    }

    /// - Throws: `Problem` with code `wrong_state` once somebody has accepted it: then its match is cancelled.
    public func cancelOrder(_ id: OrderID, key: String? = nil) async throws {
        let _: Nothing = try await call(.delete, "v1/orders/\(id)", key: key)
    }

    /// Says whom to ask next where the one who was asked for can't: anybody, or one.
    public func askNext(
        for id: OrderID, _ asking: OrderAsking = OrderAsking(), key: String? = nil
    ) async throws -> DeliveryOrder {
        try await call(.post, "v1/orders/\(id)/ask", body: asking, key: key)
    }

    public func order(_ id: OrderID) async throws -> DeliveryOrder { try await call(.get, "v1/orders/\(id)") }

    /// The person's own, the latest first.
    public func orders(_ query: OrderQuery = OrderQuery()) async throws -> Page<DeliveryOrder> {
        try await call(
            .get, "v1/orders",
            query: Self.query([
                ("isOver", query.isOver.map(String.init)), ("limit", query.limit.map(String.init)),
                ("cursor", query.cursor),
            ]))
    }
}
