import Testing
import WireProtocol

@testable import StreetNetwork

/// Which streets a way leads along, and how far it is the other way round.
@Suite("Ways and the way back")
struct WayTests {
    /// Streets by chance, some of them one-way; many are equally long.
    private func town(_ seed: UInt64, nodes: Int) -> Town {
        var chance = Chance(state: seed)
        var town = Town()
        for id in 1...nodes {
            town.node(
                Int64(id), Double(Int.random(in: 0...8, using: &chance)) * 50,
                Double(Int.random(in: 0...8, using: &chance)) * 50)
        }
        let kinds = [
            "highway=residential", "highway=residential,oneway=yes", "highway=primary,maxspeed=80",
            "highway=service,oneway=-1", "highway=steps,oneway:foot=yes",
        ]
        for _ in 0..<nodes * 5 / 4 {
            let path = (0..<Int.random(in: 2...4, using: &chance)).map { _ in
                Int64.random(in: 1...Int64(nodes), using: &chance)
            }
            town.way(path, tags: kinds.randomElement(using: &chance)!)
        }
        return town
    }

    private func places(_ count: Int, of town: Town, _ seed: UInt64) -> [Position] {
        var chance = Chance(state: seed)
        return (0..<count).map { _ in
            town.place(.random(in: -80...480, using: &chance), .random(in: -80...480, using: &chance))
        }
    }

    @Test(arguments: 1...8) func from_many_to_one_is_from_each_to_it(seed: Int) throws {
        let town = town(UInt64(seed), nodes: [6, 30, 90][seed % 3])
        let network = try town.network()
        let places =
            places(30, of: town, UInt64(seed)) + [town[1], town[1], town[2], Position(latitude: 60, longitude: 0)]
        var differs = 0
        for profile in TravelProfile.allCases {
            for origin in places {
                let back = network.distances(from: origin, to: places, by: profile, backwards: true)
                let oneByOne = places.map { network.distance($0, origin, profile) }
                #expect(back == oneByOne, "\(profile)")
                let there = network.distances(from: origin, to: places, by: profile)
                differs += zip(back, there).count { abs($0.metres - $1.metres) > 1 }
            }
        }
        #expect(differs > 20, "one-way streets matter")
    }

    /// The sum of its pieces costs what the way costs, each piece begins where the one before ended, and may be gone along.
    @Test(arguments: 1...8) func the_streets_of_a_way_are_as_long_as_it_is_said_to_be(seed: Int) throws {
        let town = town(UInt64(seed) + 100, nodes: [6, 30, 90][seed % 3])
        let network = try town.network()
        let places = places(20, of: town, UInt64(seed)) + [town[1], town[2]]
        var checked = 0
        for profile in TravelProfile.allCases {
            let arrays = network.network(profile).arrays
            let memory = QueryMemory(vertexCount: arrays.vertexCount)
            for origin in places.flatMap({ arrays.snaps(of: $0, within: 300) }) {
                for target in places.flatMap({ arrays.snaps(of: $0, within: 300) }) {
                    let query = StreetQuery(from: origin, in: arrays, with: memory)
                    let cost = query.cost(to: target)
                    let way = query.way(to: target)
                    #expect((way == nil) == (cost == Cost.unreachable))
                    guard let way else { continue }
                    checked += 1
                    let metres = profile == .walk ? Double(cost) : Double(Cost.millimetresOfDrive(cost))
                    let long = way.reduce(0.0) { $0 + abs(Double($1.end) - Double($1.begin)) }
                    #expect(long == metres)
                    for piece in way where piece.begin != piece.end {
                        let time = piece.begin < piece.end ? arrays.forward : arrays.backward
                        #expect(time[piece.road] != Roads.closed, "against a one-way street")
                    }
                    let points = way.map { arrays.points(of: $0) }
                    for (one, next) in zip(points, points.dropFirst()) {
                        #expect(one.last!.metres(to: next.first!) < 0.05)
                    }
                    let drawn = points.reduce(0.0) { sum, part in
                        sum + zip(part, part.dropFirst()).reduce(0) { $0 + $1.0.metres(to: $1.1) }
                    }
                    #expect(abs(drawn * 1000 - metres) < 100)
                }
            }
        }
        #expect(checked > 50)
    }

    @Test func a_way_begins_and_ends_at_the_places_and_is_none_where_the_line_is_straight() throws {
        var town = Town()
        town.node(1, 0, 0)
        town.node(2, 100, 0)
        town.node(3, 100, 100)
        town.way(1, 2)
        town.way(2, 3, tags: "highway=residential,oneway=yes")
        let network = try town.network()
        let (a, b) = (town.place(20, 10), town.place(110, 60))
        let way = try #require(network.way(from: a, to: b, by: .drive))
        #expect(way == [a, town.place(20, 0), town[2], town.place(100, 60), b])
        #expect(network.way(from: b, to: a, by: .drive, within: 30) == nil, "against a one-way street")
        // Who may walk so far goes by the street that leads somewhere.
        #expect(network.way(from: b, to: a, by: .drive)?.first == b)
        #expect(network.way(from: b, to: a, by: .walk) == way.reversed())
        #expect(network.way(from: a, to: a, by: .drive) == nil, "they are in one yard")
        #expect(network.way(from: town[1], to: town[1], by: .drive) == [town[1]])
        #expect(network.way(from: a, to: Position(latitude: 50, longitude: 8), by: .drive) == nil)
        #expect(network.way(from: a, to: Position(latitude: .nan, longitude: 8), by: .drive) == nil)
    }

    @Test func a_way_crosses_the_date_line() throws {
        let network = try StreetNetwork.acrossTheDateLine()
        let (west, east) = (Position(latitude: -17, longitude: 179.9995), Position(latitude: -17, longitude: -179.9995))
        let way = try #require(network.way(from: west, to: east, by: .drive))
        #expect(way == [west, east])
        let back = try #require(network.way(from: Position(latitude: -17, longitude: -179.9985), to: west, by: .drive))
        #expect(back.map(\.longitude) == [-179.9985, -179.999, 179.9995])
    }
}
