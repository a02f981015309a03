import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import ServiceKit
import WireProtocol

/// What people bring, want and agree on, in the tables `availabilities`, `orders` and `matches`.
struct DeliveryStore: TransactionStore {
    let database: Database
    let people: PeopleProjection
    let words: SealedWords
    /// Rung for the rounds that match, where something was done.
    let bell = RoundBell()
    /// Rung for the looks of standing searches, where somebody may be found anew.
    let searched = RoundBell()

    // MARK: Reading, as it is stored: time may have done something since

    /// What somebody offers to bring along; nil where they offer nothing now.
    func availability(of person: PersonID) async throws -> OfferedAvailability? {
        try await database.read(OfferedAvailability.selection(of: person)).first.map(OfferedAvailability.init)
    }

    func availability(_ id: AvailabilityID) async throws -> OfferedAvailability? {
        try await database.read("SELECT \(OfferedAvailability.columns) FROM availabilities WHERE id = \(id)")
            .first.map(OfferedAvailability.init)
    }

    func order(_ id: OrderID) async throws -> PlacedOrder? { try await orders([id])[id] }

    func orders(_ ids: [OrderID]) async throws -> [OrderID: PlacedOrder] {
        if ids.isEmpty { return [:] }
        let rows = try await database.read("SELECT \(PlacedOrder.columns) FROM orders WHERE id = ANY(\(ids))")
        return try rows.reduce(into: [:]) { orders, row in
            let order = try PlacedOrder(row, words)
            orders[order.id] = order
        }
    }

    /// The last 50 of somebody, the newest first. What cannot be read is left out.
    func lastOrders(of person: PersonID) async throws -> [PlacedOrder] {
        try await database.read(
            "SELECT \(PlacedOrder.columns) FROM orders WHERE orderer = \(person) ORDER BY id DESC LIMIT 50"
        ).compactMap { try? PlacedOrder($0, words) }
    }

    func match(_ id: MatchID) async throws -> MatchAgreement? {
        try await database.read("SELECT \(MatchAgreement.columns) FROM matches WHERE id = \(id)")
            .first.map { try MatchAgreement($0, words) }
    }

    /// All of an order, the earliest first.
    func matches(of order: OrderID) async throws -> [MatchAgreement] { try await matches(of: [order])[order] ?? [] }

    func matches(of orders: [OrderID]) async throws -> [OrderID: [MatchAgreement]] {
        if orders.isEmpty { return [:] }
        let rows = try await database.read(MatchAgreement.selection(of: orders))
        return try Dictionary(grouping: rows.map { try MatchAgreement($0, words) }, by: \.order)
    }

    /// What is offered to them, or in their hands.
    func held(by availability: AvailabilityID) async throws -> [MatchAgreement] {
        try await database.read(MatchAgreement.selection(heldBy: availability)).map { try MatchAgreement($0, words) }
    }

    // MARK: Writing

    /// Does what a person asked for (`PeopleProjection.command`); their others wait until it is done.
    func command<Reply: Codable & Sendable>(
        _ request: RequestContext,
        _ body: @Sendable @escaping (DeliveryTransaction, PersonID) async throws -> Reply
    ) async throws -> Reply {
        let reply = try await people.command(
            request, asking: { person, _ in [.lock("person", person)] }, meaning: Self.refusal(of:)
        ) { transaction, person, _ in
            try await body(deliveries(in: transaction), person)
        }
        bell.ring()
        searched.ring()
        return reply
    }

    /// What the tables refuse though nothing spoke against it before.
    @Sendable private static func refusal(of error: PostgresError) -> (any Refusal)? {
        switch error.constraint {
        case "availabilities_room": DeliveryError.handsFull
        case "matches_to_available": DeliveryError.notThere
        case "matches_once":
            DeliveryError.invalid([FieldError("availability", "asked_already", "They were asked already.")])
        default: nil
        }
    }

    func transaction<Result: Sendable>(
        _ body: @Sendable @escaping (DeliveryTransaction) async throws -> Result
    ) async throws -> Result {
        try await database.transaction { try await body(deliveries(in: $0)) }
    }

    func deliveries(in transaction: CommandTransaction) -> DeliveryTransaction {
        DeliveryTransaction(transaction: transaction, people: people, words: words)
    }
}
