import WireProtocol

extension MessageButton {
    /// To whoever shares the spot; from them, to who has claimed it. Nobody opens a chat about one that the two are through with, which they
    /// alone are told: then the chat is about nothing else than these two.
    static func about(_ spot: Spot, in visit: Visit) -> MessageButton? {
        guard visit.isSignedIn, spot.hidden == nil, spot.state == .free || spot.state == .claimed,
            let other = spot.mine ? spot.claim?.by : spot.postedBy, other.name != PersonSummary.nameOfUnknown
        else { return nil }
        let isOpen = spot.state == .free || spot.claim.map { $0.parkedAt == nil } ?? false
        return isOpen ? MessageButton(.spot, spot.id.description, other, in: visit.words) : to(other, in: visit)
    }
}
