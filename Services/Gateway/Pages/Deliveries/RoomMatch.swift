import WireProtocol

/// In a chat about a delivery: how it stands, and how to call the other one (`matches/room`).
struct RoomMatch {
    var href: String
    var state: String
    var said: TimedSentence
    var phone: String?
    var callLabel: String

    /// Nil where it is about something else, or matching is away.
    init?(of room: Room, in visit: Visit) async {
        guard let id = room.subject.id(of: DeliveryMatch.self),
            let match = try? await visit.ask(MatchingMethods.match, MatchReference(id: id), Nothing(), within: 2)
        else { return nil }
        (href, state, said) = (match.path, match.stateText(in: visit.words), match.said(in: visit))
        phone = await MatchPage.contact(of: match, visit)
        callLabel = visit.words["rentals.call", ["name": room.with.name]]
    }
}
