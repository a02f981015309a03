import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

// What can be asked of deliveries that changes nothing. Everything is as it is by now, whether or not the rounds came by, and for who asks alone.

extension DeliveryUseCases {
    func availability(for caller: Caller) async throws -> OwnAvailability {
        let person = try caller.requirePerson()
        guard let stored = try await store.availability(of: person) else { return OwnAvailability(availability: nil) }
        let shown = Availability(stored, try await store.deliveries(of: stored), at: clock())
        return OwnAvailability(availability: shown.state == .ended ? nil : shown)
    }

    // MARK: Who can bring something now

    func restaurants(
        _ query: DeliveryRestaurantQuery, for caller: Caller
    ) async throws -> Page<DeliveryRestaurant> {
        let person = try caller.requirePerson()
        let page = try RestaurantPage(query)
        let statement = page.statement(for: person, at: clock(), people.campuses)
        let found = FoundPage(try await store.database.read(statement).map(FoundRestaurant.init), of: page.limit)
        return Page(
            items: found.shown.map { DeliveryRestaurant($0, from: page.near) },
            next: found.last.map { RestaurantCursor($0).text })
    }

    func deliverers(_ query: DelivererQuery, for caller: Caller) async throws -> Page<Deliverer> {
        let person = try caller.requirePerson()
        let page = try DelivererPage(query)
        let statement = page.statement(for: person, at: clock(), people.campuses)
        let found = FoundPage(try await store.database.read(statement).map(FoundDeliverer.init), of: page.limit)
        let names = try await people.summaries(of: Set(found.shown.map(\.availability.deliverer)), for: person)
        return Page(
            items: found.shown.map { Deliverer($0.availability, to: page.to, among: names) },
            next: found.last.map { DelivererCursor($0).text })
    }

    // MARK: Orders

    func order(_ id: OrderID, for caller: Caller) async throws -> DeliveryOrder {
        let person = try caller.requirePerson()
        guard let order = try await store.order(id), order.orderer == person,
            let answer = try await answers([order], to: person).first
        else { throw DeliveryError.orderNotFound }
        return answer
    }

    func orders(_ query: OrderQuery, for caller: Caller) async throws -> Page<DeliveryOrder> {
        let page = try OrderPage(query, for: caller)
        let rows = try await store.database.read(page.statement(at: clock()))
        let found = FoundPage(try rows.map { try PlacedOrder($0, store.words) }, of: page.limit)
        return Page(
            items: try await answers(found.shown, to: page.orderer), next: found.last?.id.description)
    }

    private func answers(_ orders: [PlacedOrder], to person: PersonID) async throws -> [DeliveryOrder] {
        let now = clock()
        let matches = try await store.matches(of: orders.map(\.id))
        let deliverers = Set(matches.values.joined().map(\.deliverer))
        let names = try await people.summaries(of: deliverers, for: person)
        let possible = try await store.possible(for: orders, at: now)
        return orders.map { order in
            DeliveryOrder(order, matches[order.id] ?? [], possible: possible[order.id] ?? 0, among: names, at: now)
        }
    }

    // MARK: Matches

    func match(_ id: MatchID, for caller: Caller) async throws -> DeliveryMatch {
        let person = try caller.requirePerson()
        let isModerator = caller.roles.contains(.moderator)
        guard let match = try await store.match(id), match.isSeen(by: person, isModerator: isModerator),
            let answer = try await answers([match], to: person, isModerator: isModerator).first
        else { throw DeliveryError.matchNotFound }
        return answer
    }

    func matches(_ query: MatchQuery, for caller: Caller) async throws -> Page<DeliveryMatch> {
        let page = try MatchPage(query, for: caller)
        let rows = try await store.database.read(page.statement(at: clock()))
        let found = FoundPage(try rows.map { try MatchAgreement($0, store.words) }, of: page.limit)
        let isModerator = caller.roles.contains(.moderator)
        return Page(
            items: try await answers(found.shown, to: try caller.requirePerson(), isModerator: isModerator),
            next: found.last?.id.description)
    }

    /// The two may be apart since; moderators are told who they are.
    private func answers(
        _ matches: [MatchAgreement], to person: PersonID, isModerator: Bool
    ) async throws -> [DeliveryMatch] {
        let now = clock()
        let orders = try await store.orders(Array(Set(matches.map(\.order))))
        let ids = matches.reduce(into: Set<PersonID>()) { $0.formUnion($1.people) }
        let names = try await people.summaries(of: ids, for: isModerator ? nil : person)
        return matches.compactMap { match in
            orders[match.order].map {
                DeliveryMatch(match, of: $0, for: person, isModerator: isModerator, among: names, at: now)
            }
        }
    }
}
