import FoundationEssentials
import WireProtocol

/// In a chat about a thing: the agreement that runs between the two, and how to call the other one (`rentals/room`).
struct RoomRental {
    var href: String
    var state: String
    var period: String
    var phone: String?
    var callLabel: String

    /// Nil where none runs, or listings is away.
    init?(of room: Room, in visit: Visit) async {
        let thing = ThingID(room.subject.id.uuid)
        async let inHand = visit.rentals(RentalQuery(stage: .inHand, thing: thing), within: 2)
        async let upcoming = visit.rentals(RentalQuery(stage: .upcoming, thing: thing), within: 2)
        // What one of the two has comes before what is but agreed, and of that what begins first.
        guard let found = try? await inHand + upcoming.sorted(by: { $0.startsAt < $1.startsAt }),
            let rental = found.first(where: { $0.other.id == room.with.id })
        else { return nil }
        href = "/rentals/\(rental.id)"
        state = rental.stateText(in: visit.words)
        period = rental.period(in: visit.words)
        phone = await RentalPage.contact(of: rental, visit)
        callLabel = visit.words["rentals.call", ["name": room.with.name]]
    }
}
