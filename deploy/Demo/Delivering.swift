import Foundation
import KampongClient
import WireProtocol

/// The neighbours bring each other food between restaurants and university buildings, where the community has a quarter of students. What visitors order
/// they bring, too, and what they order visitors may bring.
struct Delivering: Sendable {
    var neighbours: [Resident]
    var currency: String
    var center: Position

    /// So many are on their way, and so much is ordered, at the least and at the most.
    private static let (available, orders) = (3, 2)

    /// Whatever is due by now: answers, errands, somebody more who goes or is hungry.
    func goOn(now: Date) async throws {
        guard let quarter = StudentQuarter.near(center) else { return }
        let hands = try await Self.everybody(neighbours)
        for hand in hands {
            for match in hand.matches { try await attempt { try await go(on: match, hand.resident, now: now) } }
        }
        guard let restaurants = try await restaurants(of: quarter), !restaurants.isEmpty else { return }
        try await attempt { try await offer(in: quarter, restaurants, among: hands) }
        try await attempt { try await order(in: quarter, restaurants, among: hands) }
    }

    /// Somebody, with what they have to do with deliveries now.
    private struct Hand {
        var resident: Resident
        var isAvailable: Bool
        var hasOrdered: Bool
        var matches: [DeliveryMatch]
    }

    private static func everybody(_ neighbours: [Resident]) async throws -> [Hand] {
        var hands: [Hand] = []
        for resident in neighbours {
            let client = resident.client
            let availability = try await client.availability().availability
            if availability?.state == .paused { _ = try? await client.resumeDelivery() }
            hands.append(
                Hand(
                    resident: resident, isAvailable: availability != nil,
                    hasOrdered: try await !client.orders(OrderQuery(isOver: false)).items.isEmpty,
                    matches: try await client.matches(MatchQuery(isOver: false)).items))
        }
        return hands
    }

    /// What Places knows around the quarter; an operator may have brought in none.
    private func restaurants(of quarter: StudentQuarter) async throws -> [WireProtocol.Place]? {
        try await neighbours.first?.client.places(around: quarter.middle, kind: .restaurant, radius: 500, limit: 12)
            .items
    }

    private func offer(
        in quarter: StudentQuarter, _ restaurants: [WireProtocol.Place], among hands: [Hand]
    ) async throws {
        var random = SystemRandomNumberGenerator()
        guard hands.count(where: \.isAvailable) < Self.available,
            let somebody = hands.filter({ !$0.isAvailable }).randomElement(using: &random),
            let restaurant = restaurants.randomElement(using: &random),
            let building = quarter.buildings.randomElement(using: &random)
        else { return }
        let draft = AvailabilityDraft.between(restaurant, and: building, using: &random)
        let offered = try await somebody.resident.client.offerDelivery(draft)
        note("\(somebody.resident.name) goes from \(offered.restaurant.name) to \(offered.dropOff.name)")
    }

    /// From where somebody is, and another place.
    private func order(
        in quarter: StudentQuarter, _ restaurants: [WireProtocol.Place], among hands: [Hand]
    ) async throws {
        var random = SystemRandomNumberGenerator()
        guard hands.count(where: \.hasOrdered) < Self.orders,
            let somebody = hands.filter({ !$0.hasOrdered }).randomElement(using: &random),
            let building = quarter.buildings.randomElement(using: &random),
            let items = quarter.menu.randomElement(using: &random),
            let other = restaurants.randomElement(using: &random)
        else { return }
        let client = somebody.resident.client
        let open = try await client.deliveryRestaurants(DeliveryRestaurantQuery(near: building.position, limit: 10))
            .items
        let from = Set([open.randomElement(using: &random)?.restaurant.place, other.id].compactMap { $0 })
        let draft = OrderDraft.of(
            items, from: from.sorted(), to: building, currency: currency, using: &random)
        let placed = try await client.placeOrder(draft)
        note("\(somebody.resident.name) is hungry in \(placed.dropOff.name)")
    }

    private func go(on match: DeliveryMatch, _ somebody: Resident, now: Date) async throws {
        var random = SystemRandomNumberGenerator()
        let client = somebody.client
        switch Errand.next(in: match, now: now, using: &random) {
        case .accept:
            let fee = match.terms.fee?.amount ?? 0
            let draft = MatchActDraft(minutes: 5, expected: MatchExpectation(state: .offered, fee: fee))
            _ = try await client.act(.accept, on: match.id, draft)
            note("\(somebody.name) brings something from \(match.restaurant.name)")
        case .decline:
            _ = try await client.act(.decline, on: match.id)
            note("\(somebody.name) can't bring it")
        case .pickUp(let spent):
            _ = try await client.act(.pickUp, on: match.id, MatchActDraft(spent: spent))
            note("\(somebody.name) has it in hand")
        case .move(let position):
            try await client.movePosition(of: match.id, to: MatchPositionDraft(position: position, accuracy: 15))
        case .complete:
            let done = try await client.act(.complete, on: match.id)
            note("\(somebody.name) says that it is there")
            guard done.possible.contains(.tip), Int.random(in: 0..<3, using: &random) == 0 else { return }
            let tip = Money(amount: 50, currency: currency)
            _ = try await client.act(.tip, on: match.id, MatchActDraft(amount: tip))
        case nil: break
        }
    }

    /// A visitor may have been faster, and a community may have other rules than this demo's.
    private func attempt(_ body: () async throws -> Void) async throws {
        do { try await body() } catch let problem as Problem where problem.status != 429 && problem.status < 500 {
            note("no delivery: \(problem.detail)")
        }
    }
}
