import WireProtocol

extension WayMap {
    /// Of a delivery, from the restaurant to where it is brought, and for its deliverer on to where they go: `matchmap.js` draws it.
    init(of match: DeliveryMatch, in visit: Visit) async {
        let places = [match.restaurant, match.dropOff] + (match.role == .deliverer ? [match.destination] : [])
        var points: [Position] = []
        for place in places where points.last != place.position { points.append(place.position) }
        await self.init("match-map", through: points, .walking, of: match.title, in: visit)
    }
}
