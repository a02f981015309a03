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

    /// How many are looked at to say how many could bring an order.
    private static let mostLookedAt = 100

    /// Those that are there with a free hand, where an order may come from, and whom its orderer may meet.
    static func selection(for order: PlacedOrder, at now: Date, _ campuses: CampusSeparation) -> SQLQuery {
        let orderer = order.orderer
        let wanted = order.from.map(\.restaurant.id)
        let isThere: SQLQuery = order.around == nil ? "AND restaurant = ANY(\(wanted))" : ""
        return """
            SELECT \(columns) FROM availabilities
            WHERE area = ANY(\(order.areas)) AND state = 'available' AND taken < capacity \(isThere)
                AND until > \(now) AND person <> \(orderer)
                AND \(BlockProjection.isTogether("person", with: orderer)) \(campuses.condition("campus", isOf: orderer))
                AND NOT \(SuspensionProjection.isSuspendedHere("person", at: now))
            ORDER BY id LIMIT \(unescaped: "\(mostLookedAt)")
            """
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

    /// Between which ways are measured where some could bring it.
    func places(with availabilities: [OfferedAvailability]) -> [DeliveryPlace] {
        [dropOff] + availabilities.flatMap { [$0.restaurant.shown, $0.dropOff] }
    }
}
