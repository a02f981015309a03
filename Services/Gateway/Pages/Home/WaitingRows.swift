import WireProtocol

/// What waits for the one who looks, whichever service has it: rows of Home. What nobody has to do comes last.
struct WaitingRows {
    let rows: [HomePage.Waiting]
    /// Whether everybody was heard who may know of something.
    let isWhole: Bool
    /// There are more reviews to write than are said here.
    let moreReviews: Bool

    /// The page can do without those that are slow or away.
    static func asked(by visit: Visit) async -> WaitingRows {
        let services = Capability.waiting.services
        let found = await withTaskGroup(of: (PeerRole, Page<WaitingItem>?).self) { group in
            for service in services {
                group.addTask {
                    (service, try? await visit.ask(service.methods.waiting, Nothing(), Nothing(), within: 2))
                }
            }
            var found: [PeerRole: Page<WaitingItem>] = [:]
            for await (service, page) in group { found[service] = page }
            return found
        }
        let pages = services.compactMap { found[$0] }
        let items = pages.flatMap(\.items)
        let (reviews, due) = (items.filter { $0.kind == .review }, items.filter { $0.kind != .review })
        return WaitingRows(
            rows: (due + reviews).map { HomePage.Waiting($0, in: visit) }, isWhole: pages.count == services.count,
            moreReviews: pages.contains { $0.next != nil && $0.items.contains { $0.kind == .review } })
    }
}

extension HomePage.Waiting {
    init(_ item: WaitingItem, in visit: Visit) {
        let (words, name) = (visit.words, item.with?.name ?? PersonSummary.nameOfUnknown)
        let page = item.subject.href ?? "/"
        switch item.kind {
        case .requested:
            self.init(
                href: page, icon: "hand", name: item.title, status: words["things.waiting.requested", ["name": name]],
                time: visit.moment(item.at, .until))
        case .begins, .ends, .overdue:
            let due = RentalDue(item, at: visit.now, in: words)
            let icon = item.kind == .ends ? "undo" : item.kind == .overdue ? "hourglass" : item.thing?.icon
            self.init(href: page, icon: icon ?? "calendar", name: item.title, status: due.text, time: due.moment)
        case .claimed:
            self.init(
                href: page, icon: "hand", name: item.title, status: words["home.claimedByMe"],
                time: visit.moment(item.at, .ago))
        case .posted:
            self.init(
                href: page, icon: "park", name: item.title, status: words["home.postedByMe"],
                time: visit.moment(item.at, .until))
        case .taken:
            self.init(
                href: page, icon: "check", name: item.title, status: words["home.takenFromMe", ["name": name]],
                time: visit.moment(item.at, .ago))
        case .review:
            let until = visit.moment(item.at, .date).text
            self.init(
                href: item.with.map { item.subject.reviewPath(of: $0.id) } ?? "/me/encounters", icon: "star",
                name: item.title, status: words["home.toReview", ["name": name, "date": until]], time: nil)
        }
    }
}
