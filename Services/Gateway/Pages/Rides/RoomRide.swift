import WireProtocol

/// In a chat about a ride: the request for seats that runs between the two, and how to call the other one (`rides/room`).
struct RoomRide {
    var href: String
    var state: String
    /// By the ride's clocks, which it names.
    var when: String
    var both: String?
    var phone: String?
    var callLabel: String

    /// Nil where none runs, or rides is away.
    init?(of room: Room, in visit: Visit) async {
        let (ride, words) = (RideID(room.subject.id.uuid), visit.words)
        let query = SeatRequestQuery(ride: ride, limit: 100)
        guard let found = try? await visit.ask(RidesMethods.requests, query, Nothing(), within: 2),
            let request = found.items.first(where: { $0.other.id == room.with.id && !$0.state.isOver })
        else { return nil }
        href = request.path
        state = request.stateText(in: words)
        let time = RideClock(request.ride.zone, in: words).moment(request.boarding.time)
        when = words["seats.at", ["time": time, "zone": CivilText.city(of: request.ride.zone)]]
        both = request.isOfBothWays ? words["seats.both.orNone"] : nil
        phone = await SeatPage.contact(of: request, visit)
        callLabel = words["rentals.call", ["name": room.with.name]]
    }
}
