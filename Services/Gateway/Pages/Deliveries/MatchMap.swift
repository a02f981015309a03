import WireProtocol

extension WayMap {
    /// Of a delivery, from the restaurant to where it is brought, and for its deliverer on to where they go: `matchmap.js` draws it.
    init(of match: DeliveryMatch, in visit: Visit) async {
        let places = [match.restaurant, match.dropOff] + (match.role == .deliverer ? [match.destination] : [])
        await self.init(through: places, of: match.title, in: visit)
    }

    /// Of all that somebody carries, from the restaurant by each drop-off, in this order, to where they go.
    init(of own: Availability, bringing carried: [DeliveryMatch], in visit: Visit) async {
        let places = [own.restaurant] + carried.map(\.dropOff) + [own.dropOff]
        await self.init(through: places, of: "\(own.restaurant.name) → \(own.dropOff.name)", in: visit)
    }

    private init(through places: [DeliveryPlace], of title: String, in visit: Visit) async {
        var points: [Position] = []
        for place in places where points.last != place.position { points.append(place.position) }
        await self.init("match-map", through: points, .walking, of: title, in: visit)
    }
}
