import WireProtocol

extension WayMap {
    /// Of a ride: `ridemap.js` draws it.
    init(of ride: Ride, in visit: Visit) async {
        await self.init(
            "ride-map", through: ride.stops.map(\.position), .driving, of: ride.title(in: visit.words), in: visit)
    }
}
