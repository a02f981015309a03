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
}

extension PlacedOrder {
    /// Whether somebody may still be asked.
    func isLookedFor(at now: Date) -> Bool { state != .matched && !state.isOver && now < waitsUntil }
}
