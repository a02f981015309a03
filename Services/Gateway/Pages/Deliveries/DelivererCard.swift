import WireProtocol

/// Somebody who can bring something, in a list of what was found (`deliveries/deliverer-card`). Its heading is an `h3`.
struct DelivererCard {
    var href: String
    var restaurant: String
    var deliverer: DelivererRow

    /// Nil where Places does not know the restaurant: nothing can be ordered from there.
    /// - Parameters:
    ///   - query: what has found them: where it is wanted goes along.
    ///   - names: what points are called, as far as anybody knows.
    init?(_ found: DelivererFound, of query: WantedQuery, named names: [Position: String], in visit: Visit) {
        guard let place = found.restaurant.place else { return nil }
        let dropOff = query.deliverers?.to.map { PlaceChoice(position: $0, label: names[$0] ?? $0.shown) }
        href = RestaurantPage.path(of: place, to: dropOff, found: found.deliverer.id)
        restaurant = found.restaurant.name
        deliverer = DelivererRow(found.deliverer, of: place, to: dropOff, in: visit)
    }
}
