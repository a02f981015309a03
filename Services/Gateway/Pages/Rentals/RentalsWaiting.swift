import WireProtocol

extension ThingsVertical {
    /// A request to answer, what begins or is to be given back soon, and what is not back in time.
    func row(of item: WaitingItem, at page: String, in visit: Visit) -> HomePage.Waiting? {
        let words = visit.words
        switch item.kind {
        case .requested:
            let name = item.with?.name ?? PersonSummary.nameOfUnknown
            return HomePage.Waiting(
                href: page, icon: "hand", name: item.title, status: words["things.waiting.requested", ["name": name]],
                time: visit.moment(item.at, .until))
        case .begins, .ends, .overdue:
            let due = RentalDue(item, at: visit.now, in: words)
            let icon = item.kind == .ends ? "undo" : item.kind == .overdue ? "hourglass" : item.thing?.icon
            return HomePage.Waiting(
                href: page, icon: icon ?? "calendar", name: item.title, status: due.text, time: due.moment)
        default: return nil
        }
    }
}
