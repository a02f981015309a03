import WireProtocol

/// The way from a page to a chat about what it shows, as `messages/button`.
struct MessageButton {
    var kind: String
    var subject: String
    var with: String
    var label: String

    private init(_ kind: RoomSubjectKind, _ subject: String, _ person: PersonSummary, in words: Words) {
        self.kind = kind.rawValue
        self.subject = subject
        with = person.id.description
        label = words["messages.to", ["name": person.name]]
    }

    /// To whoever shares the spot; from them, to who has claimed it.
    static func about(_ spot: Spot, in visit: Visit) -> MessageButton? {
        guard visit.isSignedIn, spot.hidden == nil, spot.state == .free || spot.state == .claimed,
            let other = spot.mine ? spot.claim?.by : spot.postedBy, other.name != PersonSummary.nameOfUnknown
        else { return nil }
        return MessageButton(.spot, spot.id.description, other, in: visit.words)
    }

    /// To whoever lets it.
    static func about(_ thing: Thing, in visit: Visit) -> MessageButton? {
        guard visit.isSignedIn, !thing.mine, thing.hidden == nil, thing.state == .listed,
            thing.owner.name != PersonSummary.nameOfUnknown
        else { return nil }
        return MessageButton(.thing, thing.id.description, thing.owner, in: visit.words)
    }

    /// To the other one of an agreement.
    static func about(_ rental: Rental, in visit: Visit) -> MessageButton? {
        guard rental.role != nil, rental.other.name != PersonSummary.nameOfUnknown else { return nil }
        return MessageButton(.thing, rental.thing.id.description, rental.other, in: visit.words)
    }

    static func to(_ person: Person, in visit: Visit) -> MessageButton {
        MessageButton(.person, person.id.description, person.summary, in: visit.words)
    }
}
