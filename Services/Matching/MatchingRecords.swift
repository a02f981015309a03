import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

extension DeliveryUseCases {
    /// What is kept about somebody: what they offered to bring along, what they wanted brought, what was between them and others, and their turn.
    var ownRecords: [PersonalSections.Section] {
        [
            .init("availabilities") { person, cursor in
                let found = try await store.availabilities(of: person, after: cursor.flatMap { AvailabilityID($0) })
                return try page(of: try await answers(found)) { try PersonalRecord("availabilities", $0) }
            },
            .init("orders") { person, cursor in
                let found = try await store.orders(of: person, after: cursor.flatMap { OrderID($0) })
                return try page(of: try await answers(found, of: person)) { try PersonalRecord("orders", $0) }
            },
            .init("matches") { person, cursor in
                let found = try await store.matches(of: person, after: cursor.flatMap { MatchID($0) })
                return try page(of: try await answers(found, of: person)) { match in
                    // Another one's picture is theirs.
                    let own = match.role == .deliverer ? [match.receipt].compactMap { $0 } : []
                    return try PersonalRecord("matches", match, photos: own)
                }
            },
            .init("turns") { person, _ in
                Page(items: try await store.turns(of: person).map { try PersonalRecord("turns", $0) })
            },
        ]
    }

    private func answers(_ found: [OfferedAvailability]) async throws -> [Exported<Availability>] {
        var answers: [Exported<Availability>] = []
        let now = clock()
        for one in found {
            let held = one.state == .ended ? [] : try await store.held(by: one.id)
            answers.append(Exported(one.id.description, Availability(one, HeldDeliveries(matches: held), at: now)))
        }
        return answers
    }

    private func answers(_ found: [PlacedOrder], of person: PersonID) async throws -> [Exported<DeliveryOrder>] {
        let matches = try await store.matches(of: found.map(\.id))
        let names = try await names(in: matches.values.flatMap { $0 }, for: person)
        let now = clock()
        return found.map { order in
            let answer = DeliveryOrder(order, matches[order.id] ?? [], possible: 0, among: names, at: now)
            return Exported(order.id.description, answer)
        }
    }

    private func answers(_ found: [MatchAgreement], of person: PersonID) async throws -> [Exported<DeliveryMatch>] {
        let orders = try await store.orders(Array(Set(found.map(\.order))))
        let names = try await names(in: found, for: person)
        let now = clock()
        return found.compactMap { match in
            orders[match.order].map {
                Exported(match.id.description, DeliveryMatch(match, of: $0, for: person, among: names, at: now))
            }
        }
    }

    /// The two may be apart since.
    private func names(in matches: [MatchAgreement], for person: PersonID) async throws -> KnownPeople {
        try await people.summaries(of: matches.reduce(into: []) { $0.formUnion($1.people) }, for: person)
    }

    /// The next page begins after the last of these.
    private func page<Answer>(
        of found: [Exported<Answer>], _ record: (Answer) throws -> PersonalRecord
    ) throws -> Page<PersonalRecord> {
        Page(
            items: try found.map { try record($0.answer) },
            next: found.count == PageSize.largest ? found.last?.id : nil)
    }
}

/// A record, and its id.
private struct Exported<Answer: Sendable>: Sendable {
    let id: String
    let answer: Answer

    init(_ id: String, _ answer: Answer) { (self.id, self.answer) = (id, answer) }
}

/// How often the person was asked, beside how often they could have been: see the engine.
private struct ExportedTurn: Codable, Sendable {
    var credit: Double
    var asOf: Date
}

extension DeliveryStore {
    fileprivate func availabilities(of person: PersonID, after: AvailabilityID?) async throws -> [OfferedAvailability] {
        try await database.read(
            Self.own(OfferedAvailability.columns, from: "availabilities", "person = \(person)", after)
        ).map(OfferedAvailability.init)
    }

    fileprivate func orders(of person: PersonID, after: OrderID?) async throws -> [PlacedOrder] {
        try await database.read(Self.own(PlacedOrder.columns, from: "orders", "orderer = \(person)", after)).map {
            try PlacedOrder($0, words)
        }
    }

    /// Each half from its own index.
    fileprivate func matches(of person: PersonID, after: MatchID?) async throws -> [MatchAgreement] {
        func half(_ role: SQLQuery) -> SQLQuery {
            Self.own(MatchAgreement.columns, from: "matches", "\(role) = \(person)", after)
        }
        return try await database.read(
            """
            SELECT \(MatchAgreement.columns) FROM ((\(half("deliverer"))) UNION ALL (\(half("orderer")))) AS own
            ORDER BY id DESC LIMIT \(unescaped: "\(PageSize.largest)")
            """
        ).map { try MatchAgreement($0, words) }
    }

    fileprivate func turns(of person: PersonID) async throws -> [ExportedTurn] {
        try await database.read("SELECT credit, as_of FROM credits WHERE person = \(person)").map {
            ExportedTurn(credit: try $0.get("credit"), asOf: try $0.get("as_of"))
        }
    }

    private static func own<Row>(
        _ columns: SQLQuery, from table: SQLQuery, _ whose: SQLQuery, _ after: ID<Row>?
    ) -> SQLQuery {
        let earlier: SQLQuery = after.map { "AND id < \($0)" } ?? ""
        return """
            SELECT \(columns) FROM \(table) WHERE \(whose) \(earlier)
            ORDER BY id DESC LIMIT \(unescaped: "\(PageSize.largest)")
            """
    }
}
