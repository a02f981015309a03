import WireProtocol

/// Where and when somebody gets in and out, for how many, and what it costs (`rides/seat-facts`).
struct SeatFacts {
    struct Point {
        var time: String
        var name: String
        /// The door; nil where the reader may not know it.
        var address: String?
    }

    var boarding: Point
    var leaving: Point
    var seats: String
    /// The names of others for whom the seats are.
    var riders: String?
    var cost: String
    var detour: String?
    /// How many wait before them.
    var place: String?
    var zone: RideZone

    init(_ request: SeatRequest, in visit: Visit) {
        let (words, clock) = (visit.words, RideClock(request.ride.zone, in: visit.words))
        boarding = Point(
            time: clock.moment(request.boarding.time), name: request.boarding.name, address: request.boarding.address)
        leaving = Point(
            time: clock.time(request.leaving.time, after: request.boarding.time), name: request.leaving.name,
            address: request.leaving.address)
        seats = words["seats.number", count: request.seats]
        let names = request.riders.joined(separator: ", ")
        riders = names.isEmpty ? nil : names
        cost = request.cost.priceText(in: words)
        detour =
            request.detour == 0 ? nil : words["seats.detour", ["way": Distance.reach(request.detour, in: words)]]
        place = request.place(in: words)
        zone = RideZone(request.ride.zone, at: request.boarding.time, in: visit)
    }
}
