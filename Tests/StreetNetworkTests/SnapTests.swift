import Testing
import WireProtocol

@testable import StreetNetwork

@Suite("From a place to its street")
struct SnapTests {
    /// A street along the equator's way, 1 km, and a lane of 40 m beside it, 30 m north, that nothing leads to.
    private var town: Town {
        var town = Town()
        town.node(1, 0, 0)
        town.node(2, 500, 0)
        town.node(3, 1000, 0)
        town.node(4, 480, 30)
        town.node(5, 520, 30)
        town.way(1, 2)
        town.way(2, 3)
        town.way(4, 5)
        return town
    }

    @Test func the_way_to_the_middle_of_the_street_is_added() throws {
        let network = try town.network()
        let (a, b) = (town.place(200, 20), town.place(800, -40))
        #expect(isClose(network.distance(a, b, .walk), 20 + 600 + 40))
        let drive = network.distance(a, b, .drive)
        #expect(isClose(drive, 660))
        // To and from the car on foot.
        #expect(abs(drive.seconds! - (600 / (25 / 3.6) + 60 / 1.3)) < 0.1)
    }

    @Test func who_is_beside_an_islet_goes_by_the_street_that_leads_somewhere() throws {
        let network = try town.network()
        let beside = town.place(500, 35)
        #expect(isClose(network.distance(beside, town[1], .walk), 35 + 500))
        #expect(isClose(network.distance(town[1], beside, .walk), 35 + 500))
        // Within it one stays in it.
        #expect(isClose(network.distance(town.place(482, 30), town.place(518, 30), .walk), 36))
        // And where nothing else is in reach, there is no way.
        #expect(network.distance(beside, town[1], .walk, within: 20) == .straightLine(from: beside, to: town[1]))
    }

    @Test func too_far_from_any_street_is_a_straight_line_that_says_so() throws {
        let network = try town.network()
        let far = town.place(0, 400)
        let expected = StreetDistance.straightLine(from: far, to: town[3])
        #expect(!expected.isAlongStreets && expected.seconds == nil && abs(expected.metres - 1077.03) < 0.1)
        #expect(network.distance(far, town[3], .walk) == expected)
        #expect(network.distance(town[3], far, .drive).isAlongStreets == false)
        #expect(isClose(network.distance(far, town[3], .walk, within: 500), 1400))
    }

    @Test func two_in_one_yard_meet_there() throws {
        let network = try town.network()
        let (a, b) = (town.place(200, -100), town.place(220, -100))
        #expect(network.distance(a, b, .walk) == .straightLine(from: a, to: b))
        #expect(network.distance(a, a, .walk).metres == 0)
        #expect(
            network.distance(town[2], town[2], .drive) == StreetDistance(metres: 0, seconds: 0, isAlongStreets: true))
    }

    @Test func no_network_and_nothing_valid_are_straight_lines_too() throws {
        let empty = try Town().network()
        let (a, b) = (town.place(0, 0), town.place(300, 0))
        #expect(empty.distances(from: a, to: [b, a], by: .walk).map(\.isAlongStreets) == [false, false])
        #expect(empty.distances(from: a, to: [], by: .walk).isEmpty)
        let network = try town.network()
        let nowhere = Position(latitude: .nan, longitude: 200)
        let found = network.distances(from: a, to: [nowhere, b], by: .walk)
        #expect(!found[0].isAlongStreets && found[1].isAlongStreets)
        #expect(!network.distance(nowhere, a, .walk).isAlongStreets)
        #expect(!network.distance(a, b, .walk, within: .nan).isAlongStreets)
        #expect(!network.distance(a, b, .walk, within: -1).isAlongStreets)
    }

    /// Behind oneself on a one-way street: once around the block.
    @Test func on_one_street_the_direction_counts() throws {
        var town = Town()
        town.node(1, 0, 0)
        town.node(2, 100, 0)
        town.node(3, 100, 100)
        town.node(4, 0, 100)
        town.way(1, 2, tags: "highway=residential,oneway=yes")
        town.way(2, 3, 4, 1)
        let network = try town.network()
        let (a, b) = (town.place(20, 0), town.place(80, 0))
        #expect(isClose(network.distance(a, b, .drive), 60))
        #expect(isClose(network.distance(b, a, .drive), 340))
        #expect(isClose(network.distance(b, a, .walk), 60))
        // At its end one is at the crossing, and need not have come through it.
        #expect(isClose(network.distance(town[3], town[2], .drive), 100))
        #expect(isClose(network.distance(town[1], town[4], .drive), 100))
    }

    @Test(arguments: [0.0, 60, -60, 85, -89.9]) func it_works_at_any_latitude(latitude: Double) throws {
        var town = Town()
        town.origin = Position(latitude: latitude, longitude: -20)
        town.node(1, 0, 0)
        town.node(2, 0, 300)
        town.way(1, 2)
        let network = try town.network()
        #expect(isClose(network.distance(town[1], town.place(0, 200), .walk), 200))
    }

    @Test func it_works_across_the_date_line() throws {
        let network = try StreetNetwork.acrossTheDateLine()
        let (west, east) = (Position(latitude: -17, longitude: 179.9999), Position(latitude: -17, longitude: -179.9985))
        let found = network.distance(west, east, .walk)
        #expect(found.isAlongStreets && abs(found.metres - west.metres(to: east)) < 0.1)
        #expect(network.distance(Position(latitude: -17, longitude: 180), east, .walk).isAlongStreets)
        #expect(network.distance(Position(latitude: -17, longitude: -180), east, .walk).isAlongStreets)
    }

    /// Found by the index as by looking at all.
    @Test func the_nearest_street_is_the_nearest_of_all() throws {
        var chance = Chance(state: 7)
        var town = Town()
        for id in 1...400 {
            town.node(Int64(id), .random(in: 0...3000, using: &chance), .random(in: 0...3000, using: &chance))
        }
        for _ in 1...150 { town.way(.random(in: 1...400, using: &chance), .random(in: 1...400, using: &chance)) }
        let arrays = try town.network().network(.walk).arrays
        for _ in 0..<150 {
            let place = town.place(.random(in: -200...3200, using: &chance), .random(in: -200...3200, using: &chance))
            let found = arrays.snaps(of: place, within: 250).first
            let nearest = (0..<arrays.roadCount).map { road in
                let step = Int(arrays.shapes[road])
                return metres(from: place, to: arrays.point(step).position, arrays.point(step + 1).position)
            }.min()!
            if let found { #expect(abs(found.offset - nearest) < 0.01) } else { #expect(nearest > 250) }
        }
    }

    /// By narrowing down where on the line the nearest point is.
    private func metres(from place: Position, to a: Position, _ b: Position) -> Double {
        let at = { (share: Double) in
            place.metres(
                to: Position(
                    latitude: a.latitude + share * (b.latitude - a.latitude),
                    longitude: a.longitude + share * (b.longitude - a.longitude)))
        }
        var (low, high) = (0.0, 1.0)
        for _ in 0..<50 {
            let third = (high - low) / 3
            if at(low + third) < at(high - third) { high -= third } else { low += third }
        }
        return at((low + high) / 2)
    }
}
