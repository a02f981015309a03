import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import RidesService

@Suite("The way")
struct WayTests {
    private let way = Example.way

    private func part(
        from: SeatPointDraft? = nil, to: SeatPointDraft? = nil, of way: RideWay = Example.way
    ) -> (part: WayPart?, errors: [String]) {
        var errors: [FieldError] = []
        let part = way.part(from: from, to: to, errors: &errors)
        return (part, errors.map { "\($0.field): \($0.code)" })
    }

    // MARK: Lengths

    @Test func legs_are_measured_between_the_middles_of_fields() {
        #expect(way.stops.map(\.at) == [0, 177_597, 317_354] && way.length == 317_354)
        #expect(way.legs == [177_597, 139_757])
        // Somewhere else in the same fields.
        var stops = Example.stops
        stops[0].position = Position(latitude: 35.3049, longitude: -120.6551)
        stops[2].position = Position(latitude: 37.7751, longitude: -122.4151)
        #expect(RideWay(measuring: stops).stops.map(\.at) == way.stops.map(\.at))
    }

    @Test func a_leg_within_one_field_has_a_metre() {
        let near = Position(latitude: 35.3040, longitude: -120.6590)
        let stops = [Example.stop("Here", campus), Example.stop("Near", near), Example.stops[1]]
        #expect(RideWay(measuring: stops).stops.map(\.at) == [0, 1, 177_598])
    }

    @Test func time_passes_as_on_roads() {
        #expect(RideWay.seconds(to: 0) == 0 && RideWay.seconds(to: 5_000) == 600)
        #expect(RideWay.seconds(to: 10_000) == 1200 && RideWay.seconds(to: 110_000) == 5700)
    }

    // MARK: Parts between stops

    @Test func a_part_is_the_whole_way_where_nothing_is_said() {
        #expect(part().part == Example.part(0...2))
        #expect(part(from: SeatPointDraft(stop: 1)).part == Example.part(1...2))
        #expect(part(from: SeatPointDraft(stop: 0), to: SeatPointDraft(stop: 1)).part == Example.part(0...1))
    }

    @Test func one_gets_out_after_getting_in() {
        for (from, to) in [(1, 1), (2, 1), (2, 0)] {
            let found = part(from: SeatPointDraft(stop: from), to: SeatPointDraft(stop: to))
            #expect(found.part == nil && found.errors == ["to: out_of_order"])
        }
        #expect(part(from: SeatPointDraft(stop: 2)).errors == ["to: out_of_order"])
        #expect(part(to: SeatPointDraft(stop: 0)).errors == ["to: out_of_order"])
        let own = Example.own("King City", Example.kingCity)
        #expect(part(from: own, to: SeatPointDraft(stop: 0)).errors == ["to: out_of_order"])
        #expect(part(from: SeatPointDraft(stop: 2), to: own).errors == ["to: out_of_order"])
    }

    @Test func a_point_is_a_stop_or_a_place() {
        let long = String(repeating: "a", count: 201)
        for (draft, error) in [
            (SeatPointDraft(stop: 3), "out_of_range"), (SeatPointDraft(stop: -1), "out_of_range"),
            (SeatPointDraft(), "not_a_place"), (Example.own("King City", nil), "not_a_place"),
            (Example.own(" ", Example.kingCity), "not_a_place"),
            (Example.own("Pole", Position(latitude: 89, longitude: 0)), "out_of_range"),
        ] {
            #expect(part(from: draft).errors == ["from: \(error)"] && part(to: draft).errors == ["to: \(error)"])
        }
        #expect(part(from: Example.own("A\nB", Example.kingCity)).errors == ["from.name: not_allowed"])
        #expect(part(to: Example.own("King City", Example.kingCity, long)).errors == ["to.address: too_long"])
        #expect(
            part(from: SeatPointDraft(stop: 9), to: SeatPointDraft()).errors
                == ["from: out_of_range", "to: not_a_place"])
    }

    @Test func a_walk_is_no_ride() {
        let near = Position(latitude: 36.2149, longitude: -121.1251)
        let (here, there) = (Example.own("King City", Example.kingCity), Example.own("The mall", near))
        #expect(part(from: here, to: there).errors == ["to: too_close"])
        #expect(part(from: SeatPointDraft(stop: 0), to: Example.own("Dorm", campus)).errors == ["to: too_close"])
        // A way leads back: its ends are one place, and a ride lies between them.
        let round = RideWay(measuring: [Example.stops[0], Example.stops[1], Example.stops[0]])
        #expect(part(of: round).part?.leaving.at == 355_194)
    }

    // MARK: Points of one's own

    @Test func a_point_is_put_where_it_costs_the_least() throws {
        let kingCity = Example.own("King City", Example.kingCity, "Broadway 1")
        let first = try #require(part(from: kingCity).part)
        #expect(first.detour == 2470 && first.boarding.at == 108_332 && first.leaving == Example.part(0...2).leaving)
        #expect(first.boarding.stop == nil && first.boarding.own?.address == "Broadway 1")
        let last = try #require(part(to: Example.own("San Jose", sanJose)).part)
        #expect(last.detour == 4231 && last.leaving.at == 251_619 && last.boarding.stop == 0)
        // From Salinas on the first leg is out of reach.
        let back = try #require(part(from: SeatPointDraft(stop: 1), to: kingCity).part)
        #expect(back.detour == 139_046 && back.leaving.at == 212_801)
    }

    @Test func two_points_are_put_on_one_leg_or_on_two() throws {
        let (paso, kingCity) = (Example.own("Paso Robles", Example.paso), Example.own("King City", Example.kingCity))
        let gilroy = Example.own("Gilroy", Example.gilroy)
        let one = try #require(part(from: paso, to: kingCity).part)
        #expect(one.detour == 4967 && one.boarding.at == 35_465 && one.leaving.at == 108_332)
        let two = try #require(part(from: kingCity, to: gilroy).part)
        #expect(two.detour == 14_325 && two.boarding.at == 108_332 && two.leaving.at == 212_257)
        // There and back on one leg: in the order in which one gets in and out.
        let back = try #require(part(from: kingCity, to: paso).part)
        #expect(back.detour == 153_812 && back.boarding.at == 108_332 && back.leaving.at == 108_333)
    }

    @Test func a_point_at_a_stop_costs_nothing() throws {
        let here = try #require(part(from: Example.own("Dorm", campus), to: Example.own("Station", salinas)).part)
        #expect(here.detour == 0 && here.boarding.at == 0 && here.leaving.at == 177_597)
        let there = try #require(part(from: Example.own("Station", salinas)).part)
        #expect(there.detour == 0 && there.boarding.at < there.leaving.at)
    }

    /// Any way, any points: nobody goes out of the way less than not at all, and everybody gets in before they get out, within the way.
    @Test func every_part_is_one() throws {
        var dice = SeededGenerator(seed: 28)
        let spreads = [0.004, 0.05, 1.0, 20.0]
        func place(_ spread: Double) -> Position {
            Position(
                latitude: 36 + Double.random(in: -spread...spread, using: &dice),
                longitude: -121 + Double.random(in: -spread...spread, using: &dice))
        }
        for _ in 0..<3000 {
            let spread = spreads[Int.random(in: 0..<spreads.count, using: &dice)]
            let count = Int.random(in: 2...8, using: &dice)
            let way = RideWay(measuring: (0..<count).map { Example.stop("Stop \($0)", place(spread)) })
            func point() -> SeatPointDraft? {
                switch Int.random(in: 0..<4, using: &dice) {
                case 0: return nil
                case 1: return SeatPointDraft(stop: .random(in: 0..<count, using: &dice))
                default: return Example.own("Mine", place(spread))
                }
            }
            #expect(way.legs.allSatisfy { $0 >= 1 })
            let (part, errors) = part(from: point(), to: point(), of: way)
            guard let part else {
                #expect(errors == ["to: out_of_order"] || errors == ["to: too_close"])
                continue
            }
            #expect(errors.isEmpty && part.detour >= 0)
            #expect(part.boarding.at >= 0 && part.boarding.at < part.leaving.at && part.leaving.at <= way.length)
            #expect((part.boarding.stop == nil) == (part.boarding.own != nil))
            #expect((part.leaving.stop == nil) == (part.leaving.own != nil))
        }
    }

    // MARK: What a part costs, and who fits

    @Test func a_part_costs_its_share() {
        let ride = Example.ride()
        #expect(ride.cost(of: Example.part(0...2), seats: 1) == 2000)
        #expect(ride.cost(of: Example.part(0...2), seats: 3) == 6000)
        #expect(
            ride.cost(of: Example.part(0...1), seats: 1) == 1119 && ride.cost(of: Example.part(1...2), seats: 1) == 881)
        #expect(ride.cost(of: Example.part(0...1), seats: 3) == 3358, "3,357.72")
        #expect(ride.price(of: Example.part(0...1), seats: 3) == Money(amount: 3358, currency: "USD"))
        var half = ride
        half.way.stops = [way.stops[0], way.stops[1], way.stops[2]]
        (half.way.stops[1].at, half.way.stops[2].at, half.cost) = (5, 10, 1)
        #expect(half.cost(from: 0, to: 5, seats: 1) == 1, "half is rounded up")
        #expect(half.cost(from: 0, to: 4, seats: 1) == 0)
    }

    /// Whatever the way, the parts of it cost as much as the whole, within a unit each.
    @Test func parts_cost_what_the_whole_does() {
        var dice = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            var ride = Example.ride()
            ride.cost = .random(in: 0...100_000_000, using: &dice)
            let seats = Int.random(in: 1...8, using: &dice)
            let parts = [0...1, 1...2].map { ride.cost(of: Example.part($0), seats: seats) }
            let whole = ride.cost(of: Example.part(0...2), seats: seats)
            #expect(whole == ride.cost * seats && abs(parts[0] + parts[1] - whole) <= 1)
        }
    }

    @Test func seats_are_free_by_leg() {
        #expect(Example.ride().freeByLeg == [4, 4])
        #expect(Example.ride(load: SeatLoad(marks: [0, 177_597], people: [3, 0])).freeByLeg == [1, 4])
        // Somebody gets in and out in the middle of legs.
        let load = SeatLoad(marks: [108_332, 251_619], people: [2, 0])
        #expect(Example.ride(load: load).freeByLeg == [2, 2])
        #expect(Example.ride(load: load).free(from: 0, to: 108_332) == 4)
        var fewer = Example.ride(load: load)
        fewer.seats = 1
        #expect(fewer.freeByLeg == [0, 0])
    }

    @Test func who_needs_more_of_a_detour_than_is_left_finds_no_seat() throws {
        let kingCity = try #require(part(from: Example.own("King City", Example.kingCity)).part)
        #expect(Example.ride(detourUsed: 17_530).free(on: kingCity) == 4)
        #expect(Example.ride(detourUsed: 17_531).free(on: kingCity) == 0)
    }
}
