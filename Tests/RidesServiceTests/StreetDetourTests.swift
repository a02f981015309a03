import FoundationEssentials
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import RidesService

@Suite("Detours along streets")
struct StreetDetourTests {
    private static let stops = Example.way.points
    private static let (paso, king, gilroy) = (
        Example.paso.onGrid, Example.kingCity.onGrid, Example.gilroy.onGrid
    )

    private static var ride: OfferedRide {
        var ride = Example.ride()
        ride.legs = [StreetLeg(metres: 240_000, seconds: 9000), StreetLeg(metres: 170_000, seconds: 6500)]
        return ride
    }

    private static func known(_ ways: [(Position, Position, Int, Int)]) -> KnownStreets {
        var known = KnownStreets()
        for (from, to, metres, seconds) in ways { known[from, to] = StreetLeg(metres: metres, seconds: seconds) }
        return known
    }

    private static func part(_ from: SeatPointDraft?, _ to: SeatPointDraft?) throws -> WayPart {
        var errors: [FieldError] = []
        return try #require(ride.way.part(from: from, to: to, errors: &errors), "\(errors)")
    }

    private static let here = Example.own("Paso Robles", Example.paso)
    private static let there = Example.own("Gilroy", Example.gilroy)

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let from: SeatPointDraft?
        let to: SeatPointDraft?
        let ways: [(Position, Position, Int, Int)]
        let expected: StreetLeg
    }

    static let cases = [
        Case(
            testDescription: "both on one leg", from: here, to: Example.own("King City", Example.kingCity),
            ways: [
                (stops[0], paso, 50_000, 2000), (paso, king, 80_000, 3000), (king, stops[1], 140_000, 4500),
            ], expected: StreetLeg(metres: 30_000, seconds: 500)),
        Case(
            testDescription: "each on its own", from: here, to: there,
            ways: [
                (stops[0], paso, 50_000, 2000), (paso, stops[1], 205_000, 7100),
                (stops[1], gilroy, 60_000, 2500), (gilroy, stops[2], 130_000, 4600),
            ], expected: StreetLeg(metres: 15_000 + 20_000, seconds: 100 + 600)),
        Case(
            testDescription: "to a stop", from: here, to: SeatPointDraft(stop: 1),
            ways: [(stops[0], paso, 50_000, 2000), (paso, stops[1], 205_000, 7100)],
            expected: StreetLeg(metres: 15_000, seconds: 100)),
        Case(
            testDescription: "from a stop", from: SeatPointDraft(stop: 1), to: there,
            ways: [(stops[1], gilroy, 60_000, 2500), (gilroy, stops[2], 130_000, 4600)],
            expected: StreetLeg(metres: 20_000, seconds: 600)),
    ]

    @Test(arguments: cases) func what_is_asked_for_and_what_comes_of_it(_ one: Case) throws {
        let part = try Self.part(one.from, one.to)
        let asked = Self.ride.streets(for: part)
        #expect(asked.map(\.from) == one.ways.map(\.0) && asked.map(\.to) == one.ways.map(\.1))
        let measured = Self.ride.measured(part, along: Self.known(one.ways))
        #expect(measured.detour == one.expected.metres && measured.detourSeconds == one.expected.seconds)
        #expect(
            measured.detour >= part.detour && measured.boarding == part.boarding && measured.leaving == part.leaving)
        for missing in one.ways.indices {
            var ways = one.ways
            ways.remove(at: missing)
            #expect(Self.ride.measured(part, along: Self.known(ways)) == part, "half a way is none")
        }
        var unknown = Self.ride
        unknown.legs = nil
        #expect(unknown.streets(for: part).isEmpty && unknown.measured(part, along: Self.known(one.ways)) == part)
    }

    @Test func the_straight_line_counts_where_it_is_more() throws {
        let part = try Self.part(Self.here, SeatPointDraft(stop: 1))
        let known = Self.known([(Self.stops[0], Self.paso, 40_000, 1500), (Self.paso, Self.stops[1], 190_000, 7000)])
        let measured = Self.ride.measured(part, along: known)
        #expect(part.detour > 0 && measured.detour == part.detour && measured.detourSeconds == 0)
    }

    @Test func from_stop_to_stop_nothing_is_asked() throws {
        let part = try Self.part(SeatPointDraft(stop: 0), nil)
        #expect(Self.ride.streets(for: part).isEmpty)
        #expect(Self.ride.measured(part, along: Self.known([])) == part && part.detourSeconds == nil)
    }

    /// Where one gets in and out says on which legs; for any way, as plain arithmetic has it.
    @Test func the_legs_are_those_into_which_the_points_are_put() {
        var random = RandomRides(seed: 21)
        let streets = MadeUpStreets()
        var (one, two) = (0, 0)
        for _ in 0..<2000 {
            var (ride, wish) = (random.ride(), random.wish())
            guard let legs = streets.legs(ride.way.points) else { continue }
            ride.legs = legs
            var errors: [FieldError] = []
            let part = ride.way.part(
                from: Example.own("Here", wish.from), to: Example.own("There", wish.to), errors: &errors)
            guard let part else { continue }
            var known = KnownStreets()
            for (from, to) in ride.streets(for: part) { known[from, to] = streets.way(from, to) }
            let found = ride.measured(part, along: known)
            // Whichever legs mean that detour in straight lines: more than one do where two are equally far.
            let all = ride.straightDetours(of: wish).filter { $0.metres == part.detour }.map { choice in
                choice.bends.map { streets.detour($0.points, on: $0.leg, of: ride) }
            }
            #expect(
                all.contains { legs in
                    max(part.detour, legs.reduce(0) { $0 + $1.metres }) == found.detour
                        && legs.reduce(0) { $0 + $1.seconds } == found.detourSeconds
                })
            if all.first?.count == 1 { one += 1 } else { two += 1 }
        }
        #expect(one > 100 && two > 100)
    }

    @Test func questions_are_as_few_as_there_are_points_and_directions() async throws {
        let streets = MadeUpStreets()
        var wanted = WantedStreets()
        #expect(wanted.isEmpty && wanted.widest == 0)
        let parts = [
            try Self.part(Self.here, Self.there), try Self.part(Self.here, SeatPointDraft(stop: 2)),
            try Self.part(SeatPointDraft(stop: 0), Self.there),
        ]
        let own: Set = [Self.paso, Self.gilroy]
        for part in parts { wanted.insert(Self.ride.streets(for: part), around: own) }
        let known = try await wanted.ask(streets.askForStreets, patience: 1)
        let asked = streets.questions.withLock(\.self)
        #expect(asked.count == 4 && Set(asked.map(\.point)) == own)
        for part in parts {
            for (from, to) in Self.ride.streets(for: part) { #expect(known[from, to] == streets.way(from, to)) }
        }
        #expect(known[Self.paso, Self.paso] == StreetLeg(metres: 0, seconds: 0))
        #expect(known[Self.gilroy, Self.paso] == nil)
    }

    @Test func stops_of_one_field_have_no_way_between_them() {
        let (a, b, c) = (Self.paso, Self.king, Self.gilroy)
        let some = [StreetLeg(metres: 1, seconds: 2), StreetLeg(metres: 3, seconds: 4)]
        let nothing = StreetLeg(metres: 0, seconds: 0)
        #expect([a, a, b, b, b, c].distinct == [a, b, c])
        #expect([a, a, b, b, b, c].legs(some) == [nothing, some[0], nothing, nothing, some[1]])
        #expect([a, b, c].legs(some) == some)
    }
}

extension OfferedRide {
    /// Ways to put both points of a wish into the way: the metres in straight lines, and which points on which legs.
    struct StraightDetour {
        var metres: Int
        var bends: [(leg: Int, points: [Position])]
    }

    func straightDetours(of wish: RideWish) -> [StraightDetour] {
        let (points, start, end) = (way.points, wish.from.onGrid, wish.to.onGrid)
        func cost(_ chain: [Position], _ leg: Int) -> Int {
            let whole = zip(chain, chain.dropFirst()).reduce(0.0) { $0 + $1.0.metres(to: $1.1) }
            return max(0, Int(whole.rounded()) - (way.stops[leg + 1].at - way.stops[leg].at))
        }
        let legs = 0..<points.count - 1
        let together = legs.map { leg in
            StraightDetour(
                metres: cost([points[leg], start, end, points[leg + 1]], leg), bends: [(leg, [wish.from, wish.to])])
        }
        let apart = legs.flatMap { last in
            (0..<last).map { first in
                StraightDetour(
                    metres: cost([points[first], start, points[first + 1]], first)
                        + cost([points[last], end, points[last + 1]], last),
                    bends: [(first, [wish.from]), (last, [wish.to])])
            }
        }
        return together + apart
    }
}
