import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

/// Of each kind of what waits of somebody's deliveries, as much as is said.
private enum DeliveriesWaiting {
    static let most = 10
    /// How many of each role are looked at, the latest first.
    static let looked = 100
}

extension DeliveryUseCases {
    /// What of deliveries waits for one: what one is asked to bring, what one brings, what is brought to one, what one has to confirm, and whom to ask
    /// next. Of each, what is due first.
    func waiting(for caller: Caller) async throws -> [WaitingItem] {
        let person = try caller.requirePerson()
        let now = clock()
        let matches = try await store.waiting(of: person).map { $0.pass(at: now)?.match ?? $0 }
        let names = try await people.summaries(of: matches.reduce(into: []) { $0.formUnion($1.people) }, for: person)
        let ofMatches = matches.compactMap { WaitingItem($0, for: person, among: names) }
        let asking = try await store.asking(of: person, at: now).map { WaitingItem(asking: $0) }
        return Dictionary(grouping: ofMatches + asking, by: \.kind).sorted { $0.key.rawValue < $1.key.rawValue }
            .flatMap { $0.value.sorted { $0.at < $1.at }.prefix(DeliveriesWaiting.most) }
    }
}

extension DeliveryStore {
    /// Each half from its own index.
    fileprivate func waiting(of person: PersonID) async throws -> [MatchAgreement] {
        func some(_ role: SQLQuery, _ states: SQLQuery) -> SQLQuery {
            """
            (SELECT \(MatchAgreement.columns) FROM matches WHERE \(role) = \(person) AND state IN (\(states))
            ORDER BY id DESC LIMIT \(unescaped: "\(DeliveriesWaiting.looked)"))
            """
        }
        let rows = try await database.read(
            """
            \(some("deliverer", "'offered', 'accepted', 'pickedUp', 'received'"))
            UNION ALL \(some("orderer", "'accepted', 'pickedUp', 'delivered'"))
            """)
        return try rows.map { try MatchAgreement($0, words) }
    }

    fileprivate func asking(of person: PersonID, at now: Date) async throws -> [PlacedOrder] {
        try await database.read(
            """
            SELECT \(PlacedOrder.columns) FROM orders
            WHERE orderer = \(person) AND state = 'asking' AND waits_until > \(now)
            """
        ).map { try PlacedOrder($0, words) }
    }
}

extension WaitingItem {
    /// Nil of what does not wait for this person.
    fileprivate init?(_ match: MatchAgreement, for person: PersonID, among people: KnownPeople) {
        guard let role = match.role(of: person), let kind = Kind(match.state, for: role) else { return nil }
        let other = people[match.person(role == .orderer ? .deliverer : .orderer)]
        let moment =
            switch kind {
            case .matchOffered: match.expiresAt
            case .matchToConfirm: match.dueAt ?? match.changedAt
            default: match.expectedAt ?? match.changedAt
            }
        self.init(kind, Subject(match.id), title: match.title, with: other, at: moment)
    }

    fileprivate init(asking order: PlacedOrder) {
        self.init(.orderToAsk, Subject(order.id), title: order.dropOff.name, at: order.waitsUntil)
    }
}

extension WaitingItem.Kind {
    fileprivate init?(_ state: MatchState, for role: MatchRole) {
        switch (state, role) {
        case (.offered, .deliverer): self = .matchOffered
        case (.accepted, .deliverer), (.pickedUp, .deliverer): self = .bringing
        case (.accepted, .orderer), (.pickedUp, .orderer): self = .awaited
        case (.delivered, .orderer), (.received, .deliverer): self = .matchToConfirm
        default: return nil
        }
    }
}
