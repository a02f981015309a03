import FoundationEssentials
package import WireProtocol

/// Who is asked to bring what: a value that is told what happened, and answers what to do. It has no clock, no chance and no I/O.
///
/// A round tells it who waits and who is free (`learn`), lets it `decide`, and throws it away; it may as well live on and be told one thing after another. After each step
/// that returns directives no order waits that fits a free hand, as long as the shell follows them.
package struct MatchEngine: Sendable {
    package let settings: MatchSettings
    /// How good the last `decide` was.
    package internal(set) var certificate = Certificate()

    var orders = Slots<WaitingOrder.ID, OrderEntry>()
    var deliverers = Slots<FreeDeliverer.ID, DelivererEntry>()
    var persons = Numbers<PersonID>()
    var campuses = Numbers<String?>()
    var ground = Ground()
    var credits: CreditBook
    var apart = Apart()
    /// By restaurant, until when it is closed.
    var closed: [Int32: Date] = [:]
    /// By restaurant: who is there with a free hand, and which orders wait for it.
    var here: [[Standing]] = []
    var wanting: [[Int32]] = []
    /// Restaurants where somebody is or was, and orders that take any restaurant of a circle.
    var restaurants: [Cube: [Int32]] = [:]
    var circles: [Cube: [Int32]] = [:]
    var isRestaurant: [Bool] = []
    var questions: Questions

    package init(settings: MatchSettings = MatchSettings()) {
        self.settings = settings
        questions = Questions(most: settings.questions)
        credits = CreditBook(halfLife: settings.creditHalfLife)
    }

    // MARK: What is so

    /// An order that waits. One that waits already says what it says now.
    package mutating func learn(_ order: WaitingOrder) {
        var entry = entry(of: order)
        if let slot = orders.slot(of: order.id) {
            guard case .waiting = orders[slot].stage else { return }
            entry.declinedBy = orders[slot].declinedBy
            forget(slot)
        }
        let slot = orders.insert(entry, as: order.id)
        if let circle = entry.circle { circles[Cube(circle.middle), default: []].append(slot) }
        want(slot)
    }

    /// A deliverer who may be asked. One who is known already keeps the offers that are open.
    package mutating func learn(_ deliverer: FreeDeliverer) {
        var entry = entry(of: deliverer)
        let slot: Int32
        if let known = deliverers.slot(of: deliverer.id) {
            leave(known)
            (slot, entry.asked) = (known, deliverers[known].asked)
            deliverers[slot] = entry
        } else {
            slot = deliverers.insert(entry, as: deliverer.id)
        }
        open(entry.restaurant)
        enter(slot)
    }

    /// Of an order that was learned before.
    package mutating func learn(_ decline: Decline) {
        let person = persons.number(of: decline.person)
        guard let slot = orders.slot(of: decline.order), !orders[slot].declinedBy.contains(person) else { return }
        orders[slot].declinedBy.append(person)
    }

    /// The way along streets between two places.
    package mutating func learn(_ hop: Hop, metres: Double) { ground.learn(hop, metres: metres) }

    package mutating func learn(_ credit: Credit, of person: PersonID) {
        credits.set(credit, of: persons.number(of: person))
    }

    /// Two who are not to meet, or may again.
    package mutating func learn(_ one: PersonID, isApartFrom other: PersonID, _ isApart: Bool = true) {
        let pair = (persons.number(of: one), persons.number(of: other))
        if isApart { apart.insert(pair.0, pair.1) } else { apart.remove(pair.0, pair.1) }
    }

    /// Credits that changed since they were taken last, to be kept.
    package mutating func takeCredits() -> [(person: PersonID, credit: Credit)] {
        credits.takeChanged().map { (persons[$0.person], $0.credit) }
    }

    // MARK: Entries

    private mutating func entry(of order: WaitingOrder) -> OrderEntry {
        var entry = OrderEntry(
            person: persons.number(of: order.person), restaurants: [], building: ground.number(of: order.building),
            point: Point(order.building.position), fee: order.fee, campus: campuses.number(of: order.campus),
            placedAt: order.placedAt, waitsUntil: order.waitsUntil, asks: order.asks, rollsOn: order.rollsOn)
        switch order.restaurants {
        case .anyOf(let places):
            for place in places {
                let number = ground.number(of: place)
                if !entry.restaurants.contains(number) { entry.restaurants.append(number) }
            }
        case .around(let middle, let metres):
            let circle = (middle: Point(middle), metres: min(metres, WaitingOrder.Restaurants.widest))
            entry.circle = circle
            entry.restaurants = Cube(circle.middle).withNeighbours.flatMap { restaurants[$0] ?? [] }.filter {
                isInside($0, circle)
            }
        }
        return entry
    }

    private mutating func entry(of deliverer: FreeDeliverer) -> DelivererEntry {
        DelivererEntry(
            person: persons.number(of: deliverer.person), restaurant: ground.number(of: deliverer.restaurant),
            building: ground.number(of: deliverer.building), point: Point(deliverer.building.position),
            trip: deliverer.trip, detour: deliverer.detour, leastFee: deliverer.leastFee,
            campus: campuses.number(of: deliverer.campus), until: deliverer.until, capacity: deliverer.capacity,
            taken: deliverer.taken, carries: deliverer.carries.map { ground.number(of: $0) })
    }
}
