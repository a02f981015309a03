import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

// Statements that the store and its transactions have in common.

extension OfferedAvailability {
    /// What somebody offers now.
    static func selection(of person: PersonID) -> SQLQuery {
        "SELECT \(columns) FROM availabilities WHERE person = \(person) AND state <> 'ended'"
    }
}

extension MatchAgreement {
    /// All of some orders, the earliest first.
    static func selection(of orders: [OrderID]) -> SQLQuery {
        "SELECT \(columns) FROM matches WHERE \"order\" = ANY(\(orders)) ORDER BY id"
    }

    /// What is offered to them, or in their hands.
    static func selection(heldBy availability: AvailabilityID) -> SQLQuery {
        "SELECT \(columns) FROM matches WHERE availability = \(availability) AND \(isHeld) ORDER BY id"
    }

    /// What somebody has dropped of what they offered to bring along: after it began, so that no older past of theirs is read.
    fileprivate static func selection(droppedFor availability: OfferedAvailability) -> SQLQuery {
        """
        SELECT \(columns) FROM matches
        WHERE deliverer = \(availability.deliverer) AND id > \(MatchID(availability.id.uuid))
            AND availability = \(availability.id) AND state IN ('delivered', 'received', 'completed')
        ORDER BY id
        """
    }
}

extension HeldDeliveries {
    /// - Parameter read: in a transaction, or for itself.
    fileprivate init(
        of availability: OfferedAvailability, _ words: SealedWords, read: (SQLQuery) async throws -> PostgresRows
    ) async throws {
        func matches(_ statement: SQLQuery) async throws -> [MatchAgreement] {
            try await read(statement).map { try MatchAgreement($0, words) }
        }
        self.init(matches: try await matches(MatchAgreement.selection(heldBy: availability.id)))
        let carried = self.matches.filter(\.isUnderWay)
        guard carried.count > 1 else { return }
        dropped = try await matches(MatchAgreement.selection(droppedFor: availability))
        let places = Self.places(carried + dropped, of: availability)
        ways = try KnownWays(try await read(KnownWays.selection(of: KnownWays.hops(among: places))))
    }
}

extension DeliveryStore {
    func deliveries(of availability: OfferedAvailability) async throws -> HeldDeliveries {
        try await HeldDeliveries(of: availability, words) { try await database.read($0) }
    }
}

extension DeliveryTransaction {
    func deliveries(of availability: OfferedAvailability) async throws -> HeldDeliveries {
        try await HeldDeliveries(of: availability, words) { try await transaction.query($0) }
    }
}

extension PlacedOrder {
    /// Whether somebody may still be asked.
    func isLookedFor(at now: Date) -> Bool { state != .matched && !state.isOver && now < waitsUntil }
}
