import Testing

@testable import MatchEngine

/// The auction beside assignments found by trying all, and by an exact algorithm that we wrote for it.
@Suite("Auctions")
struct AuctionTests {
    private typealias Edge = AssignmentProblem.Edge

    private func problem(_ chance: inout Chance, orders: Int, deliverers: Int, most: Int) -> AssignmentProblem {
        var problem = AssignmentProblem()
        let greatest = [3, 20, 1000, 70_000][chance.number(0...3)]
        for _ in 0..<orders {
            let fitting = (0..<deliverers).shuffled(using: &chance).prefix(chance.number(0...most))
            problem.addOrder(fitting.map { Edge(deliverer: $0, value: chance.number(1...greatest)) })
        }
        for _ in 0..<deliverers {
            let first = chance.number(0...2)
            problem.addDeliverer((0..<chance.number(0...3)).map { Int32((first + $0) * greatest / 20) })
        }
        return problem
    }

    /// What an assignment is worth, after looking that it is one.
    private func value(of deliverers: [Int32], in problem: AssignmentProblem) throws -> Int {
        var (sum, held) = (0, [Int](repeating: 0, count: problem.delivererCount))
        for (order, deliverer) in deliverers.enumerated() where deliverer >= 0 {
            let edge = try #require(problem.edges[problem.edges(of: order)].first { $0.deliverer == deliverer })
            let hands = problem.hands(of: Int(deliverer))
            try #require(held[Int(deliverer)] < hands.count, "more than there are hands")
            sum += Int(edge.value) - Int(problem.reserves[hands.lowerBound + held[Int(deliverer)]])
            held[Int(deliverer)] += 1
        }
        return sum
    }

    /// The best by trying all.
    private func best(_ problem: AssignmentProblem, from order: Int = 0, held: [Int: Int] = [:]) -> Int {
        guard order < problem.orderCount else { return 0 }
        return problem.edges[problem.edges(of: order)].map { edge in
            let (hands, full) = (problem.hands(of: Int(edge.deliverer)), held[Int(edge.deliverer)] ?? 0)
            guard full < hands.count else { return 0 }
            var held = held
            held[Int(edge.deliverer)] = full + 1
            return Int(edge.value) - Int(problem.reserves[hands.lowerBound + full])
                + best(problem, from: order + 1, held: held)
        }.reduce(best(problem, from: order + 1, held: held), max)
    }

    @Test(arguments: 1...300) func small_auctions_are_as_good_as_promised(seed: Int) throws {
        var chance = Chance(state: UInt64(seed))
        let problem = problem(&chance, orders: chance.number(0...6), deliverers: chance.number(1...5), most: 4)
        let (optimum, exact) = (best(problem), ExactAssignment.value(of: problem))
        #expect(exact == optimum, "the two oracles differ")
        for epsilon in [1, 2, 50, 1000] as [Int32] {
            let found = Auction.solve(problem, epsilon: epsilon)
            let value = try value(of: found.deliverers, in: problem)
            #expect(value == found.certificate.value)
            #expect(found.certificate.served == found.deliverers.count { $0 >= 0 })
            #expect(value <= optimum && optimum <= found.certificate.bound)
            #expect(value >= optimum - found.certificate.served * Int(epsilon))
            #expect(found.certificate.bound <= value + found.certificate.served * Int(epsilon))
        }
    }

    @Test(arguments: 1...24) func large_auctions_are_as_good_as_promised(seed: Int) throws {
        var chance = Chance(state: UInt64(seed) << 20)
        let (orders, deliverers) = (chance.number(50...400), chance.number(5...200))
        let problem = problem(&chance, orders: orders, deliverers: deliverers, most: min(deliverers, 16))
        let optimum = ExactAssignment.value(of: problem)
        for share in [1000, 100, 1] as [Int32] {
            let epsilon = max(1, problem.greatestValue / share)
            let found = Auction.solve(problem, epsilon: epsilon)
            #expect(try value(of: found.deliverers, in: problem) == found.certificate.value)
            #expect((found.certificate.value...found.certificate.bound).contains(optimum))
            #expect(found.certificate.value >= optimum - found.certificate.served * Int(epsilon))
            #expect(found == Auction.solve(problem, epsilon: epsilon))
        }
    }

    @Test func an_epsilon_of_less_than_one_for_all_together_is_the_best_there_is() {
        for seed in 1...60 {
            var chance = Chance(state: UInt64(seed) << 32)
            let small = problem(&chance, orders: 30, deliverers: 12, most: 8)
            var problem = AssignmentProblem()
            for order in 0..<small.orderCount {
                problem.addOrder(
                    small.edges[small.edges(of: order)].map {
                        Edge(deliverer: Int($0.deliverer), value: Int($0.value) * 31)
                    })
            }
            for deliverer in 0..<small.delivererCount {
                problem.addDeliverer(small.reserves[small.hands(of: deliverer)].map { $0 * 31 })
            }
            #expect(Auction.solve(problem, epsilon: 1).certificate.value == ExactAssignment.value(of: small) * 31)
        }
    }

    @Test func nothing_at_all_is_an_assignment_of_nobody() {
        let found = Auction.solve(AssignmentProblem(), epsilon: 1)
        #expect(found.deliverers.isEmpty && found.certificate == Certificate() && found.certificate.gap == 0)
    }

    @Test func a_hand_that_costs_more_than_it_brings_stays_empty() {
        var problem = AssignmentProblem()
        for _ in 0..<3 { problem.addOrder([Edge(deliverer: 0, value: 100)]) }
        problem.addDeliverer([0, 60, 120])
        let found = Auction.solve(problem, epsilon: 1)
        #expect(found.certificate.value == 140 && found.certificate.served == 2)
    }
}
