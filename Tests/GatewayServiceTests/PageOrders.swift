import FoundationEssentials
import WireProtocol

@testable import GatewayService

/// Orders of whoever asks, and who is there to bring something, as the matching service shows them. What is ordered is there from then on.
struct PageOrders: Sendable {
    let door: PageDoor
    let orders = Mutable<[DeliveryOrder]>([])
    let restaurants = Mutable<[DeliveryRestaurant]>([])
    let deliverers = Mutable<[Deliverer]>([])

    init(at door: PageDoor) {
        self.door = door
        door.knowPlaces()
        playQueries()
        playCommands()
    }

    /// From now on there is this one.
    @discardableResult
    func add(_ state: OrderState = .waiting, _ change: (inout DeliveryOrder) -> Void = { _ in }) -> DeliveryOrder {
        let order = DeliveryOrder.sample(state, change)
        orders.mutate { $0.append(order) }
        return order
    }

    func change(_ id: OrderID, _ change: (inout DeliveryOrder) -> Void) {
        orders.mutate { all in
            for index in all.indices where all[index].id == id { change(&all[index]) }
        }
    }

    private func order(_ id: OrderID) throws -> DeliveryOrder {
        guard let found = orders.value.first(where: { $0.id == id }) else { throw ServiceError.notFound("order") }
        return found
    }

    private func playQueries() {
        let services = door.services
        services.on(MatchingMethods.restaurants) { _ in Page(items: restaurants.value) }
        services.on(MatchingMethods.deliverers) { _ in Page(items: deliverers.value) }
        services.on(MatchingMethods.order) { try order($0.parameters.id) }
        services.on(MatchingMethods.orders) { request in
            let isOver = request.parameters.isOver ?? false
            return Page(items: orders.value.filter { $0.isOver == isOver })
        }
    }

    private func playCommands() {
        let services = door.services
        services.on(MatchingMethods.placeOrder) { _ in add() }
        services.on(MatchingMethods.changeOrder) { try order($0.parameters.id) }
        services.on(MatchingMethods.cancelOrder) { request in
            guard try order(request.parameters.id).possible.contains(.cancel) else {
                throw ServiceError(.wrongState, "Not now.")
            }
            change(request.parameters.id) { ($0.state, $0.possible) = (.cancelled, []) }
            return Nothing()
        }
        services.on(MatchingMethods.askNext) { request in
            change(request.parameters.id) { ($0.state, $0.possible) = (.waiting, [.change, .cancel]) }
            return try order(request.parameters.id)
        }
    }
}

extension DeliveryOrder {
    /// Soup from a café to a building.
    static func sample(_ state: OrderState = .waiting, _ change: (inout DeliveryOrder) -> Void = { _ in }) -> Self {
        var order = DeliveryOrder(
            id: .new(), state: state, from: [OrderedFrom(restaurant: .ursula, items: "Two soups <b>")],
            dropOff: .exactum, door: "Room <b>123</b>",
            terms: OrderTerms(
                fee: Money(amount: 200, currency: "EUR"), limit: Money(amount: 1200, currency: "EUR"), paidBy: .cash),
            rollsOn: false, placedAt: Date() - 120, waitsUntil: Date() + 3600,
            possible: [.waiting, .asking, .offered].contains(state) ? [.change, .cancel] : [])
        if state == .asking { order.possible.append(.ask) }
        change(&order)
        return order
    }
}

extension DeliveryRestaurant {
    static func sample(_ change: (inout DeliveryRestaurant) -> Void = { _ in }) -> Self {
        var restaurant = DeliveryRestaurant(
            restaurant: .ursula, deliverers: 2, dropOffs: ["Exactum", "Physicum"], until: Date() + 1200)
        change(&restaurant)
        return restaurant
    }
}

extension Deliverer {
    static func sample(_ name: String = "Ana", _ change: (inout Deliverer) -> Void = { _ in }) -> Self {
        var deliverer = Deliverer(
            id: .new(), person: PersonSummary(id: .new(), name: name), dropOff: .physicum, free: 2,
            until: Date() + 1200)
        change(&deliverer)
        return deliverer
    }
}
