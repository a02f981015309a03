import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The way from a page to a chat about what it shows, as `messages/button`.
struct MessageButton {
    var kind: String
    var subject: String
    var with: String
    var label: String

    private init(_ kind: SubjectKind, _ subject: String, _ person: PersonSummary, in words: Words) {
        self.kind = kind.rawValue
        self.subject = subject
        with = person.id.description
        label = words["messages.to", ["name": person.name]]
    }

    /// To whoever shares the spot; from them, to who has claimed it. Nobody opens a chat about one that the two are through with, which they
    /// alone are told: then the chat is about nothing else than these two.
    static func about(_ spot: Spot, in visit: Visit) -> MessageButton? {
        guard visit.isSignedIn, spot.hidden == nil, spot.state == .free || spot.state == .claimed,
            let other = spot.mine ? spot.claim?.by : spot.postedBy, other.name != PersonSummary.nameOfUnknown
        else { return nil }
        let isOpen = spot.state == .free || spot.claim.map { $0.parkedAt == nil } ?? false
        return isOpen ? MessageButton(.spot, spot.id.description, other, in: visit.words) : to(other, in: visit)
    }

    /// To whoever lets it.
    static func about(_ thing: Thing, in visit: Visit) -> MessageButton? {
        guard visit.isSignedIn, !thing.mine, thing.hidden == nil, thing.state == .listed,
            thing.owner.name != PersonSummary.nameOfUnknown
        else { return nil }
        return MessageButton(.thing, thing.id.description, thing.owner, in: visit.words)
    }

    /// To the other one of an agreement; about nothing else than the two where they may open no chat about it any more.
    static func about(_ rental: Rental, in visit: Visit) -> MessageButton? {
        guard rental.role != nil, rental.other.name != PersonSummary.nameOfUnknown else { return nil }
        guard rental.talk.goesOn(at: Date()) else { return to(rental.other, in: visit) }
        return MessageButton(.thing, rental.thing.id.description, rental.other, in: visit.words)
    }

    static func to(_ person: Person, in visit: Visit) -> MessageButton { to(person.summary, in: visit) }

    private static func to(_ person: PersonSummary, in visit: Visit) -> MessageButton {
        MessageButton(.person, person.id.description, person, in: visit.words)
    }
}
