import FoundationEssentials
import Logging
import StreetNetwork
import TestKit
import Testing
import WireProtocol

@testable import PlacesService

/// The way through some points: its legs are the distances from each to the next, its shape follows the streets.
@Suite struct RouteTests {
    private static let corners = 200

    private static func corner(_ number: Int) -> Position {
        Position(latitude: number % 2 == 0 ? 0 : 0.0015, longitude: 10 + Double(number) * 0.001)
    }

    /// A street that turns at each of its corners.
    private static let zigzag = {
        let nodes = (0..<corners).map { "n\($0 + 1) v1 T x\(corner($0).longitude) y\(corner($0).latitude)\n" }
        let path = (1...corners).map { "n\($0)" }.joined(separator: ",")
        return nodes.joined() + "w1 v1 Thighway=residential N\(path)\n"
    }()

    private static func square(at longitude: Double, _ latitude: Double = 0) -> String {
        let points = [(0.0, 0.0), (0.001, 0), (0.001, 0.001), (0, 0.001)]
        let nodes = points.enumerated().map {
            "n\($0.offset + 1) v1 T x\(longitude + $0.element.0) y\(latitude + $0.element.1)\n"
        }
        return nodes.joined() + "w1 v1 Thighway=residential,oneway=yes Nn1,n2,n3,n4,n1\n"
    }

    private func with(_ texts: String..., body: (StreetMaps) async throws -> Void) async throws {
        let directory = try TemporaryDirectory("routes")
        let folder = StreetFolder(path: directory.file("streets"))
        var listed: [ListedStreets] = []
        for (number, text) in texts.enumerated() {
            var builder = StreetNetworkBuilder()
            try builder.read(Array(text.utf8))
            let file = try folder.put(try builder.finish().0)
            listed.append(ListedStreets(source: "\(number)", file: file, attribution: "Whose \(number)"))
        }
        let maps = StreetMaps(folder: folder, atOnce: 2, logger: .quiet)
        defer { maps.stop() }
        try await maps.follow(listed)
        try await body(maps)
    }

    private func route(_ points: [Position], _ mode: TravelMode? = nil, on maps: StreetMaps) async throws -> PlaceRoute
    {
        try await maps.route(RouteQuestion(PlaceRouteQuery(points: points, mode: mode)), before: .distantFuture)
    }

    @Test(arguments: TravelMode.allCases) func each_leg_is_the_distance_of_its_two_points(mode: TravelMode) async throws
    {
        try await with(Self.zigzag, Self.square(at: 20), Self.square(at: 10, 0.003)) { maps in
            var random = SeededGenerator(seed: 28)
            var along = 0
            for _ in 0..<100 {
                let points = (0..<Int.random(in: 2...8, using: &random)).map { _ in
                    Position(
                        latitude: .random(in: -0.002...0.005, using: &random),
                        longitude: [10, 10.1, 20].randomElement(using: &random)!
                            + .random(in: -0.002...0.003, using: &random))
                }
                let route = try await route(points, mode, on: maps)
                var whose: Set<String> = []
                for (number, (from, to)) in zip(points, points.dropFirst()).enumerated() {
                    let one = try await maps.distances(
                        DistanceQuestion(PlaceDistanceQuery(from: from, to: [to], mode: mode)), before: .distantFuture)
                    #expect(route.legs[number] == one.items[0])
                    along += one.items[0].alongStreets ? 1 : 0
                    whose.formUnion(one.attribution)
                }
                #expect(route.legs.count == points.count - 1 && route.attribution == whose.sorted())
                #expect(route.shape.first == points.first && route.shape.last == points.last)
                #expect(route.shape.count <= 32)
            }
            #expect(along > 50)
        }
    }

    @Test func the_shape_follows_the_streets_in_few_points() async throws {
        try await with(Self.zigzag) { maps in
            let ends = [Self.corner(0), Self.corner(20)]
            let short = try await route(ends, on: maps)
            #expect(short.shape == (0...20).map(Self.corner), "each corner")
            let way = zip(short.shape, short.shape.dropFirst()).reduce(0) { $0 + $1.0.metres(to: $1.1) }
            #expect(abs(way - Double(short.legs[0].metres)) < 2)
            let there = [Self.corner(0), Self.corner(Self.corners - 1), Self.corner(3)]
            let long = try await route(there, on: maps)
            #expect(long.shape.count == 32 && long.shape.first == there[0] && long.shape.last == there[2])
            #expect(long.shape.contains(there[1]), "where it turns back")
            #expect(long.shape.allSatisfy { (0..<Self.corners).map(Self.corner).contains($0) })
            let longitudes = long.shape.map(\.longitude)
            let turn = try #require(long.shape.firstIndex(of: there[1]))
            #expect(longitudes[...turn] == longitudes[...turn].sorted()[...])
            #expect(longitudes[turn...].reversed() == longitudes[turn...].sorted())
        }
    }

    @Test func elsewhere_it_goes_straight_on() async throws {
        try await with(Self.square(at: 10)) { maps in
            let (a, b, c) = (
                Position(latitude: 0, longitude: 10), Position(latitude: 0.001, longitude: 10.001),
                Position(latitude: 4, longitude: 11)
            )
            let mixed = try await route([a, b, c], on: maps)
            #expect(mixed.legs.map(\.alongStreets) == [true, false] && mixed.legs[1].seconds == nil)
            #expect(mixed.shape == [a, Position(latitude: 0, longitude: 10.001), b, c])
            #expect(mixed.attribution == ["Whose 0"])
            // On foot nobody minds a one-way street.
            #expect(try await route([b, a], .walking, on: maps).legs[0].metres == mixed.legs[0].metres)
            #expect((222...223).contains(try await route([b, a], on: maps).legs[0].metres))
            let same = try await route([c, c, a, a], on: maps)
            #expect(same.legs[0] == PlaceDistance(metres: 0, seconds: nil, alongStreets: false))
            #expect(same.legs[2] == PlaceDistance(metres: 0, seconds: 0, alongStreets: true))
            #expect(same.shape == [c, a] && same.legs.count == 3)
        }
        try await with { maps in
            let points = (0..<8).map { Position(latitude: Double($0 % 2), longitude: 179.5 + Double($0) * 0.05) }
            let east = points.map { Position(latitude: $0.latitude, longitude: $0.longitude - 359) }
            let over = try await route([points[0], points[1]] + east[2...].map { $0 }, on: maps)
            #expect(over.legs.allSatisfy { !$0.alongStreets && $0.seconds == nil && $0.metres < 300_000 })
            #expect(over.shape.count == 8 && over.attribution.isEmpty)
        }
    }

    @Test func what_is_no_way_is_refused_at_its_field() {
        func fields(_ points: [Position]) -> [String] {
            do throws(PlaceError) { _ = try RouteQuestion(PlaceRouteQuery(points: points)) } catch {
                guard case .invalid(let errors) = error else { return [] }
                return errors.map { "\($0.field) \($0.code)" }
            }
            return []
        }
        let (here, nowhere) = (Position(latitude: 0, longitude: 10), Position(latitude: 0, longitude: .infinity))
        #expect(fields([]) == ["points too_few"] && fields([here]) == ["points too_few"])
        #expect(fields(Array(repeating: here, count: 9)) == ["points too_many"])
        #expect(fields([here, nowhere]) == ["points out_of_range"])
        #expect(fields(Array(repeating: here, count: 8)).isEmpty)
    }

    @Test func few_points_are_chosen_by_how_far_they_are_from_the_line() {
        func point(_ east: Double, _ north: Double) -> Position {
            Position(latitude: 60 + north / 111_000, longitude: 25 + east / 55_500)
        }
        let straight = (0...1000).map { point(Double($0) * 10, 0) }
        #expect(WayShape.simplified(straight) == [straight[0], straight[1000]])
        var bent = straight
        bent[500] = point(5000, 40)
        #expect(WayShape.simplified(bent).contains(bent[500]))
        // Around a block and back to where it began.
        let block = [point(0, 0), point(100, 0), point(100, 100), point(0, 100), point(0, 0)]
        #expect(WayShape.simplified(block) == block)
        #expect(WayShape.simplified([block[0]]) == [block[0]] && WayShape.simplified([]).isEmpty)
        let over = [179.99, 179.999, -179.999, -179.99].map { Position(latitude: 0, longitude: $0) }
        #expect(WayShape.simplified(over) == [over[0], over[3]], "no farther than any other line")
    }
}
