import WireProtocol

/// What waits for the one who looks, whichever service has it: rows of Home. What nobody has to do comes last.
struct WaitingRows {
    let rows: [HomePage.Waiting]
    /// Whether everybody was heard who may know of something, and all that they know is said.
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
        let rows = due.compactMap { visit.row(of: $0) } + reviews.map { HomePage.Waiting(review: $0, in: visit) }
        return WaitingRows(
            rows: rows, isWhole: pages.count == services.count && rows.count == items.count,
            moreReviews: pages.contains { $0.next != nil && $0.items.contains { $0.kind == .review } })
    }
}

extension Visit {
    /// As a vertical says it whose subject it is about; nil where none does.
    fileprivate func row(of item: WaitingItem) -> HomePage.Waiting? {
        guard let page = href(of: item.subject) else { return nil }
        return verticals(of: item.subject.kind).compactMap { $0.row(of: item, at: page, in: self) }.first
    }
}

extension HomePage.Waiting {
    fileprivate init(review item: WaitingItem, in visit: Visit) {
        let name = item.with?.name ?? PersonSummary.nameOfUnknown
        let until = visit.moment(item.at, .date).text
        self.init(
            href: item.with.map { item.subject.reviewPath(of: $0.id) } ?? "/me/encounters", icon: "star",
            name: item.title, status: visit.words["home.toReview", ["name": name, "date": until]], time: nil)
    }
}
