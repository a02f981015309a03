import WireProtocol

extension DeliveriesVertical {
    /// What one is asked to bring, brings, or waits for; and an order of which one says who is asked next.
    func row(of item: WaitingItem, at page: String, in visit: Visit) -> HomePage.Waiting? {
        let icon: String
        switch item.kind {
        case .matchOffered, .orderToAsk: icon = "hand"
        case .bringing, .awaited: icon = "restaurant"
        case .matchToConfirm: icon = "check"
        default: return nil
        }
        let names = ["name": item.with?.name ?? PersonSummary.nameOfUnknown]
        return HomePage.Waiting(
            href: page, icon: icon, name: item.title,
            status: visit.words["deliveries.waiting.\(item.kind.rawValue)", names], time: visit.moment(item.at, .until))
    }
}
