import ArgumentParser
import FoundationEssentials
import MatchEngine
import WireProtocol

/// One order after another among many who are free.
struct OfferOrders: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "offer-orders", abstract: "Places one order at a time among free deliverers.")
    @Option(help: "Deliverers who are free.") var deliverers = 20_000
    @Option(help: "Campuses, of which each has its share of 800 restaurants and 1,600 buildings.") var campuses = 20
    @Option(help: "Orders.") var orders = 10_000

    struct Report: Encodable {
        /// Microseconds of the processor for an order.
        var placed: Stopwatch.Summary
        /// The same for the one who is asked next when somebody declines.
        var declined: Stopwatch.Summary
        /// How many orders somebody was asked for.
        var offered: Int
    }

    func run() throws {
        var market = Market(campuses: campuses)
        var engine = MatchEngine()
        for _ in 0..<deliverers { engine.learn(market.deliverer()) }
        let (placed, declined) = (Stopwatch(), Stopwatch())
        var offered = 0
        for number in 0..<orders {
            let order = market.order()
            let begin = processorNanoseconds()
            let found = engine.placed(order, at: market.now)
            let middle = processorNanoseconds()
            _ = engine.declined(order.id, at: market.now)
            let end = processorNanoseconds()
            // As many are free for the next.
            _ = engine.withdrawn(order.id, at: market.now)
            guard number >= orders / 10 else { continue }
            placed.note(middle - begin)
            declined.note(end - middle)
            if case .offer? = found.first { offered += 1 }
        }
        try report(Report(placed: placed.summary(over: 1), declined: declined.summary(over: 1), offered: offered))
    }
}

/// Campuses of a mile, drawn by chance; some restaurants are liked more.
private struct Market {
    let now = Date(timeIntervalSince1970: 1_790_000_000)
    private let restaurants: [[Stop]]
    private let buildings: [[Stop]]
    private var chance = Chance(state: 29)

    init(campuses: Int) {
        var chance = Chance(state: 1)
        let places = { (campus: Int, count: Int) in
            (0..<count).map { _ in
                let east = Double(campus) * 10_000 + chance.metres(1500)
                return Stop(
                    id: .new(), position: Position(latitude: chance.metres(1500) / 111_320, longitude: east / 111_320))
            }
        }
        restaurants = (0..<campuses).map { places($0, 800 / campuses) }
        buildings = (0..<campuses).map { places($0, 1600 / campuses) }
    }

    mutating func deliverer() -> FreeDeliverer {
        let campus = Int.random(in: restaurants.indices, using: &chance)
        let (restaurant, building) = (liked(campus), buildings[campus].randomElement(using: &chance)!)
        return FreeDeliverer(
            id: .new(), person: .new(), restaurant: restaurant, building: building,
            trip: restaurant.position.metres(to: building.position) * 1.3, detour: 350, until: now + 7200,
            capacity: Int.random(in: 1...4, using: &chance))
    }

    mutating func order() -> WaitingOrder {
        let campus = Int.random(in: restaurants.indices, using: &chance)
        let (restaurant, kind) = (liked(campus), Int.random(in: 0..<100, using: &chance))
        return WaitingOrder(
            id: .new(), person: .new(),
            restaurants: kind < 60
                ? .anyOf([restaurant.id])
                : kind < 85 ? .around(restaurant.position, metres: 300) : .anyOf((0..<4).map { _ in liked(campus).id }),
            building: buildings[campus].randomElement(using: &chance)!, placedAt: now, waitsUntil: now + 3600)
    }

    private mutating func liked(_ campus: Int) -> Stop {
        let share = Double.random(in: 0..<1, using: &chance)
        return restaurants[campus][Int(share * share * Double(restaurants[campus].count))]
    }
}

/// The same numbers in every run (SplitMix64).
private struct Chance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func metres(_ most: Double) -> Double { .random(in: 0..<most, using: &self) }
}
