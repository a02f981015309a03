import Testing
import WireProtocol

@testable import StreetNetwork

@Suite("Reading OPL")
struct InputTests {
    private func object(_ line: String) throws -> OPLObject { try OPLObject(line: Array(line.utf8)[...]) }

    @Test func a_line_is_an_object() throws {
        #expect(
            try object(
                "n12 v3 dV c0 t2014-12-10T20:57:11Z i0 u Tbarrier=gate,name=A%20%b%2c%c%1f642% x24.9370245 y-60.5")
                == .node(
                    id: 12, point: GridPoint(x: 249_370_245, y: -605_000_000),
                    tags: ["barrier": "gate", "name": "A b,c\u{1F642}"]))
        #expect(
            try object("w-4 Thighway=path Nn1,n-2x1.5y2,n3")
                == .way(id: -4, nodes: [1, -2, 3], tags: ["highway": "path"]))
        for line in ["", "r1 Ttype=route Mw1@", "c7 k3", "n1 v2 dD", "n1 dV x y", "w1 dD T N"] {
            #expect(try object(line) == .other)
        }
        #expect(try object("n1 x-0.5 y0") == .node(id: 1, point: GridPoint(x: -5_000_000, y: 0), tags: [:]))
    }

    @Test(arguments: [
        "hello", "n", "nx", "n1x", "n1 x181 y0", "n1 x0 y90.0000001", "n1 x1.2.3 y0", "n1 x1e2 y0", "n1 x- y0",
        "w1 Nw2",
        "w1 Nn", "w1 Thighway", "w1 T%zz%=1", "w1 T%20=1", "w1 T%d800%=1", "n99999999999999999999 x0 y0",
        "{\"type\": \"Feature\"}", "\u{0}\u{1}",
    ]) func what_is_no_opl_is_refused(line: String) {
        var builder = StreetNetworkBuilder()
        #expect {
            try builder.read(Array("n1 x0 y0\n\(line)\n".utf8))
        } throws: {
            guard case .malformedInput(let number, _) = $0 as? StreetNetworkError else { return false }
            return number == 2
        }
    }

    @Test func a_line_without_end_is_refused_before_it_fills_the_memory() throws {
        var builder = StreetNetworkBuilder()
        let piece = [UInt8](repeating: UInt8(ascii: "n"), count: 1 << 20)
        #expect(throws: StreetNetworkError.self) { for _ in 0..<20 { try builder.read(piece) } }
    }

    /// The same bytes, however the text comes in and whenever it is read.
    @Test(arguments: [1, 7, 64, 100_000]) func pieces_of_any_size_make_the_same_file(size: Int) throws {
        var town = Town()
        for id in 1...30 { town.node(Int64(id), Double(id % 6) * 70, Double(id / 6) * 50) }
        for id in 1..<30 { town.way(Int64(id), Int64(id) + 1, Int64(1 + id * 7 % 30)) }
        let whole = town.text
        var builder = StreetNetworkBuilder()
        // The last line need not end.
        var rest = Array(whole.utf8.dropLast())[...]
        while !rest.isEmpty {
            try builder.read(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        try builder.read(Array("\n".utf8))
        #expect(try builder.finish().0.bytes == town.network().bytes)
    }

    @Test func what_is_missing_or_cannot_be_is_counted_and_left_out() throws {
        var town = Town()
        town.node(1, 0, 0)
        town.node(2, 100, 0)
        town.node(3, 200, 0)
        town.node(4, 300, 0)
        town.node(5, 400_000, 0)
        town.node(6, 400_100, 0, "barrier=bollard")
        town.way(1, 2, 99, 3, 4)
        town.way(4, 5, 6, tags: "highway=residential")
        town.way(1, tags: "highway=residential")
        town.way(1, 4, tags: "railway=rail")
        let (network, summary) = try town.build()
        #expect(summary.nodes == 6 && summary.ways == 4 && summary.walkable == 2 && summary.drivable == 2)
        #expect(summary.barriers == 1 && summary.missingNodes == 2 && summary.overlongSteps == 2)
        #expect(isClose(network.distance(town[3], town[4], .walk), 100))
        #expect(isClose(network.distance(town[5], town[6], .walk), 100))
        #expect(!network.distance(town[1], town[4], .walk, within: 50).isAlongStreets)
        #expect(!network.distance(town[4], town[5], .drive).isAlongStreets)
    }

    @Test func nodes_in_any_order_are_found() throws {
        let text = """
            n3 x0.002 y0
            n1 x0 y0
            n2 x0.001 y0
            w1 Thighway=path Nn1,n2,n3

            """
        var builder = StreetNetworkBuilder()
        try builder.read(Array(text.utf8))
        let network = try builder.finish().0
        let places = [0, 0.002].map { Position(latitude: 0, longitude: $0) }
        #expect(
            isClose(network.distance(places[0], places[1], .walk), places[0].metres(to: places[1])))
    }

    @Test(
        arguments: [
            ("30", 30), ("30 km/h", 30), ("20 mph", 32.18688), ("20mph", 32.18688), ("none", 130), ("DE:urban", 50),
            ("walk", 5), ("signals", nil), ("", nil), ("-5", nil), ("nan", nil), ("inf", nil), ("3 knots", nil),
        ] as [(String, Double?)]) func speed_limits(text: String, expected: Double?)
    {
        #expect(DrivingSpeed.kilometresPerHour(text) == expected)
    }

    @Test(
        arguments: [
            (["highway": "residential"], 25), (["highway": "residential", "maxspeed": "40"], 40),
            (["highway": "primary", "surface": "gravel"], 30), (["highway": "track", "motorcar": "yes"], 10),
            (["highway": "primary", "maxspeed": "9000"], 140), (["highway": "primary", "maxspeed": "0.1"], 5),
            (["highway": "primary", "maxspeed:forward": "60", "maxspeed": "40"], 60),
        ] as [([String: String], Double)]) func speeds(tags: [String: String], kilometresPerHour: Double)
    {
        #expect(StreetRules.usage(of: tags, by: .drive).forward == kilometresPerHour / 3.6)
    }
}
