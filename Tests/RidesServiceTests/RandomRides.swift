import FoundationEssentials
import TestKit
import WireProtocol

@testable import RidesService

/// Rides and wishes that are the same in each run: around a few towns, across the date line, far in the north and in the south, with loops and short legs.
struct RandomRides {
    private(set) var generator: SeededGenerator
    /// How many days after noon the last of them leaves.
    var days = 10.0

    /// Twice around the earth.
    static let anywhere = 80_000_000

    private static let towns = [
        Position(latitude: 35.2828, longitude: -120.6596), Position(latitude: 36.6777, longitude: -121.6555),
        Position(latitude: 37.7749, longitude: -122.4194), Position(latitude: 34.0522, longitude: -118.2437),
        Position(latitude: -16.9, longitude: 179.95), Position(latitude: -16.8, longitude: -179.9),
        Position(latitude: 84.95, longitude: 20), Position(latitude: -84.9, longitude: -170),
    ]

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &generator) < share }

    private mutating func around(_ place: Position, _ degrees: Double) -> Position {
        let north = place.latitude + Double.random(in: -degrees...degrees, using: &generator)
        var east = place.longitude + Double.random(in: -degrees...degrees, using: &generator)
        if east > 180 { east -= 360 }
        if east < -180 { east += 360 }
        return Position(latitude: min(85, max(-85, north)), longitude: east)
    }

    /// Two points, mostly of one neighbourhood of towns.
    private mutating func ends() -> (Position, Position) {
        let first = Self.towns[number(0...Self.towns.count - 1)]
        let isFar = chance(0.02)
        let near = Self.towns.filter { isFar || $0.metres(to: first) < 800_000 }
        return (around(first, 0.2), around(near[number(0...near.count - 1)], 0.2))
    }

    mutating func way() -> RideWay {
        while true {
            let way = anyWay()
            if way.length <= RideLimits.longestWay { return way }
        }
    }

    private mutating func anyWay() -> RideWay {
        let (start, end) = ends()
        var places = [start]
        for _ in 0..<(chance(0.5) ? 0 : number(1...6)) {
            // A street further on, or somewhere on the way.
            places.append(
                chance(0.2)
                    ? Position(latitude: places[places.count - 1].latitude + 0.0018, longitude: places[0].longitude)
                    : around(chance(0.5) ? start : end, 1))
        }
        places.append(chance(0.1) ? start : end)
        return RideWay(
            measuring: places.map { place in
                RideStopDraft(
                    name: "Stop", position: Position(latitude: min(85, place.latitude), longitude: place.longitude))
            })
    }

    mutating func ride() -> OfferedRide {
        let way = way()
        let departs = noon + Double(number(-3600...Int(days * 86_400)))
        let seats = number(1...6)
        var ride = OfferedRide(
            id: RideID(.version7(at: noon, using: &generator)), driver: maya, postedAt: noon, state: .open, way: way,
            departsAt: departs, leavesBy: departs + Double(chance(0.2) ? number(1...21_600) : 0), zone: "UTC",
            seats: seats, cost: 0, maxDetour: chance(0.2) ? 0 : min(50_000, way.length / 4),
            luggage: RideLuggage.allCases[number(0...3)], accepts: .nobody, changedAt: noon)
        if chance(0.3) { ride.load = SeatLoad().adding(seats, from: 0, to: way.stops[1].at) }
        return ride
    }

    mutating func wish(within day: Double = 86_400) -> RideWish {
        while true {
            let (from, to) = ends()
            guard from.metres(to: to) >= 1000 else { continue }
            let moment = noon + Double(number(-3600...Int(days * 86_400)))
            var wish = RideWish(from: from, to: to, times: moment - day...moment + day, mayDetour: !chance(0.1))
            // What helps nobody is measured as well, mostly.
            if chance(0.7) { wish.mostExtra = Self.anywhere }
            return wish
        }
    }
}

/// What the board is to answer: every ride is looked at, in plain arithmetic.
struct EveryRide {
    struct Measured {
        var ride: OfferedRide
        var points: [Position]
        var at: [Int]
        var departsAt: Date
        var arrivesAt: Date

        init(_ ride: OfferedRide) {
            (self.ride, points, at) = (ride, ride.way.points, ride.way.stops.map(\.at))
            (departsAt, arrivesAt) = (ride.departsAt, ride.leavesBy + RideWay.seconds(to: ride.way.length))
        }
    }

    var rides: [Measured]

    init(_ rides: [OfferedRide]) { self.rides = rides.map { Measured($0) } }

    func found(_ query: BoardQuery) -> [FoundKey] {
        var keys: [FoundKey] = []
        for place in rides.indices {
            // Most are driven at another time: of a million these are not even copied.
            guard rides[place].departsAt <= query.wish.times.upperBound,
                rides[place].arrivesAt >= query.wish.times.lowerBound
            else { continue }
            let (one, ride) = (rides[place], rides[place].ride)
            guard ride.leavesBy > query.now, ride.luggage.rank >= query.luggage.rank,
                ride.freeByLeg.max() ?? 0 >= query.free, let extra = extra(one, query.wish)
            else { continue }
            let key = FoundKey(extra: extra, departsAt: ride.departsAt, id: ride.id)
            if query.after.map({ key > $0 }) ?? true { keys.append(key) }
        }
        return Array(keys.sorted().prefix(query.limit))
    }

    private func extra(_ one: Measured, _ wish: RideWish) -> Int? {
        let ride = one.ride
        func isInTime(_ at: Int) -> Bool {
            let seconds = RideWay.seconds(to: at)
            return ride.departsAt + seconds <= wish.times.upperBound && ride.leavesBy + seconds >= wish.times.lowerBound
        }
        var best: Int?
        for first in one.points.indices where isInTime(one.at[first]) {
            for last in one.points.indices where last > first {
                let gaps =
                    Int(wish.from.onGrid.metres(to: one.points[first]).rounded())
                    + Int(wish.to.onGrid.metres(to: one.points[last]).rounded())
                best = min(best ?? .max, gaps)
            }
        }
        if let (detour, at) = detour(one, wish), isInTime(at) { best = min(best ?? .max, detour) }
        return best.flatMap { $0 <= wish.mostExtra ? $0 : nil }
    }

    /// The least detour, and where along the way one gets in then.
    private func detour(_ one: Measured, _ wish: RideWish) -> (Int, Int)? {
        guard wish.mayDetour, one.ride.detourLeft > 0 else { return nil }
        let (start, end) = (wish.from.onGrid, wish.to.onGrid)
        let toStart = one.points.map { $0.metres(to: start) }
        let toEnd = one.points.map { $0.metres(to: end) }
        let straight = start.metres(to: end)
        let legs = 0..<one.at.count - 1
        func cost(_ whole: Double, _ leg: Int) -> Int { max(0, Int(whole.rounded()) - one.at[leg + 1] + one.at[leg]) }
        var all: [(detour: Int, leg: Int)] = legs.map {
            (cost(toStart[$0] + straight + toEnd[$0 + 1], $0), $0)
        }
        for later in legs {
            for earlier in 0..<later {
                all.append(
                    (
                        cost(toStart[earlier] + toStart[earlier + 1], earlier)
                            + cost(toEnd[later] + toEnd[later + 1], later), earlier
                    ))
            }
        }
        guard let best = all.min(by: { $0.detour < $1.detour }), best.detour <= one.ride.detourLeft else { return nil }
        let (before, after) = (toStart[best.leg], toStart[best.leg + 1])
        let length = one.at[best.leg + 1] - one.at[best.leg]
        let share = before + after > 0 ? Int((Double(length) * before / (before + after)).rounded()) : 0
        return (best.detour, min(one.at[best.leg] + share, one.at[best.leg + 1] - 1))
    }
}

extension RideBoard {
    /// A board with these rides.
    static func holding(_ rides: [OfferedRide], campus: (OfferedRide) -> String? = { _ in nil }) throws -> RideBoard {
        var content = BoardContent()
        for ride in rides { content.put(BoardRide(ride, campus: campus(ride))) }
        let board = RideBoard()
        board.fill(content, try SeenTransactions(snapshot: "10:10:", epoch: "one"))
        return board
    }
}
