import FoundationEssentials
import Testing
import WireProtocol

@testable import MatchEngine

/// A long life of an engine beside a model that looks at all pairs. `KAMPONG_MATCHING_STEPS` makes it longer.
@Suite("The engine beside a model")
struct MatchModelTests {
    private static let steps = ProcessInfo.processInfo.environment["KAMPONG_MATCHING_STEPS"].flatMap { Int($0) } ?? 400

    @Test(arguments: 1...8) func whatever_happens_the_engine_does_what_the_model_says(seed: Int) throws {
        var life = Life(seed: UInt64(seed))
        for step in 1...Self.steps {
            try life.step()
            try #require(life.model.nothingIsLeft(at: life.now), "after step \(step)")
            if step % 50 == 0 { try life.rebuild() }
        }
        #expect(life.offers > Self.steps / 10)
    }
}

/// One engine, one model, and what chance does to both.
private struct Life {
    var chance: Chance
    var engine = MatchEngine()
    var model = MatchModel()
    var (now, next, offers) = (noon, 0, 0)
    let restaurants: [Stop]
    let buildings: [Stop]

    init(seed: UInt64) {
        var chance = Chance(state: seed << 40)
        let place = { (number: Int) in
            stop(number, Double(chance.number(0...12)) * 100, Double(chance.number(0...12)) * 100)
        }
        restaurants = (1...6).map(place)
        buildings = (11...22).map(place)
        self.chance = chance
    }

    mutating func step() throws {
        now += Double(chance.number(0...5))
        if model.reopen(at: now) { try follow(engine.decide(at: now)) }
        let (orders, deliverers) = (model.orders.keys.sorted(), model.deliverers.keys.sorted())
        // At most so many, as the model looks at all pairs; the oldest go.
        if orders.count > 60 { return try end(orders[0], isTakenBack: chance.happens(50)) }
        if deliverers.count > 40 { return try leave(deliverers[0]) }
        switch chance.number(0...99) {
        case 0..<32: try place()
        case 32..<50: try come()
        case 50..<68: try orders.randomElement(using: &chance).map { try decline($0) }
        case 68..<80: orders.randomElement(using: &chance).map { accept($0) }
        case 80..<92: try orders.randomElement(using: &chance).map { try end($0, isTakenBack: chance.happens(50)) }
        case 92..<95: try deliverers.randomElement(using: &chance).map { try leave($0) }
        case 95..<97: try orders.randomElement(using: &chance).map { try askAnybody($0) }
        case 97: part()
        case 98: try close()
        default: try follow(engine.decide(at: now))
        }
    }

    private mutating func follow(_ directives: [Directive]) throws {
        offers += directives.proposals.count
        try model.follow(directives, at: now)
        for (person, credit) in engine.takeCredits() { model.credits[person] = credit }
    }

    private mutating func newOrder() -> WaitingOrder {
        next += 1
        var made = order(
            next, person: chance.number(1...30), to: buildings.randomElement(using: &chance)!,
            from: Array(restaurants.shuffled(using: &chance).prefix(chance.number(1...3))),
            fee: chance.number(0...3) * 100, campus: chance.happens(90) ? nil : "hill", placed: now,
            waits: Double(chance.number(600...3600)), rollsOn: chance.happens(50))
        if chance.happens(25) {
            made.restaurants = .around(restaurants.randomElement(using: &chance)!.position, metres: 300)
        }
        if chance.happens(10) { made.asks = model.deliverers.keys.sorted().randomElement(using: &chance) }
        return made
    }

    private mutating func newDeliverer() -> FreeDeliverer {
        next += 1
        var made = deliverer(
            next, person: chance.number(1...30), at: restaurants.randomElement(using: &chance)!,
            to: buildings.randomElement(using: &chance)!, detour: Double(chance.number(0...4)) * 150,
            leastFee: chance.number(0...2) * 100, campus: chance.happens(90) ? nil : "hill",
            capacity: chance.number(1...4))
        made.until = now + Double(chance.number(300...3600))
        return made
    }

    /// The one who is asked is as good as the best of all.
    private mutating func place() throws {
        let order = newOrder()
        let best = model.deliverers.values.compactMap { model.value(of: $0, for: order, at: now) }.max()
        let (found, before) = (engine.placed(order, at: now), model)
        model.orders[order.id] = (order, .waiting)
        try follow(found)
        let asked = found.proposals.first.flatMap { before.deliverers[$0.deliverer] }
        let value = asked.flatMap { before.value(of: $0, for: order, at: now) }
        #expect((best == nil) == (value == nil))
        if let best, let value { #expect(abs(best - value) < 0.13) }
    }

    private mutating func come() throws {
        let deliverer = newDeliverer()
        model.deliverers[deliverer.id] = deliverer
        try follow(engine.came(deliverer, at: now))
    }

    private mutating func accept(_ id: WaitingOrder.ID) {
        engine.accepted(id)
        guard let (order, stage) = model.orders[id], case .offered(let deliverer) = stage else { return }
        model.orders[id]?.stage = .matched(deliverer)
        model.deliverers[deliverer]?.carries.append(order.building.id)
    }

    private mutating func decline(_ id: WaitingOrder.ID) throws {
        if let deliverer = model.release(id) {
            model.declines.insert(Decline(order: id, person: deliverer.person))
            model.orders[id]?.order.asks = nil
        }
        try follow(engine.declined(id, at: now))
    }

    private mutating func end(_ id: WaitingOrder.ID, isTakenBack: Bool) throws {
        var isMatched = false
        if case .matched? = model.orders[id]?.stage { isMatched = true }
        guard isTakenBack || isMatched else { return }
        _ = model.release(id)
        model.orders[id] = nil
        try follow(isTakenBack ? engine.withdrawn(id, at: now) : engine.completed(id, at: now))
    }

    private mutating func leave(_ id: FreeDeliverer.ID) throws {
        for (order, stage) in model.orders.values where stage == .offered(id) { _ = model.release(order.id) }
        model.gone[id] = model.deliverers.removeValue(forKey: id)
        for (order, _) in model.orders.values where order.asks == id { model.orders[order.id]?.order.asks = nil }
        try follow(engine.ended(id, at: now))
    }

    private mutating func askAnybody(_ id: WaitingOrder.ID) throws {
        if model.orders[id]?.stage == .asking { model.orders[id]?.stage = .waiting }
        try follow(engine.askedAnybody(id, at: now))
    }

    private mutating func part() {
        let pair = (person(chance.number(1...30)), person(chance.number(1...30)))
        guard pair.0 != pair.1 else { return }
        model.apart.insert([pair.0, pair.1])
        engine.learn(pair.0, isApartFrom: pair.1)
    }

    private mutating func close() throws {
        let (place, until) = (restaurants.randomElement(using: &chance)!.id, now + Double(chance.number(1...300)))
        model.closed[place] = until
        try follow(engine.closed(place, until: until, at: now))
    }

    /// An engine that is told how things are by now decides the same for a crowd as the one that lived through them.
    mutating func rebuild() throws {
        var (old, new) = (engine, model.engine(shuffledBy: &chance))
        var (orders, deliverers) = ([WaitingOrder](), [FreeDeliverer]())
        for _ in 0..<40 { orders.append(newOrder()) }
        for _ in 0..<15 { deliverers.append(newDeliverer()) }
        for order in orders { old.learn(order) }
        for deliverer in deliverers { old.learn(deliverer) }
        for deliverer in deliverers.shuffled(using: &chance) { new.learn(deliverer) }
        for order in orders.shuffled(using: &chance) { new.learn(order) }
        let (one, other) = (old.decide(at: now), new.decide(at: now))
        #expect(one.decisions == other.decisions && old.certificate == new.certificate)
        var crowd = model
        for order in orders { crowd.orders[order.id] = (order, .waiting) }
        for deliverer in deliverers { crowd.deliverers[deliverer.id] = deliverer }
        try crowd.follow(one, at: now)
        #expect(crowd.nothingIsLeft(at: now))
    }
}
