import FoundationEssentials
import MatchEngine
import WireProtocol

/// How long the ways on foot between some places are, as far as Places has said it.
struct KnownWays: Hashable, Sendable {
    private(set) var ways: [Hop: KnownWay] = [:]

    mutating func learn(_ hop: Hop, _ way: KnownWay) { ways[hop] = way }

    func only(between places: [DeliveryPlace]) -> KnownWays {
        let ids = places.map(\.stop.id)
        var few = KnownWays()
        for (index, one) in ids.enumerated() {
            for other in ids[..<index] {
                let hop = Hop(one, other)
                if let way = ways[hop] { few.learn(hop, way) }
            }
        }
        return few
    }

    /// Between any two of some places.
    static func hops(among places: [DeliveryPlace]) -> Set<Hop> {
        let ids = Set(places.map(\.stop.id)).sorted()
        return Set(ids.enumerated().flatMap { index, one in ids[(index + 1)...].map { Hop(one, $0) } })
    }

    /// Those on which it depends which of these fit.
    static func hops(between orders: [PlacedOrder], and availabilities: [OfferedAvailability]) -> Set<Hop> {
        let goals = Dictionary(grouping: availabilities, by: \.restaurant.id).mapValues { there in
            Set(there.map(\.dropOff.stop.id))
        }
        var hops = Set(
            availabilities.filter { $0.trip == nil }.map { Hop($0.restaurant.id, $0.dropOff.stop.id) })
        for order in orders {
            let to = order.dropOff.stop.id
            for restaurant in order.around == nil ? order.from.map(\.restaurant.id) : Array(goals.keys) {
                guard let goals = goals[restaurant] else { continue }
                hops.insert(Hop(restaurant, to))
                for goal in goals { hops.insert(Hop(to, goal)) }
            }
        }
        return hops.filter { $0.one != $0.other }
    }

    func way(from one: DeliveryPlace, to other: DeliveryPlace) -> KnownWay? {
        one.stop.id == other.stop.id ? KnownWay(metres: 0, isAlongStreets: true) : ways[Hop(one.stop.id, other.stop.id)]
    }

    /// Metres, as the engine would guess them where nobody has said it.
    func metres(from one: DeliveryPlace, to other: DeliveryPlace) -> Double {
        way(from: one, to: other)?.onFoot ?? one.position.metres(to: other.position) * KnownWay.streetsForStraight
    }
}

extension KnownWay {
    static let streetsForStraight = MatchSettings().streetsForStraight
    /// Metres a second.
    static let pace = MatchSettings().pace

    /// Where nobody can go the straight line, some more.
    var onFoot: Double { isAlongStreets ? Double(metres) : Double(metres) * Self.streetsForStraight }
}

extension DeliveryPlace {
    /// As the engine knows it. A point of the map has an id of where it is, to a metre or so.
    var stop: Stop { Stop(id: place ?? PlaceID(UUID(of: position)), position: position) }
}

extension UUID {
    /// One that no place has (RFC 9562, 5.8), and that is the same for the same point.
    fileprivate init(of position: Position) {
        func bytes(_ degrees: Double) -> [UInt8] {
            let whole = Int32((degrees * 100_000).rounded())
            return (0..<4).map { UInt8(truncatingIfNeeded: whole >> (24 - 8 * Int32($0))) }
        }
        let (north, east) = (bytes(position.latitude), bytes(position.longitude))
        self.init(
            uuid: (
                north[0], north[1], north[2], north[3], 0, 0, 0x80, 0, 0x80, 0, 0, 0, east[0], east[1], east[2], east[3]
            ))
    }
}
