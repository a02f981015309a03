import FoundationEssentials
import WireProtocol

extension MessageButton {
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
}
