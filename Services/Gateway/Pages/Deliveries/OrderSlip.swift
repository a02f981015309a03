import WireProtocol

/// What is wanted, from where to where, and what is paid (`deliveries/slip`).
struct OrderSlip {
    struct Source {
        var restaurant: String
        var href: String?
        var items: String
    }

    var sources: [Source]
    /// Restaurants of a circle, which all have the same items.
    var around: String?
    var aroundItems: String?
    var aroundNames: String?
    var to: String
    var door: String?
    var fee: String
    var limit: String?
    var paid: String
    var rollsOn: String?
    var until: Moment?

    init(_ order: DeliveryOrder, in visit: Visit) {
        let words = visit.words
        sources =
            order.around == nil
            ? order.from.map {
                Source(
                    restaurant: $0.restaurant.name, href: $0.restaurant.place.map { RestaurantPage.path(of: $0) },
                    items: $0.items)
            } : []
        if let circle = order.around {
            around = words["orders.anyWithin", ["distance": Distance.reach(circle.radius, in: words)]]
            aroundItems = circle.items
            let names = order.from.map(\.restaurant.name)
            aroundNames = names.isEmpty ? nil : names.joined(separator: ", ")
        }
        to = order.dropOff.name
        door = order.door
        fee = order.terms.fee.priceText(in: words)
        limit = order.terms.limit.map { Price.text($0, in: words) }
        paid = words["orders.paid.\(order.terms.isPrepaid ? "prepaid" : order.terms.paidBy.rawValue)"]
        let asksOne = order.rollsOn && order.isOpen
        rollsOn = asksOne ? words["orders.rollsOn"] : nil
        until = order.isOpen ? visit.moment(order.waitsUntil, .clock) : nil
    }
}
