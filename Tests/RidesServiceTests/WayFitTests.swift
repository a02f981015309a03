import FoundationEssentials
import Testing
import WireProtocol

@testable import RidesService

@Suite("How a way goes with what somebody looks for")
struct WayFitTests {
    /// Who finds a ride by a detour is told the same one when they ask for a seat.
    @Test func detoursAreThoseThatWhoAsksIsTold() throws {
        var random = RandomRides(seed: 3)
        var some = 0
        for _ in 0..<3000 {
            let (way, wish) = (random.way(), random.wish())
            var errors: [FieldError] = []
            let part = way.part(
                from: SeatPointDraft(name: "Here", position: wish.from),
                to: SeatPointDraft(name: "There", position: wish.to), errors: &errors)
            let told = try #require(part, "\(errors)")
            let fitted = FittedWay(
                points: way.points, metres: way.stops.map(\.at), departsAt: wish.times.lowerBound,
                leavesBy: wish.times.upperBound, detourLeft: 40_000_000)
            var any = RideWish(from: wish.from, to: wish.to, times: wish.times)
            any.mostExtra = RandomRides.anywhere
            guard let fit = fitted.detour(for: any) else { continue }
            some += 1
            #expect([fit.boardsAt, fit.leavesAt, fit.detour] == [told.boarding.at, told.leaving.at, told.detour])
        }
        #expect(some > 2500)
    }

    @Test func whatIsMeasuredRoughlyIsNeverMoreThanItIs() throws {
        var random = RandomRides(seed: 10)
        for _ in 0..<5000 {
            let (way, wish) = (random.way(), random.wish())
            let stops = way.stops.map { stop in
                var place = GridPoint(stop.position).position.onUnitSphere
                place.w = Float(stop.at)
                return place
            }
            let rough = stops.withUnsafeBufferPointer { RoughDistances(wish).measure($0) }
            let fitted = FittedWay(
                points: way.points, metres: way.stops.map(\.at), departsAt: wish.times.lowerBound,
                leavesBy: wish.times.upperBound, detourLeft: 40_000_000)
            guard let near = fitted.near(wish) else { continue }
            #expect(rough.near <= Float(near.extra))
            if near.extra < 100_000 { #expect(rough.near > Float(near.extra) - 50) }
            if let detour = fitted.detour(for: wish) { #expect(rough.detour <= Float(detour.extra)) }
        }
    }
}
