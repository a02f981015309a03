import WireProtocol

/// The way of a ride, from stop to stop, with how many seats are free between them (`rides/stops`, `rides/parts`).
struct RideWayView {
    struct Stop {
        var time: String
        var name: String
        /// The door, for those who may know it.
        var address: String?
        var region: String?
    }

    /// From one stop to the next.
    struct Part {
        var from: String
        var to: String
        var seats: RideSeats
        /// Of one seat on it; nil where there is but one part, whose cost is that of the ride.
        var cost: String?
    }

    var stops: [Stop]
    var parts: [Part]
    /// What stands below the times where they are those of the earlier of two.
    var window: String?

    init(_ ride: Ride, in words: Words) {
        let clock = RideClock(ride.zone, in: words)
        stops = ride.stops.map { stop in
            Stop(
                time: clock.time(stop.time, after: ride.departsAt), name: stop.name, address: stop.address,
                region: stop.region)
        }
        // How full it was says nothing once it has left.
        let free = ride.state == .open ? ride.free : []
        parts = zip(zip(ride.stops, ride.stops.dropFirst()), free).map { ends, free in
            Part(
                from: ends.0.name, to: ends.1.name, seats: RideSeats(free: free, in: words),
                cost: ride.stops.count > 2 ? ride.cost(from: ends.0, to: ends.1).priceText(in: words) : nil)
        }
        window = ride.leavesBy.map { until in
            words["rides.window", ["times": clock.times(ride.departsAt, until)]]
        }
    }
}

extension Ride {
    /// What one seat costs on a part of the way: its share of the metres, rounded half up.
    func cost(from: RideStop, to: RideStop) -> Money? {
        guard let cost, length > 0 else { return nil }
        let (metres, whole) = (max(0, to.at - from.at), length)
        return Money(amount: (2 * cost.amount * metres + whole) / (2 * whole), currency: cost.currency)
    }
}
