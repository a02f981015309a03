import FoundationEssentials
import WireProtocol

// Rides, as the rides service shows them to whoever asks.
extension Ride {
    /// A Friday evening in Helsinki.
    static let evening = WireJSON.date(from: "2999-03-08T15:00:00Z")!

    /// Somebody's way from Testholm by Millbridge to Harbour, as everybody sees it.
    static func sample(
        by driver: PersonSummary = PersonSummary(id: .new(), name: "Maya"), _ change: (inout Ride) -> Void = { _ in }
    ) -> Ride {
        let stops = [("Testholm", 0, 0.0), ("Millbridge", 30_000, 1800.0), ("Harbour", 120_000, 7200.0)]
        var ride = Ride(
            id: .new(), state: .open, driver: driver,
            stops: stops.map { name, metres, seconds in
                RideStop(
                    name: name, position: Position(latitude: 60.1725, longitude: 24.9525), isExact: false,
                    at: metres, time: evening + seconds)
            },
            departsAt: evening, arrivesAt: evening + 7200, zone: "Europe/Helsinki", seats: 3, free: [0, 2],
            cost: Money(amount: 1200, currency: "EUR"), length: 120_000, maxDetour: 5000, detourLeft: 5000,
            luggage: .small, accepts: .nobody, postedAt: Date(), mine: false, action: .ask)
        change(&ride)
        return ride
    }
}

extension SeatRequest {
    /// Somebody who asks for a seat all the way.
    static func sample(
        in ride: Ride, by rider: PersonSummary, _ state: SeatState = .pending,
        _ change: (inout SeatRequest) -> Void = { _ in }
    ) -> SeatRequest {
        func point(_ number: Int) -> SeatPoint {
            let stop = ride.stops[number]
            return SeatPoint(
                name: stop.name, position: stop.position, isExact: false, stop: number, at: stop.at, time: stop.time)
        }
        var request = SeatRequest(
            id: .new(),
            ride: RequestedRide(
                id: ride.id, state: ride.state, from: ride.stops[0].name, to: ride.stops[ride.stops.count - 1].name,
                departsAt: ride.departsAt, arrivesAt: ride.arrivesAt, zone: ride.zone),
            driver: ride.driver, rider: rider, role: .driver, state: state, seats: 1, boarding: point(0),
            leaving: point(ride.stops.count - 1), cost: ride.cost, askedAt: Date(), changedAt: Date())
        change(&request)
        return request
    }
}

extension PageDoor {
    /// From now on there is this ride; who drives it sees it as its driver does.
    func show(_ ride: Ride) {
        services.on(RidesMethods.ride) { request in
            guard request.parameters.id == ride.id else { throw ServiceError.notFound("ride") }
            var seen = ride
            seen.mine = request.caller.person == ride.driver.id
            if seen.mine { seen.action = .own } else { seen.possible = [] }
            return seen
        }
    }
}
