import TestKit
import Testing

@testable import RidesService

@Suite("How many ride along")
struct SeatLoadTests {
    @Test func nobody_rides_along_at_first() {
        #expect(SeatLoad().most(from: 0, to: 1000) == 0)
    }

    @Test func people_get_in_and_out() {
        let load = SeatLoad().adding(2, from: 100, to: 300).adding(1, from: 200, to: 400)
        #expect(load.marks == [100, 200, 300, 400] && load.people == [2, 3, 1, 0])
        #expect(load.most(from: 0, to: 100) == 0 && load.most(from: 0, to: 101) == 2)
        #expect(load.most(from: 150, to: 200) == 2 && load.most(from: 199, to: 201) == 3)
        #expect(load.most(from: 300, to: 1000) == 1 && load.most(from: 400, to: 1000) == 0)
        #expect(load.most(from: 0, to: 1000) == 3)
    }

    /// Who gets out where another gets in leaves their seat to them.
    @Test func one_follows_another() {
        let load = SeatLoad().adding(4, from: 0, to: 500).adding(4, from: 500, to: 900)
        #expect(load.most(from: 0, to: 900) == 4)
    }

    /// Beside a count of each metre.
    @Test func the_most_is_the_most_of_every_metre() {
        var dice = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            var (load, metres) = (SeatLoad(), [Int](repeating: 0, count: 40))
            for _ in 0..<Int.random(in: 0...6, using: &dice) {
                let (start, seats) = (Int.random(in: 0..<39, using: &dice), Int.random(in: 1...3, using: &dice))
                let end = Int.random(in: start + 1...39, using: &dice)
                load = load.adding(seats, from: start, to: end)
                for metre in start..<end { metres[metre] += seats }
            }
            #expect(load.marks == load.marks.sorted() && load.marks.count == load.people.count)
            for start in 0..<39 {
                for end in start + 1..<40 {
                    #expect(load.most(from: start, to: end) == metres[start..<end].max())
                }
            }
        }
    }
}
