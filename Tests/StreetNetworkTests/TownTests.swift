import Testing
import WireProtocol

@testable import StreetNetwork

@Suite("Distances in towns")
struct TownTests {
    /// A block of 100 m by 100 m: 1 south-west, 2 south-east, 3 north-east, 4 north-west; the south side as given.
    private func block(south: String, nodeTags: String = "") -> Town {
        var town = Town()
        town.node(1, 0, 0)
        town.node(2, 100, 0)
        town.node(3, 100, 100)
        town.node(4, 0, 100)
        town.node(5, 50, 0, nodeTags)
        town.way(1, 5, 2, tags: south)
        town.way(2, 3, 4, 1)
        return town
    }

    @Test func the_shortest_way_is_found() throws {
        let town = block(south: "highway=residential")
        let network = try town.network()
        for profile in TravelProfile.allCases {
            #expect(isClose(network.distance(town[1], town[2], profile), 100))
            #expect(isClose(network.distance(town[1], town[3], profile), 200))
        }
        let walk = network.distance(town[1], town[3], .walk)
        #expect(abs(walk.seconds! - walk.metres / 1.3) < 1e-6)
        let drive = network.distance(town[1], town[3], .drive)
        #expect(abs(drive.seconds! - drive.metres / (25 / 3.6)) < 0.05)
    }

    @Test(arguments: ["oneway=yes", "oneway=1", "oneway=true", "junction=circular", "oneway:vehicle=yes,oneway=no"])
    func cars_go_around_a_one_way_street_and_feet_do_not(tag: String) throws {
        let town = block(south: "highway=residential,\(tag)")
        let network = try town.network()
        #expect(isClose(network.distance(town[1], town[2], .drive), 100))
        #expect(isClose(network.distance(town[2], town[1], .drive), 300))
        #expect(isClose(network.distance(town[2], town[1], .walk), 100))
    }

    @Test(arguments: ["oneway=-1", "oneway=reverse", "motor_vehicle:forward=no"])
    func a_one_way_street_may_lead_against_its_drawing(tag: String) throws {
        let town = block(south: "highway=residential,\(tag)")
        let network = try town.network()
        #expect(isClose(network.distance(town[1], town[2], .drive), 300))
        #expect(isClose(network.distance(town[2], town[1], .drive), 100))
    }

    @Test(arguments: ["oneway:foot=yes", "conveying=forward,highway=steps", "foot:backward=no"])
    func feet_have_one_way_streets_too(tag: String) throws {
        let town = block(south: "highway=footway,\(tag)")
        let network = try town.network()
        #expect(isClose(network.distance(town[1], town[2], .walk), 100))
        #expect(isClose(network.distance(town[2], town[1], .walk), 300))
    }

    @Test(arguments: [
        "highway=residential,access=private", "highway=service,access=no", "highway=construction", "highway=proposed",
        "waterway=river", "highway=residential,oneway=reversible,foot=no",
    ])
    func what_is_closed_is_not_used(tags: String) throws {
        let town = block(south: tags)
        let network = try town.network()
        for profile in TravelProfile.allCases { #expect(isClose(network.distance(town[1], town[2], profile), 300)) }
    }

    @Test func a_way_for_feet_is_none_for_cars_and_the_other_way_round() throws {
        let path = block(south: "highway=footway")
        let pathNetwork = try path.network()
        #expect(isClose(pathNetwork.distance(path[1], path[2], .walk), 100))
        #expect(isClose(pathNetwork.distance(path[1], path[2], .drive), 300))
        let motorway = block(south: "highway=motorway,oneway=no")
        let motorwayNetwork = try motorway.network()
        #expect(isClose(motorwayNetwork.distance(motorway[1], motorway[2], .walk), 300))
        #expect(isClose(motorwayNetwork.distance(motorway[1], motorway[2], .drive), 100))
    }

    @Test(arguments: [
        ("barrier=bollard", true, false), ("barrier=gate", true, true), ("barrier=gate,access=private", false, false),
        ("barrier=gate,locked=yes", false, false), ("barrier=wall", false, false),
        ("barrier=gate,foot=no", false, true),
        ("barrier=bollard,motorcar=yes", true, true), ("barrier=no,access=private", true, true),
        ("access=private", true, true),
    ])
    func barriers_stop_whom_they_are_for(tags: String, walkers: Bool, cars: Bool) throws {
        let town = block(south: "highway=residential", nodeTags: tags)
        let network = try town.network()
        #expect(isClose(network.distance(town[1], town[2], .walk), walkers ? 100 : 300))
        #expect(isClose(network.distance(town[1], town[2], .drive), cars ? 100 : 300))
    }

    @Test func one_comes_as_far_as_the_barrier_from_either_side() throws {
        let town = block(south: "highway=residential", nodeTags: "barrier=wall")
        let network = try town.network()
        let (west, east) = (town.place(45, 0), town.place(55, 0))
        #expect(isClose(network.distance(town[1], west, .walk), 45))
        #expect(isClose(network.distance(town[2], east, .walk), 45))
        #expect(isClose(network.distance(west, east, .walk), 390))
    }

    @Test func a_roundabout_goes_round_one_way() throws {
        var town = Town()
        for (id, east, north) in [(1, 20.0, 0.0), (2, 0, 20), (3, -20, 0), (4, 0, -20)] {
            town.node(Int64(id), east, north)
            town.node(Int64(id) + 10, east * 5, north * 5)
            town.way(Int64(id), Int64(id) + 10)
        }
        town.way(1, 2, 3, 4, 1, tags: "highway=residential,junction=roundabout")
        let network = try town.network()
        let side = 20 * 2.0.squareRoot()
        #expect(isClose(network.distance(town[11], town[12], .drive), 160 + side))
        #expect(isClose(network.distance(town[12], town[11], .drive), 160 + 3 * side))
        #expect(isClose(network.distance(town[12], town[11], .walk), 160 + side))
    }

    @Test func a_bridge_is_no_crossing() throws {
        var town = Town()
        for (id, east, north) in [(1, -100.0, 0.0), (2, 100, 0), (3, 0, -100), (4, 0, 100)] {
            town.node(Int64(id), east, north)
        }
        town.way(1, 2)
        town.way(3, 4, tags: "highway=residential,bridge=yes,layer=1")
        town.way(2, 4)
        let network = try town.network()
        let link = 100 * 2.0.squareRoot()
        #expect(isClose(network.distance(town[1], town[3], .walk), 400 + link))
        #expect(isClose(network.distance(town.place(-50, 0), town.place(0, -50), .walk), 300 + link))
    }

    @Test func parallel_streets_loops_and_streets_without_length_are_streets() throws {
        var town = Town()
        town.node(1, 0, 0)
        town.node(2, 100, 0)
        town.node(3, 50, 80)
        town.node(4, 100, 0)
        town.node(5, 100, 50)
        town.node(6, 150, 50)
        town.way(1, 3, 2)
        town.way(1, 2)
        town.way(2, 4)
        // A loop at one crossing, and one node twice in a row.
        town.way(4, 5, 5, 6, 4)
        town.way(6, 6)
        let network = try town.network()
        #expect(isClose(network.distance(town[1], town[4], .walk), 100))
        let (west, east) = (town.place(100, 25), town.place(125, 50))
        #expect(isClose(network.distance(west, east, .walk), 50))
        #expect(isClose(network.distance(town[1], town[6], .walk), 100 + 50 * 2.0.squareRoot()))
        #expect(network.distance(town[2], town[4], .walk).metres == 0)
    }

    @Test func the_fastest_way_is_reported_with_its_own_length() throws {
        var town = Town()
        town.node(1, 0, 0)
        town.node(2, 1000, 0)
        town.node(3, 500, 500)
        town.way(1, 2, tags: "highway=residential,maxspeed=10")
        town.way(1, 3, 2, tags: "highway=primary,maxspeed=100")
        let network = try town.network()
        let drive = network.distance(town[1], town[2], .drive)
        let length = 1000 * 2.0.squareRoot()
        #expect(isClose(drive, length))
        #expect(abs(drive.seconds! - length / (100 / 3.6)) < 0.1)
        #expect(isClose(network.distance(town[1], town[2], .walk), 1000))
    }
}
