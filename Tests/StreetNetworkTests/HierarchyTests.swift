import Testing
import WireProtocol

@testable import StreetNetwork

/// The hierarchy beside Dijkstra's algorithm on the streets themselves, in towns that chance draws.
@Suite("Contraction hierarchies")
struct HierarchyTests {
    /// Places on a coarse grid, so that many ways are equally long and some streets have no length at all.
    private func town(_ seed: UInt64, nodes: Int, feetHaveOneWays: Bool = true) -> Town {
        var chance = Chance(state: seed)
        var town = Town()
        for id in 1...nodes {
            town.node(
                Int64(id), Double(Int.random(in: 0...8, using: &chance)) * 50,
                Double(Int.random(in: 0...8, using: &chance)) * 50)
        }
        let tags =
            [
                "highway=residential", "highway=residential,oneway=yes", "highway=primary,maxspeed=80",
                "highway=footway",
                "highway=service,oneway=-1",
            ] + (feetHaveOneWays ? ["highway=steps,oneway:foot=yes"] : [])
        for _ in 0..<nodes * 5 / 4 {
            let path = (0..<Int.random(in: 2...4, using: &chance)).map { _ in
                Int64.random(in: 1...Int64(nodes), using: &chance)
            }
            town.way(path, tags: tags.randomElement(using: &chance)!)
        }
        return town
    }

    /// From one vertex to all others, without any hierarchy.
    private func dijkstra(from start: Int, in network: ProfileNetwork) -> [UInt64] {
        var costs = [UInt64](repeating: Cost.unreachable, count: network.vertexCount)
        var isSettled = [Bool](repeating: false, count: network.vertexCount)
        var exits = [[(Int, UInt64)]](repeating: [], count: network.vertexCount)
        for road in 0..<network.roadCount {
            let (from, to) = (Int(network.from[road]), Int(network.to[road]))
            let cost = { (time: UInt32) in UInt64(time) << 36 + UInt64(network.length[road]) }
            if network.forward[road] != .max { exits[from].append((to, cost(network.forward[road]))) }
            if network.backward[road] != .max { exits[to].append((from, cost(network.backward[road]))) }
        }
        costs[start] = 0
        while let vertex = costs.indices.filter({ !isSettled[$0] && costs[$0] != .max }).min(by: {
            costs[$0] < costs[$1]
        }) {
            isSettled[vertex] = true
            for (head, cost) in exits[vertex] { costs[head] = min(costs[head], costs[vertex] + cost) }
        }
        return costs
    }

    @Test(arguments: 1...12) func distances_are_those_of_dijkstra(seed: Int) throws {
        let network = try town(UInt64(seed), nodes: [5, 20, 60, 90][seed % 4]).network()
        for profile in TravelProfile.allCases {
            let arrays = network.network(profile).arrays
            let memory = QueryMemory(vertexCount: arrays.vertexCount)
            var (pairs, reached) = (0, 0)
            for start in 0..<arrays.vertexCount {
                let expected = dijkstra(from: start, in: arrays)
                let query = HierarchyQuery(from: [Entry(vertex: start, cost: 0)], in: arrays, with: memory)
                // Some twice, and not in order: what a target found is kept for the next.
                for target in Array((0..<arrays.vertexCount).reversed()) + [0] {
                    #expect(query.cost(to: target) == expected[target], "\(profile): \(start) → \(target)")
                    pairs += 1
                    reached += expected[target] == Cost.unreachable ? 0 : 1
                }
            }
            #expect(pairs > 10 && reached * 20 > pairs)
        }
    }

    @Test(arguments: [3, 14, 15]) func on_foot_there_and_back_are_the_same_and_detours_are_no_shorter(seed: Int) throws
    {
        let town = town(UInt64(seed), nodes: 60, feetHaveOneWays: false)
        let network = try town.network()
        var chance = Chance(state: UInt64(seed))
        var alongStreets = 0
        for _ in 0..<400 {
            // Along streets only: a straight line is no way, and may be shorter than one.
            let places = (0..<3).map { _ in town[Int64.random(in: 1...60, using: &chance)] }
            let there = network.distance(places[0], places[1], .walk, within: 0.1)
            #expect(there == network.distance(places[1], places[0], .walk, within: 0.1))
            #expect(there.metres >= places[0].metres(to: places[1]))
            let first = network.distance(places[0], places[2], .walk, within: 0.1)
            let second = network.distance(places[2], places[1], .walk, within: 0.1)
            guard there.isAlongStreets, first.isAlongStreets, second.isAlongStreets else { continue }
            alongStreets += 1
            #expect(there.metres <= first.metres + second.metres + 0.01)
        }
        #expect(alongStreets > 50)
    }

    @Test(arguments: TravelProfile.allCases) func one_to_many_is_one_to_each(profile: TravelProfile) throws {
        let town = town(5, nodes: 90)
        let network = try town.network()
        var chance = Chance(state: 5)
        let places = (0..<40).map { _ in
            town.place(.random(in: -50...450, using: &chance), .random(in: -50...450, using: &chance))
        }
        for origin in places.prefix(10) {
            let together = network.distances(from: origin, to: places, by: profile)
            #expect(together == places.map { network.distance(origin, $0, profile) })
            #expect(together.count { $0.isAlongStreets } > 10)
        }
    }

    @Test func many_may_ask_at_once() async throws {
        let town = town(6, nodes: 90)
        let network = try town.network()
        let places = (1...90).map { town[$0] }
        let expected = places.map { network.distances(from: $0, to: places, by: .drive) }
        await withTaskGroup { group in
            for round in 0..<200 {
                let place = places[round % places.count]
                group.addTask {
                    network.distances(from: place, to: places, by: .drive) == expected[round % expected.count]
                }
            }
            for await isSame in group { #expect(isSame) }
        }
    }

    @Test func costs_that_no_way_has_are_none() {
        #expect(Cost.sum(Cost.limit - 1, 1) == Cost.unreachable)
        #expect(Cost.sum(Cost.limit - 1, Cost.limit - 1) == Cost.unreachable)
        #expect(Cost.sum(Cost.limit - 2, 1) == Cost.limit - 1)
        let cost = Cost.of(millimetres: 1 << 36 - 1, centiseconds: 1 << 27 - 1)
        #expect(
            Cost.centiseconds(cost) == 1 << 27 - 1 && Cost.millimetresOfDrive(cost) == 1 << 36 - 1 && cost < Cost.limit)
    }
}
