import WireProtocol

extension SpotsVertical {
    /// A spot that one has claimed, or one of one's own that is free or was just taken.
    func row(of item: WaitingItem, at page: String, in visit: Visit) -> HomePage.Waiting? {
        let words = visit.words
        switch item.kind {
        case .claimed:
            return HomePage.Waiting(
                href: page, icon: "hand", name: item.title, status: words["home.claimedByMe"],
                time: visit.moment(item.at, .ago))
        case .posted:
            return HomePage.Waiting(
                href: page, icon: "park", name: item.title, status: words["home.postedByMe"],
                time: visit.moment(item.at, .until))
        case .taken:
            let name = item.with?.name ?? PersonSummary.nameOfUnknown
            return HomePage.Waiting(
                href: page, icon: "check", name: item.title, status: words["home.takenFromMe", ["name": name]],
                time: visit.moment(item.at, .ago))
        default: return nil
        }
    }
}
