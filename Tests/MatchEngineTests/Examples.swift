import FoundationEssentials
import WireProtocol

@testable import MatchEngine

/// The same numbers in every run (SplitMix64).
struct Chance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
    mutating func happens(_ percent: Int) -> Bool { number(1...100) <= percent }
}

let noon = Date(timeIntervalSince1970: 1_790_000_000)

/// The id with a number, which sorts as the number does.
func id<Entity>(_ number: Int, _ kind: UInt8 = 0) -> ID<Entity> {
    let bytes = withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
    return ID(
        UUID(
            uuid: (
                kind, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]
            )))
}

/// A place so many metres east and north of a point on the equator.
func stop(_ number: Int, _ east: Double, _ north: Double = 0) -> Stop {
    Stop(id: id(number), position: position(east, north))
}

func position(_ east: Double, _ north: Double) -> Position {
    let degree = Earth.radius * .pi / 180
    return Position(latitude: north / degree, longitude: 24 + east / degree)
}

/// A canteen, and a house a kilometre to the east of it.
let canteen = stop(1, 0)
let house = stop(2, 1000)

func order(
    _ number: Int, person: Int? = nil, to building: Stop = house, from restaurants: [Stop] = [canteen],
    fee: Int = 0, campus: String? = nil, placed: Date = noon, waits: Double = 3600, asks: Int? = nil,
    rollsOn: Bool = true
) -> WaitingOrder {
    WaitingOrder(
        id: id(number, 1), person: id(person ?? 10_000 + number, 2), restaurants: .anyOf(restaurants.map(\.id)),
        building: building, fee: fee, campus: campus, placedAt: placed, waitsUntil: placed.addingTimeInterval(waits),
        asks: asks.map { id($0, 3) }, rollsOn: rollsOn)
}

func deliverer(
    _ number: Int, person: Int? = nil, at restaurant: Stop = canteen, to building: Stop = house,
    trip: Double? = nil, detour: Double = 300, leastFee: Int = 0, campus: String? = nil, for seconds: Double = 7200,
    capacity: Int = 1, taken: Int = 0, carries: [Stop] = []
) -> FreeDeliverer {
    let straight = Point(restaurant.position).metres(to: Point(building.position))
    return FreeDeliverer(
        id: id(number, 3), person: id(person ?? 20_000 + number, 2), restaurant: restaurant, building: building,
        trip: trip ?? straight * 1.3, detour: detour, leastFee: leastFee, campus: campus,
        until: noon.addingTimeInterval(seconds), capacity: capacity, taken: taken, carries: carries.map(\.id))
}

func orderID(_ number: Int) -> WaitingOrder.ID { id(number, 1) }
func delivererID(_ number: Int) -> FreeDeliverer.ID { id(number, 3) }
func person(_ number: Int) -> PersonID { id(number, 2) }

extension [Directive] {
    /// Who is asked for what.
    var pairs: [WaitingOrder.ID: FreeDeliverer.ID] {
        [WaitingOrder.ID: FreeDeliverer.ID](uniqueKeysWithValues: proposals.map { ($0.order, $0.deliverer) })
    }

    var proposals: [Proposal] { compactMap { if case .offer(let proposal) = $0 { proposal } else { nil } } }

    /// Without questions.
    var decisions: [Directive] { filter { if case .ask = $0 { false } else { true } } }
    var questions: [Hop] { flatMap { if case .ask(let hops) = $0 { hops } else { [Hop]() } } }
}

extension MatchEngine {
    init(_ deliverers: [FreeDeliverer], _ orders: [WaitingOrder] = [], settings: MatchSettings = MatchSettings()) {
        self.init(settings: settings)
        for deliverer in deliverers { learn(deliverer) }
        for order in orders { learn(order) }
    }
}
