import Foundation
import Testing
import WireProtocol

/// Whatever lies within a circle shares a key with it, wherever on the earth that is.
@Suite struct SearchCellTests {
    private struct Chance: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    /// Anywhere, at the poles, at the date line, where axes cut the ground, in one town.
    private func middle(_ chance: inout Chance) -> Position {
        func near(_ degrees: Double) -> Double { degrees + Double.random(in: -0.3...0.3, using: &chance) }
        switch Int.random(in: 0..<6, using: &chance) {
        case 0: return Position(latitude: min(90, near(89.9)), longitude: .random(in: -180...180, using: &chance))
        case 1: return Position(latitude: max(-90, near(-89.9)), longitude: .random(in: -180...180, using: &chance))
        case 2:
            let west = Bool.random(using: &chance)
            return Position(
                latitude: .random(in: -80...80, using: &chance),
                longitude: west ? max(-180, near(-180)) : min(180, near(180)))
        case 3:
            let turns = Double(Int.random(in: -1...1, using: &chance))
            return Position(latitude: near(0), longitude: near(90 * turns))
        case 4: return Position(latitude: near(1.35), longitude: near(103.85))
        default:
            let height = Double.random(in: -1...1, using: &chance)
            return Position(latitude: asin(height) * 180 / .pi, longitude: .random(in: -180...180, using: &chance))
        }
    }

    private func radius(_ chance: inout Chance) -> Int {
        let round = [1, 100, 250, 500, 1000, 2000, 5000, 10_000, 20_000, 32_000, 50_000]
        if Bool.random(using: &chance) { return round.randomElement(using: &chance) ?? 1 }
        return Int(exp(Double.random(in: 0...log(50_000), using: &chance)))
    }

    /// So many metres from it, in some direction.
    private func point(_ metres: Double, from middle: Position, _ chance: inout Chance) -> Position {
        let radians = Double.pi / 180
        let (north, east) = (middle.latitude * radians, middle.longitude * radians)
        let (turn, towards) = (metres / Earth.radius, Double.random(in: 0...(2 * .pi), using: &chance))
        let height = sin(north) * cos(turn) + cos(north) * sin(turn) * cos(towards)
        let latitude = asin(max(-1, min(1, height)))
        let longitude = east + atan2(sin(towards) * sin(turn) * cos(north), cos(turn) - sin(north) * height)
        var degrees = longitude / radians
        if degrees > 180 { degrees -= 360 }
        if degrees < -180 { degrees += 360 }
        return Position(latitude: latitude / radians, longitude: degrees)
    }

    @Test func whatLiesWithinACircleSharesAKeyWithIt() {
        var chance = Chance(state: 30)
        var within = 0
        for _ in 0..<20_000 {
            let circle = ReadSearch.Circle(middle: middle(&chance), radius: radius(&chance))
            // Often at the very edge.
            let share = Bool.random(using: &chance) ? 1 : Double.random(in: 0...1.2, using: &chance)
            let place = point(Double(circle.radius) * share, from: circle.middle, &chance)
            guard circle.middle.metres(to: place) <= Double(circle.radius) + 0.001 else { continue }
            within += 1
            let keys = SearchCells.keys(within: circle, of: "spot")
            #expect((1...8).contains(keys.count) && Set(keys).count == keys.count, "\(circle)")
            let shared = Set(SearchCells.keys(at: place, of: "spot")).intersection(keys)
            #expect(shared.count == 1, "\(circle), \(place)")
        }
        #expect(within > 15_000)
    }

    /// Else everybody would be asked about everything.
    @Test func whatLiesFarOffSharesNone() {
        var chance = Chance(state: 31)
        for _ in 0..<2000 {
            let circle = ReadSearch.Circle(middle: middle(&chance), radius: radius(&chance))
            // A cell is less than four times as wide as the circle's radius, or half a kilometre; through the earth it is a little nearer.
            let far = Double(circle.radius) * 16 + 4000
            let place = point(far, from: circle.middle, &chance)
            let keys = SearchCells.keys(within: circle, of: "spot")
            #expect(Set(SearchCells.keys(at: place, of: "spot")).isDisjoint(with: keys), "\(circle), \(place)")
        }
    }

    @Test func aCircleThatIsWiderThanAnyCellIsEverywhere() {
        let here = Position(latitude: 1.35, longitude: 103.85)
        let there = Set(SearchCells.keys(at: Position(latitude: -40, longitude: -70), of: "spot"))
        for radius in [70_000, 1_000_000, 30_000_000, Int.max] {
            let keys = SearchCells.keys(within: .init(middle: here, radius: radius), of: "spot")
            #expect(keys == [SearchKey(rawValue: "spot/*")] && there.isSuperset(of: keys))
        }
        let largest = ReadSearch.Circle(middle: here, radius: FieldRules.largestRadius)
        #expect(there.isDisjoint(with: SearchCells.keys(within: largest, of: "spot")))
        #expect(!SearchCells.keys(within: .init(middle: here, radius: -5), of: "spot").isEmpty)
    }

    @Test func keysSayOfWhatTheyAre() {
        let here = Position(latitude: 0, longitude: 0)
        let keys = SearchCells.keys(at: here, of: "spot").map(\.rawValue)
        #expect(keys.first == "spot/0:12457,0,0" && keys.last == "spot/*" && keys.count == 10)
        #expect(Set(keys).isDisjoint(with: SearchCells.keys(at: here, of: "ride").map(\.rawValue)))
    }
}
