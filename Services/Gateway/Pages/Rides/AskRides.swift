import WireProtocol

/// The ride that is asked for, with what can be asked for along with it.
struct AskRides {
    /// Other days that can be asked for at once.
    static let mostDays = 8

    var ride: Ride
    /// The other one of outward and return.
    var other: Ride?
    /// The next days of the same commute on which there is room.
    var days: [Ride] = []

    /// Both have room: nobody waits for both.
    var mayAskBoth: Bool { ride.action == .ask && other?.action == .ask }

    /// The page does without what is not known just now.
    static func asked(_ visit: Visit) async throws -> AskRides {
        let ride = try await AskPage.ride(visit)
        async let other = other(of: ride, visit)
        async let days = visit.isFragment ? [] : days(of: ride, visit)
        return AskRides(ride: ride, other: await other, days: await days)
    }

    private static func other(of ride: Ride, _ visit: Visit) async -> Ride? {
        guard let other = ride.other, other.state == .open, !ride.mine else { return nil }
        return try? await visit.ask(RidesMethods.ride, RideReference(id: other.id), Nothing(), within: 2)
    }

    private static func days(of ride: Ride, _ visit: Visit) async -> [Ride] {
        guard ride.action == .ask, let found = await ride.nextOfSeries(visit) else { return [] }
        return Array(found.filter { $0.action == .ask }.prefix(mostDays))
    }
}

extension Ride {
    /// Rides of the same series that go the same way, the soonest first, without this one; nil where it is of none, or they are not known now.
    func nextOfSeries(_ visit: Visit) async -> [Ride]? {
        guard let series else { return nil }
        let query = RideQuery(series: series, limit: 60)
        let found = try? await visit.ask(RidesMethods.rides, query, Nothing(), within: 2)
        return found?.items.filter { $0.id != id && $0.from == from && $0.to == to }
    }
}
