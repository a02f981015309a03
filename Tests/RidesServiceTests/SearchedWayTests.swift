import FoundationEssentials
import Glibc
import TestKit
import Testing
import WireProtocol

@testable import RidesService

@Suite("Keys by which rides are found")
struct SearchedWayTests {
    /// Around all of the towns, by plain arithmetic (`EveryRide`): nothing that is found lacks a key.
    @Test func what_is_found_has_a_key_of_each_anchor() throws {
        var random = RandomRides(seed: 61)
        let rides = (0..<1500).map { _ in random.lasting() }
        let keys = Dictionary(uniqueKeysWithValues: rides.map { ($0.id, Set($0.searchKeys)) })
        let every = EveryRide(rides)
        var (pairs, candidates) = (0, 0)
        for number in 0..<300 {
            var wish = random.wish(within: number % 3 == 0 ? 7200 : 86_400)
            wish.mostExtra = max(RideWish.leastExtra, Int(wish.between.rounded()))
            let found = every.found(BoardQuery(wish: wish, now: noon, limit: .max - 1))
            let anchors = wish.anchors(at: noon)
            #expect(anchors.count == 2)
            for key in found {
                let own = try #require(keys[key.id])
                #expect(anchors.allSatisfy { !own.isDisjoint(with: $0) }, "\(key.extra) m")
            }
            // Who wants less extra finds some of them, by fewer keys.
            for most in [0, 3_000, 20_000] {
                var less = wish
                less.mostExtra = min(wish.mostExtra, most)
                let anchors = less.anchors(at: noon)
                for key in found where key.extra <= most {
                    let own = try #require(keys[key.id])
                    #expect(anchors.allSatisfy { !own.isDisjoint(with: $0) }, "\(key.extra) m of \(most)")
                }
            }
            pairs += found.count
            candidates += keys.values.count { !$0.isDisjoint(with: anchors[0]) }
        }
        #expect(pairs > 1000 && candidates < 300 * rides.count / 4, "\(pairs) of \(candidates)")
    }

    /// Two points beside the middle of a leg, so far away that a driver hardly comes by: nobody is found from farther.
    @Test func the_farthest_from_a_way_has_a_key() {
        var random = RandomRides(seed: 62)
        var found = 0
        for _ in 0..<2000 {
            let (start, end) = random.leg()
            var ride = random.lasting()
            ride.way = RideWay(measuring: [start, end].map { RideStopDraft(name: "Stop", position: Position($0)) })
            ride.maxDetour = RideLimits.longestDetour(of: ride.way.length)
            let between = Double(random.number(1200...30_000))
            let most = Double(min(ride.maxDetour, max(RideWish.leastExtra, Int(between))))
            let rest = max(0, Double(ride.way.length) - between)
            let aside = (2 * rest * most + most * most).squareRoot() / 2 * Double(random.number(80...100)) / 100
            let sides = random.chance(0.5) ? (aside, -aside) : (aside, aside)
            let wish = RideWish(
                from: Position(beside(start, end, -between / 2, sides.0)),
                to: Position(beside(start, end, between / 2, sides.1)), times: noon...after(hours: 300))
            guard FittedWay(ride).detour(for: wish) != nil else { continue }
            found += 1
            let keys = Set(ride.searchKeys)
            #expect(
                wish.anchors(at: noon).allSatisfy { !keys.isDisjoint(with: $0) },
                "\(ride.way.length) m, \(between) m, \(aside) m")
        }
        #expect(found > 200, "\(found)")
    }

    @Test func cells_along_a_way_have_no_gaps() {
        var random = RandomRides(seed: 63)
        for _ in 0..<30 {
            let way = random.way().points.map(\.inSpace)
            for level in EarthCell.levels {
                let cells = EarthCell.along(way, at: level)
                let isWhole = zip(way, way.dropFirst()).allSatisfy { start, end in
                    (0...500).allSatisfy { step in
                        let own = EarthCell.around(
                            (start + (end - start) * (Double(step) / 500)).raised, within: 0, at: level)
                        return own.count == 1 && cells.contains(own[0])
                    }
                }
                #expect(isWhole, "\(level)")
            }
        }
    }

    @Test func some_dozens_of_keys_are_usual_and_the_longest_ways_have_thousands_at_most() {
        let usual = Example.ride().searchKeys
        #expect(usual.count < 120 && Set(usual).count == usual.count, "\(usual.count)")
        var random = RandomRides(seed: 64)
        for _ in 0..<500 {
            let keys = random.lasting().searchKeys.count
            #expect(keys < 3000, "\(keys)")
            for anchor in random.wish().anchors(at: noon) { #expect((1...48).contains(anchor.count)) }
        }
        // Who knows the hour is found by it, and looked at with few.
        let hours = RideWish(from: salinas, to: city, times: noon...after(hours: 6))
        let anchors = hours.anchors(at: noon)
        #expect(anchors.allSatisfy { $0.count <= 4 * 16 }, "\(anchors.map(\.count))")
        #expect(anchors.joined().allSatisfy { $0.rawValue.hasPrefix("ride/h") })
        let week = RideWish(from: salinas, to: city, times: noon...after(hours: 168))
        #expect(week.anchors(at: noon).allSatisfy { $0.count <= 8 * 16 })
        #expect(week.anchors(at: after(hours: 160)).allSatisfy { $0.count <= 2 * 16 }, "not the days that are past")
    }

    // MARK: Points in space

    /// So many metres along from the middle of a leg, and to the side of it.
    private func beside(
        _ start: SIMD3<Double>, _ end: SIMD3<Double>, _ along: Double, _ aside: Double
    ) -> SIMD3<Double> {
        let middle = (start + end).raised
        let side = start.cross(end).raised
        let ahead = side.cross(middle).raised
        let foot = middle * cos(along / Earth.radius) + ahead * sin(along / Earth.radius)
        return foot * cos(aside / Earth.radius) + side * sin(aside / Earth.radius)
    }
}

extension RandomRides {
    /// Both ends of a leg, somewhere on earth, short or long.
    fileprivate mutating func leg() -> (SIMD3<Double>, SIMD3<Double>) {
        func somewhere(_ random: inout RandomRides) -> Position {
            Position(
                latitude: Double(random.number(-5500...5500)) / 100,
                longitude: Double(random.number(-17_999...17_999)) / 100)
        }
        let start = somewhere(&self).inSpace
        let side = start.cross(somewhere(&self).inSpace + SIMD3(1, 2, 3)).raised
        let ahead = side.cross(start).raised
        let turn = (chance(0.5) ? number(5_000...200_000) : number(200_000...2_900_000))
        let angle = Double(turn) / Earth.radius
        return (start, start * cos(angle) + ahead * sin(angle))
    }
}

extension SIMD3<Double> {
    fileprivate func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    /// The same direction, on the ground.
    fileprivate var raised: SIMD3<Double> { self * (Earth.radius / (self * self).sum().squareRoot()) }
}

extension Position {
    fileprivate init(_ point: SIMD3<Double>) {
        self.init(
            latitude: asin(point.z / Earth.radius) * 180 / .pi, longitude: atan2(point.y, point.x) * 180 / .pi)
    }
}
