/// The auction algorithm for assignments in which some objects are alike (Bertsekas, Castañón: *The auction algorithm for the transportation problem*, Annals of
/// Operations Research 20, 1989).
///
/// Orders bid for hands. An order takes the deliverer with whom its value less the price is highest, and raises the price of that deliverer's cheapest hand to
/// what makes it as good as the second best, and `epsilon` more; whoever held that hand bids again. Not being served is worth 0. One pass from the reserves, so
/// that a hand that stays empty costs no more than them: the sum is within `epsilon` for each order served of the best there is.
package struct Auction {
    private struct Hand {
        var price: Int32
        var holder: Int32
    }

    /// A price that nobody pays: of who has no hand free.
    private static let closed = Int32.max / 2
    /// How many orders bid in turns: while one waits for memory, the next one is at it. With many more, bids would be spent on what others outbid at once.
    private static let turns = 4

    private let problem: AssignmentProblem
    private let epsilon: Int32
    private var hands: [Hand]
    private var prices: [Int32]
    private var bids = 0

    /// - Parameter epsilon: in the unit of the values, at least 1. Less than one unit for all who are served together makes the assignment the best there is, so
    ///   whoever wants that multiplies all values by more than their number.
    package static func solve(_ problem: AssignmentProblem, epsilon: Int32) -> Assignment {
        var auction = Auction(problem, epsilon: epsilon)
        auction.run()
        let deliverers = auction.holders()
        return Assignment(
            deliverers: deliverers, bids: auction.bids, certificate: auction.certificate(of: deliverers))
    }

    private init(_ problem: AssignmentProblem, epsilon: Int32) {
        (self.problem, self.epsilon) = (problem, max(1, epsilon))
        hands = problem.reserves.map { Hand(price: $0, holder: -1) }
        prices = (0..<problem.delivererCount).map { deliverer in
            problem.hands(of: deliverer).first.map { problem.reserves[$0] } ?? Self.closed
        }
    }

    private mutating func run() {
        var bidding = Array(0..<min(Self.turns, problem.orderCount))
        var (next, turn) = (bidding.count, 0)
        while !bidding.isEmpty {
            turn = turn + 1 < bidding.count ? turn + 1 : 0
            if let outbid = bid(bidding[turn]) {
                bidding[turn] = outbid
            } else if next < problem.orderCount {
                bidding[turn] = next
                next += 1
            } else {
                bidding.swapAt(turn, bidding.count - 1)
                bidding.removeLast()
            }
        }
    }

    /// - Returns: who held the hand before.
    private mutating func bid(_ order: Int) -> Int? {
        // Value and edge in one number, compared at once: a branch here would be guessed wrongly every other time.
        var (best, second): (Int64, Int64) = (0, 0)
        let edges = problem.edges(of: order)
        for index in edges {
            let edge = problem.edges[index]
            let worth = Int64(edge.value &- prices[Int(edge.deliverer)]) << 32 | Int64(edges.upperBound &- index)
            second = max(second, min(best, worth))
            best = max(best, worth)
        }
        guard best >> 32 > 0 else { return nil }
        let edge = problem.edges[edges.upperBound - Int(best & 0xFFFF_FFFF)]
        bids += 1
        return take(Int(edge.deliverer), for: order, at: edge.value &- Int32(second >> 32) &+ epsilon)
    }

    /// The first of a deliverer's hands is the cheapest. What is bid for it is never less than it costs.
    private mutating func take(_ deliverer: Int, for order: Int, at price: Int32) -> Int? {
        let range = problem.hands(of: deliverer)
        let before = hands[range.lowerBound].holder
        var place = range.lowerBound
        while place + 1 < range.upperBound, hands[place + 1].price < price {
            hands[place] = hands[place + 1]
            place += 1
        }
        hands[place] = Hand(price: price, holder: Int32(truncatingIfNeeded: order))
        prices[deliverer] = hands[range.lowerBound].price
        return before < 0 ? nil : Int(before)
    }

    /// The deliverer of each order.
    private func holders() -> [Int32] {
        var deliverers = [Int32](repeating: -1, count: problem.orderCount)
        for deliverer in 0..<problem.delivererCount {
            for hand in problem.hands(of: deliverer) where hands[hand].holder >= 0 {
                deliverers[Int(hands[hand].holder)] = Int32(deliverer)
            }
        }
        return deliverers
    }

    /// Weak duality: at these prices nobody could gain more than the profit of each order and what each hand costs beyond its reserve.
    private func certificate(of deliverers: [Int32]) -> Certificate {
        var result = Certificate()
        for order in 0..<problem.orderCount {
            var profit: Int32 = 0
            for index in problem.edges(of: order) {
                let edge = problem.edges[index]
                profit = max(profit, edge.value &- prices[Int(edge.deliverer)])
                if edge.deliverer == deliverers[order] { result.value += Int(edge.value) }
            }
            result.bound += Int(profit)
            result.served += deliverers[order] < 0 ? 0 : 1
        }
        for deliverer in 0..<problem.delivererCount { count(deliverer, in: &result) }
        return result
    }

    /// The hands that are used are the cheapest.
    private func count(_ deliverer: Int, in result: inout Certificate) {
        let range = problem.hands(of: deliverer)
        let used = range.lowerBound + hands[range].count { $0.holder >= 0 }
        for hand in range {
            result.bound += Int(max(0, prices[deliverer] - problem.reserves[hand]))
            if hand < used { result.value -= Int(problem.reserves[hand]) }
        }
    }
}
