import WireProtocol

/// In a chat about a thing: the agreement that runs between the two, and how to call the other one (`messages/rental`).
struct RoomRental {
    var href: String
    var state: String
    var period: String
    var phone: String?
    var callLabel: String

    /// Nil where none runs, or listings is away.
    init?(of room: Room, in visit: Visit) async {
        guard room.subject.kind == .thing else { return nil }
        let query = RentalQuery(thing: ThingID(room.subject.id.uuid), limit: 50)
        guard let found = try? await visit.ask(ListingsMethods.rentals, query, Nothing(), within: 2).items,
            let rental = found.first(where: { $0.isRunning && $0.other.id == room.with.id })
        else { return nil }
        href = "/rentals/\(rental.id)"
        state = rental.stateText(in: visit.words)
        period = rental.period(in: visit.words)
        phone = await RentalPage.contact(of: rental, visit)
        callLabel = visit.words["rentals.call", ["name": room.with.name]]
    }
}
