import FoundationEssentials
import WireProtocol

/// An order as the engine has it: all that is compared is a number.
struct OrderEntry: Sendable {
    enum Stage: Hashable, Sendable {
        case waiting
        /// Who was asked by name declined, and the orderer has not said how to go on.
        case asking
        case offered(FreeDeliverer.ID)
        case matched(FreeDeliverer.ID)
    }

    var stage = Stage.waiting
    var person: Int32
    var restaurants: [Int32]
    /// The middle and the metres where any restaurant of a circle will do.
    var circle: (middle: Point, metres: Double)?
    var building: Int32
    var point: Point
    var fee: Int
    var campus: Int32
    var placedAt: Date
    var waitsUntil: Date
    var asks: FreeDeliverer.ID?
    var rollsOn: Bool
    var declinedBy: [Int32] = []
    /// Who was asked last, and who could have been.
    var asked: Int32 = -1
    var chances: [Int32] = []
}

/// A deliverer as the engine has it.
struct DelivererEntry: Sendable {
    var person: Int32
    var restaurant: Int32
    var building: Int32
    var point: Point
    var trip: Double
    var detour: Double
    var leastFee: Int
    var campus: Int32
    var until: Date
    var capacity: Int
    var taken: Int
    /// Where it stands in its restaurant's list, or -1 where it has no free hand.
    var place: Int32 = -1
    /// Buildings that goods in hand go to.
    var carries: [Int32]
    /// Orders that it is asked for now.
    var asked: [Int32] = []

    var free: Int { max(0, capacity - taken) }
}

/// Somebody with a free hand, as they stand in the list of their restaurant: what leaves out most of them, side by side in memory.
struct Standing: Sendable {
    var deliverer: Int32
    var building: Int32
    var point: Point
    /// Metres from the restaurant to their building, with the detour.
    var reach: Double

    /// Whether they may fit. Straight lines are never longer than streets, so nobody is left out wrongly.
    func mayBring(_ order: OrderEntry, by leg: Leg) -> Bool {
        let left = reach - leg.straight
        return building == order.building || left >= 0 && point.squaredMetres(to: order.point) <= left * left
    }
}

/// The way from a restaurant to where an order goes, in metres.
struct Leg: Sendable {
    var straight: Double
    var streets: Double
}

/// Ways whose lengths were guessed: what is to be asked next, and all that were ever asked for.
struct Questions: Sendable {
    private(set) var next: [Hop] = []
    private var all: Set<Hop> = []
    let most: Int

    init(most: Int) { self.most = most }

    mutating func note(_ hop: @autoclosure () -> Hop) {
        guard next.count < most, case let hop = hop(), all.insert(hop).inserted else { return }
        next.append(hop)
    }

    mutating func take() -> [Hop] {
        defer { next = [] }
        return next
    }
}

/// A deliverer who fits an order, and what that is worth in `MatchSettings.unit`s.
struct Candidate: Sendable {
    var deliverer: Int32
    /// Without what hands cost.
    var worth: Int32
    /// What of that is credit.
    var credit: Int32
    /// What using the next hand costs.
    var hand: Int32
    /// Metres.
    var detour: Double

    var value: Int32 { worth - hand }
}

/// Who may not meet: pairs of persons who have blocked each other, by their numbers.
struct Apart: Sendable {
    private var pairs: Set<UInt64> = []

    mutating func insert(_ one: Int32, _ other: Int32) { pairs.insert(Self.key(one, other)) }
    mutating func remove(_ one: Int32, _ other: Int32) { pairs.remove(Self.key(one, other)) }

    func contains(_ one: Int32, _ other: Int32) -> Bool {
        !pairs.isEmpty && pairs.contains(Self.key(one, other))
    }

    private static func key(_ one: Int32, _ other: Int32) -> UInt64 {
        UInt64(min(one, other)) << 32 | UInt64(max(one, other))
    }
}
