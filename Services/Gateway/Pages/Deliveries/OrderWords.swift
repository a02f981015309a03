import FoundationEssentials
import WireProtocol

extension DeliveryOrder {
    var path: String { "\(OrdersPage.path)/\(id)" }

    /// Whether somebody has to be found for it yet.
    var isOpen: Bool { [.waiting, .asking, .offered].contains(state) }

    var isOver: Bool { [.completed, .cancelled, .lapsed].contains(state) }

    /// `Unicafe or Ursula → Exactum`
    func title(in words: Words) -> String {
        words["orders.way", ["from": source(in: words), "to": dropOff.name]]
    }

    /// `Unicafe`, `Unicafe or 2 others`, `any restaurant within 400 m`
    private func source(in words: Words) -> String {
        if let around { return words["orders.anyWithin", ["distance": Distance.reach(around.radius, in: words)]] }
        guard let first = from.first?.restaurant.name else { return words["deliveries.aRestaurant"] }
        guard from.count > 1 else { return first }
        return words["orders.orOthers", ["name": first], count: from.count - 1]
    }

    func stateText(in words: Words) -> String { words["orders.state.\(state.rawValue)"] }

    var stateTone: String {
        switch state {
        case .waiting, .offered: "warm"
        case .asking: "full"
        case .matched, .completed: ""
        case .cancelled, .lapsed: "plain"
        }
    }

    /// How it stands, and what comes next.
    func said(in visit: Visit) -> TimedSentence {
        let (key, date) = sentence
        let name = asked?.person.name ?? lastAsked?.name ?? visit.words["inbox.somebody"]
        return TimedSentence("orders.says.\(key)", ["name": name], date, in: visit)
    }

    private var sentence: (String, Date) {
        switch state {
        case .waiting: (possibleDeliverers > 0 ? "waiting" : "nobody", waitsUntil)
        case .asking: ("asking", waitsUntil)
        case .offered: ("offered", asked?.until ?? waitsUntil)
        case .matched, .completed, .cancelled: (state.rawValue, waitsUntil)
        case .lapsed: (match == nil ? "lapsed" : "forgotten", waitsUntil)
        }
    }

    private var lastAsked: PersonSummary? { steps.last { $0.person != nil }?.person }

    /// Who was asked for it already.
    var askedBefore: Set<PersonID> { Set(steps.filter { $0.what == .asked }.compactMap { $0.person?.id }) }
}

extension Visit {
    /// A refusal of matching in the person's language.
    func toldOfOrder(_ error: ServiceError) -> String {
        words.find("orders.problem.\(error.code.rawValue)") ?? told(error)
    }
}
