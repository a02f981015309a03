package import FoundationEssentials
package import WireProtocol

/// A restaurant or a building, and where it is.
package struct Stop: Hashable, Sendable {
    package var id: PlaceID
    package var position: Position

    package init(id: PlaceID, position: Position) { (self.id, self.position) = (id, position) }
}

/// What somebody wants brought, as far as it matters for who could bring it.
package struct WaitingOrder: Hashable, Sendable {
    package typealias ID = WireProtocol.ID<WaitingOrder>

    /// Where it may come from.
    package enum Restaurants: Hashable, Sendable {
        case anyOf([PlaceID])
        /// Within so many metres in a straight line, `widest` at most.
        case around(Position, metres: Double)

        /// Metres.
        package static let widest = 1000.0
    }

    package var id: ID
    package var person: PersonID
    package var restaurants: Restaurants
    package var building: Stop
    /// What is paid for bringing it, in minor units.
    package var fee: Int
    /// Where campuses are kept apart, the orderer's.
    package var campus: String?
    package var placedAt: Date
    package var waitsUntil: Date
    /// The only one who is asked, until they decline or leave.
    package var asks: FreeDeliverer.ID?
    /// Whether others are asked after that.
    package var rollsOn: Bool

    package init(
        id: ID, person: PersonID, restaurants: Restaurants, building: Stop, fee: Int = 0, campus: String? = nil,
        placedAt: Date, waitsUntil: Date, asks: FreeDeliverer.ID? = nil, rollsOn: Bool = true
    ) {
        (self.id, self.person, self.restaurants, self.building) = (id, person, restaurants, building)
        (self.fee, self.campus, self.placedAt, self.waitsUntil) = (fee, campus, placedAt, waitsUntil)
        (self.asks, self.rollsOn) = (asks, rollsOn)
    }
}

/// Somebody who is at a restaurant, goes to a building, and can carry something.
package struct FreeDeliverer: Hashable, Sendable {
    /// Of the availability, not of the person.
    package typealias ID = WireProtocol.ID<FreeDeliverer>

    package var id: ID
    package var person: PersonID
    package var restaurant: Stop
    package var building: Stop
    /// Metres along streets from the restaurant to the building.
    package var trip: Double
    /// Metres of way that they would go in addition; 0 for their own building only.
    package var detour: Double
    /// In minor units.
    package var leastFee: Int
    package var campus: String?
    package var until: Date
    package var capacity: Int
    /// Open offers and goods in hand.
    package var taken: Int
    /// Where the goods in hand go.
    package var carries: [PlaceID]

    package init(
        id: ID, person: PersonID, restaurant: Stop, building: Stop, trip: Double, detour: Double,
        leastFee: Int = 0, campus: String? = nil, until: Date, capacity: Int, taken: Int = 0, carries: [PlaceID] = []
    ) {
        (self.id, self.person, self.restaurant, self.building) = (id, person, restaurant, building)
        (self.trip, self.detour, self.leastFee, self.campus) = (trip, detour, leastFee, campus)
        (self.until, self.capacity, self.taken, self.carries) = (until, capacity, taken, carries)
    }
}

/// Somebody who was asked for an order and does not bring it; nobody is asked twice.
package struct Decline: Hashable, Sendable {
    package var order: WaitingOrder.ID
    package var person: PersonID

    package init(order: WaitingOrder.ID, person: PersonID) { (self.order, self.person) = (order, person) }
}

/// The way on foot between two places, which is as long there as back.
package struct Hop: Hashable, Sendable {
    package let one: PlaceID
    package let other: PlaceID

    package init(_ one: PlaceID, _ other: PlaceID) {
        (self.one, self.other) = one < other ? (one, other) : (other, one)
    }
}
