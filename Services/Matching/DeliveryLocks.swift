import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// Locks are taken in one order: people, then availabilities, then orders, then matches, then credits, of each kind by their ids. Whatever is done to an offer, or to what
// is in somebody's hands, holds its availability, so that hands are counted one after another. Who follows from several of them to what hangs on each
// locks all of that before.

/// A match that is locked, with its order and its availability.
struct LockedMatch: Sendable {
    var match: MatchAgreement
    var order: PlacedOrder
    var availability: OfferedAvailability
}

/// An order that is locked, with all matches of it, and the availabilities of those who hold one or are asked for by name.
struct LockedOrder: Sendable {
    var order: PlacedOrder
    /// The earliest first.
    var matches: [MatchAgreement]
    var availabilities: [OfferedAvailability]

    /// What is offered, or in somebody's hands.
    var held: LockedMatch? {
        guard let match = matches.first(where: { $0.state == .offered || $0.isUnderWay }) else { return nil }
        return availabilities.first { $0.id == match.availability }.map {
            LockedMatch(match: match, order: order, availability: $0)
        }
    }

    /// The offer that is open.
    var offer: LockedMatch? { held.flatMap { $0.match.state == .offered ? $0 : nil } }

    /// Whether the availability is locked of everybody who holds it.
    fileprivate var isWhole: Bool {
        let holding = matches.filter { $0.state == .offered || $0.isUnderWay }.map(\.availability)
        return Set(availabilities.map(\.id)).isSuperset(of: holding)
    }
}

extension DeliveryTransaction {
    /// - Parameter whereFree: those alone that nobody else is at, and nobody is waited for.
    /// - Returns: in the order of their ids.
    func locked(_ ids: [MatchID], whereFree: Bool = false) async throws -> [LockedMatch] {
        if ids.isEmpty { return [] }
        let skip = Self.skipping(whereFree)
        // Of a match neither the one nor the other ever becomes another.
        let answers = try await transaction.pipeline([
            """
            SELECT \(OfferedAvailability.columns) FROM availabilities
            WHERE id IN (SELECT availability FROM matches WHERE id = ANY(\(ids))) ORDER BY id FOR NO KEY UPDATE \(skip)
            """,
            """
            SELECT \(PlacedOrder.columns) FROM orders
            WHERE id IN (SELECT "order" FROM matches WHERE id = ANY(\(ids))) ORDER BY id FOR NO KEY UPDATE \(skip)
            """,
            "SELECT \(MatchAgreement.columns) FROM matches WHERE id = ANY(\(ids)) ORDER BY id FOR NO KEY UPDATE \(skip)",
        ])
        let availabilities = try answers[0].map(OfferedAvailability.init)
        let orders = try answers[1].map { try PlacedOrder($0, words) }
        return try answers[2].map { try MatchAgreement($0, words) }.compactMap { match in
            guard let availability = availabilities.first(where: { $0.id == match.availability }),
                let order = orders.first(where: { $0.id == match.order })
            else { return nil }
            return LockedMatch(match: match, order: order, availability: availability)
        }
    }

    /// What somebody offers now; nil where nothing.
    func lockedAvailability(of person: PersonID) async throws -> OfferedAvailability? {
        try await transaction.query(OfferedAvailability.selection(of: person) + " FOR NO KEY UPDATE")
            .first.map(OfferedAvailability.init)
    }

    /// - Returns: in the order of their ids.
    func lockedAvailabilities(
        _ ids: [AvailabilityID], whereFree: Bool = false
    ) async throws -> [OfferedAvailability] {
        if ids.isEmpty { return [] }
        return try await transaction.query(
            """
            SELECT \(OfferedAvailability.columns) FROM availabilities
            WHERE id = ANY(\(ids)) ORDER BY id FOR NO KEY UPDATE \(Self.skipping(whereFree))
            """
        ).map(OfferedAvailability.init)
    }

    /// What is offered to somebody, or in their hands; their availability is locked before.
    func lockedMatches(with availability: OfferedAvailability) async throws -> [LockedMatch] {
        let id = availability.id
        let answers = try await transaction.pipeline([
            """
            SELECT \(PlacedOrder.columns) FROM orders
            WHERE id IN (SELECT "order" FROM matches WHERE availability = \(id) AND \(MatchAgreement.isHeld))
            ORDER BY id FOR NO KEY UPDATE
            """,
            MatchAgreement.selection(heldBy: id) + " FOR NO KEY UPDATE",
        ])
        let orders = try answers[0].map { try PlacedOrder($0, words) }
        return try answers[1].map { try MatchAgreement($0, words) }.compactMap { match in
            orders.first { $0.id == match.order }.map {
                LockedMatch(match: match, order: $0, availability: availability)
            }
        }
    }

    /// The same of several, only locked.
    func lockMatches(with availabilities: [AvailabilityID]) async throws {
        if availabilities.isEmpty { return }
        let held: SQLQuery = "availability = ANY(\(availabilities)) AND \(MatchAgreement.isHeld)"
        try await transaction.pipeline([
            """
            SELECT id FROM orders WHERE id = ANY(ARRAY(SELECT "order" FROM matches WHERE \(held)))
            ORDER BY id FOR NO KEY UPDATE
            """,
            "SELECT id FROM matches WHERE \(held) ORDER BY id FOR NO KEY UPDATE",
        ])
    }

    /// - Parameters:
    ///   - named: who else is asked for by name, and so locked before.
    ///   - whereFree: those alone that nobody else is at, and nobody is waited for.
    /// - Returns: in the order of their ids.
    func lockedOrders(
        _ ids: [OrderID], naming named: [AvailabilityID] = [], whereFree: Bool = false
    ) async throws -> [LockedOrder] {
        if ids.isEmpty { return [] }
        let skip = Self.skipping(whereFree)
        let answers = try await transaction.pipeline([
            """
            SELECT \(OfferedAvailability.columns) FROM availabilities
            WHERE id = ANY(\(named) || ARRAY(SELECT availability FROM matches WHERE "order" = ANY(\(ids)) AND \(MatchAgreement.isHeld))
                || ARRAY(SELECT asked FROM orders WHERE id = ANY(\(ids)) AND asked IS NOT NULL AND \(PlacedOrder.isOpen)))
            ORDER BY id FOR NO KEY UPDATE \(skip)
            """,
            "SELECT \(PlacedOrder.columns) FROM orders WHERE id = ANY(\(ids)) ORDER BY id FOR NO KEY UPDATE \(skip)",
            // Whoever writes one holds its order.
            MatchAgreement.selection(of: ids) + (whereFree ? "" : " FOR NO KEY UPDATE"),
        ])
        let availabilities = try answers[0].map(OfferedAvailability.init)
        let matches = try answers[2].map { try MatchAgreement($0, words) }
        let orders = try answers[1].map { row in
            let order = try PlacedOrder(row, words)
            return LockedOrder(
                order: order, matches: matches.filter { $0.order == order.id }, availabilities: availabilities)
        }
        let whole = orders.filter(\.isWhole)
        // Somebody else was asked between the first look and the last: once more, from the beginning.
        guard whereFree || whole.count == orders.count else { throw PostgresError.meanwhile }
        return whole
    }

    /// Those of a person that are not over.
    func lockedOrders(of person: PersonID) async throws -> [LockedOrder] {
        let ids: [OrderID] = try await transaction.query(
            "SELECT id FROM orders WHERE orderer = \(person) AND \(PlacedOrder.isOpen)"
        ).map { try $0.get("id") }
        return try await lockedOrders(ids)
    }

    private static func skipping(_ whereFree: Bool) -> SQLQuery { whereFree ? "SKIP LOCKED" : "" }
}

extension PostgresError {
    /// What was to be locked became another while it was waited for: the transaction is tried again.
    static let meanwhile = PostgresError(
        .server, sqlState: SQLState.serializationFailure, debugDetail: "somebody else was asked meanwhile")
}
