import FoundationEssentials
import Testing
import WireProtocol

@testable import MatchEngine

/// What the engine is to be, in lists and without any cleverness: who fits whom is found by looking at all pairs.
struct MatchModel {
    enum Stage: Hashable { case waiting, asking, offered(FreeDeliverer.ID), matched(FreeDeliverer.ID) }

    var orders: [WaitingOrder.ID: (order: WaitingOrder, stage: Stage)] = [:]
    var deliverers: [FreeDeliverer.ID: FreeDeliverer] = [:]
    /// Who is gone, and whose goods are on the way still.
    var gone: [FreeDeliverer.ID: FreeDeliverer] = [:]
    var declines: Set<Decline> = []
    var apart: Set<Set<PersonID>> = []
    var credits: [PersonID: Credit] = [:]
    /// Until when.
    var closed: [PlaceID: Date] = [:]
    let settings = MatchSettings()

    private func straight(_ one: Stop, _ other: Stop) -> Double {
        Point(one.position).metres(to: Point(other.position))
    }

    /// Metres, or nil where the two don't fit. The ways of these tests are never told, so that all are guessed.
    func detour(of deliverer: FreeDeliverer, for order: WaitingOrder, at now: Date) -> Double? {
        let isTaken =
            switch order.restaurants {
            case .anyOf(let places): places.contains(deliverer.restaurant.id)
            case .around(let middle, let metres):
                Point(middle).metres(to: Point(deliverer.restaurant.position)) <= metres
            }
        let legs = (straight(deliverer.restaurant, order.building), straight(order.building, deliverer.building))
        let walk = legs.0 * settings.streetsForStraight / settings.pace
        guard isTaken, closed[deliverer.restaurant.id] == nil, deliverer.taken < deliverer.capacity,
            deliverer.person != order.person, deliverer.campus == order.campus, deliverer.leastFee <= order.fee,
            deliverer.until > now, now + walk <= order.waitsUntil,
            !declines.contains(Decline(order: order.id, person: deliverer.person)),
            !apart.contains([deliverer.person, order.person]), order.asks == nil || order.asks == deliverer.id
        else { return nil }
        if deliverer.building.id == order.building.id { return 0 }
        let detour = max(0, (legs.0 + legs.1) * settings.streetsForStraight - deliverer.trip)
        return detour <= deliverer.detour ? detour : nil
    }

    /// In metres.
    func value(of deliverer: FreeDeliverer, for order: WaitingOrder, at now: Date) -> Double? {
        guard let detour = detour(of: deliverer, for: order, at: now) else { return nil }
        let credit = credits[deliverer.person]?.value(at: now, halfLife: settings.creditHalfLife) ?? 0
        return 4000 + min(300, now.timeIntervalSince(order.placedAt) / 4) + 20 * max(-3, min(3, credit)) - detour
            - 40 * Double(deliverer.taken) + (deliverer.carries.contains(order.building.id) ? 60 : 0)
    }

    var waiting: [WaitingOrder] { orders.values.filter { $0.stage == .waiting }.map(\.order) }

    /// No order waits that fits a free hand.
    func nothingIsLeft(at now: Date) -> Bool {
        waiting.allSatisfy { order in deliverers.values.allSatisfy { detour(of: $0, for: order, at: now) == nil } }
    }

    /// What is closed until now opens.
    ///
    /// - Returns: whether there is such a restaurant.
    mutating func reopen(at now: Date) -> Bool {
        let before = closed.count
        closed = closed.filter { $0.value > now }
        return closed.count < before
    }

    private func comesFromNowhere(_ order: WaitingOrder) -> Bool {
        if case .anyOf(let places) = order.restaurants { places.allSatisfy { closed[$0] != nil } } else { false }
    }

    /// Does what the engine says, and looks that it may be done.
    mutating func follow(_ directives: [Directive], at now: Date) throws {
        for directive in directives {
            switch directive {
            case .offer(let proposal):
                var deliverer = try #require(deliverers[proposal.deliverer])
                let order = try #require(orders[proposal.order]?.order)
                let detour = try #require(self.detour(of: deliverer, for: order, at: now), "they don't fit")
                #expect(abs(detour - Double(proposal.detour)) <= 0.51)
                let isFree = orders[order.id]?.stage == .waiting || orders[order.id]?.stage == .asking
                #expect(isFree && deliverer.restaurant.id == proposal.restaurant)
                deliverer.taken += 1
                deliverers[deliverer.id] = deliverer
                orders[order.id]?.stage = .offered(deliverer.id)
            case .keepWaiting(let id, .asksWhetherToRollOn): orders[id]?.stage = .asking
            case .keepWaiting(let id, _): #expect(orders[id]?.stage == .waiting)
            case .lapse(let id, let reason):
                let order = try #require(orders[id]?.order)
                orders[id] = nil
                #expect(reason == .allClosed ? comesFromNowhere(order) : order.waitsUntil <= now)
            case .ask: break
            }
        }
    }

    /// An order leaves the hands of whoever had it.
    mutating func release(_ id: WaitingOrder.ID) -> FreeDeliverer? {
        guard let (order, stage) = orders[id] else { return nil }
        let (holder, isMatched): (FreeDeliverer.ID?, Bool) =
            switch stage {
            case .offered(let holder): (holder, false)
            case .matched(let holder): (holder, true)
            case .waiting, .asking: (nil, false)
            }
        if holder != nil { orders[id]?.stage = .waiting }
        guard let holder, var deliverer = deliverers[holder] else { return holder.flatMap { gone[$0] } }
        deliverer.taken -= 1
        if isMatched, let place = deliverer.carries.firstIndex(of: order.building.id) {
            deliverer.carries.remove(at: place)
        }
        deliverers[holder] = deliverer
        return deliverer
    }

    /// An engine that is told how things are, in some order.
    func engine(shuffledBy chance: inout Chance) -> MatchEngine {
        var engine = MatchEngine()
        for (place, until) in closed { _ = engine.closed(place, until: until, at: noon) }
        for order in waiting.shuffled(using: &chance) { engine.learn(order) }
        for deliverer in deliverers.values.shuffled(using: &chance) { engine.learn(deliverer) }
        for decline in declines.shuffled(using: &chance) { engine.learn(decline) }
        for pair in apart.map(Array.init) { engine.learn(pair[0], isApartFrom: pair[1]) }
        for (person, credit) in credits { engine.learn(credit, of: person) }
        return engine
    }
}
