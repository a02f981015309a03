import WireProtocol

/// A restaurant from which somebody can bring something now: in the list of the home (`deliveries/restaurant-row`), and as a card (`deliveries/restaurant-card`).
struct RestaurantRow {
    var id: String
    var href: String
    var name: String
    /// `2 people · to Exactum and Physicum`
    var said: String
    /// Until when the last of them is there.
    var until: Moment
    var distance: String?

    /// Nil of one that Places does not know: nothing can be ordered from there.
    /// - Parameter dropOff: where it is wanted, which goes along.
    init?(_ found: DeliveryRestaurant, to dropOff: PlaceChoice?, in visit: Visit) {
        guard let place = found.restaurant.place else { return nil }
        let words = visit.words
        id = place.description
        href = RestaurantPage.path(of: place, to: dropOff)
        name = found.restaurant.name
        let people = words["deliveries.people", count: found.deliverers]
        let names = words.list(found.dropOffs)
        said =
            names.isEmpty
            ? people : words["deliveries.peopleTo", ["people": people, "places": names]]
        until = visit.moment(found.until, .clock)
        distance = found.distance.map { Distance.text($0, in: words) }
    }
}
