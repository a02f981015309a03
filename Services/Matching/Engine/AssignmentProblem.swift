/// Who could do what, and what that is worth: the orders and deliverers of one round by their numbers, with at most a few edges for each order.
package struct AssignmentProblem: Sendable {
    /// One order with one deliverer.
    package struct Edge: Hashable, Sendable {
        package var deliverer: Int32
        /// More than 0; in whatever unit the problem has.
        package var value: Int32

        package init(deliverer: Int, value: Int) { (self.deliverer, self.value) = (Int32(deliverer), Int32(value)) }
    }

    /// Order `i` has the edges `firstEdges[i]..<firstEdges[i + 1]`.
    package private(set) var firstEdges: [Int32] = [0]
    package private(set) var edges: [Edge] = []
    /// Deliverer `j` has the hands `firstHands[j]..<firstHands[j + 1]`.
    package private(set) var firstHands: [Int32] = [0]
    /// What using each hand costs; a deliverer's hands in rising order.
    package private(set) var reserves: [Int32] = []

    package init(orders: Int = 0, edges: Int = 0) {
        firstEdges.reserveCapacity(orders + 1)
        self.edges.reserveCapacity(edges)
    }

    package var orderCount: Int { firstEdges.count - 1 }
    package var delivererCount: Int { firstHands.count - 1 }

    /// - Parameter found: at most one for each deliverer; the earlier one is taken where two are equally good.
    package mutating func addOrder(_ found: [Edge]) {
        edges.append(contentsOf: found)
        firstEdges.append(Int32(edges.count))
    }

    /// - Parameter costs: one for each free hand, at least 0 and in rising order.
    package mutating func addDeliverer(_ costs: [Int32]) {
        reserves.append(contentsOf: costs)
        firstHands.append(Int32(reserves.count))
    }

    package func edges(of order: Int) -> Range<Int> { Int(firstEdges[order])..<Int(firstEdges[order + 1]) }
    package func hands(of deliverer: Int) -> Range<Int> {
        Int(firstHands[deliverer])..<Int(firstHands[deliverer + 1])
    }

    /// The most that an edge is worth.
    package var greatestValue: Int32 { edges.lazy.map(\.value).max() ?? 0 }
}

/// Who gets what, and how good that is at the least.
package struct Assignment: Equatable, Sendable {
    /// The deliverer of each order, or -1.
    package var deliverers: [Int32]
    /// How often an order bid: the work that it was.
    package var bids: Int
    /// What it is worth, and what no other assignment could exceed.
    package var certificate: Certificate
}

/// How good a round was, proved by its own prices: no assignment of the same orders and deliverers is worth more than `bound`.
package struct Certificate: Hashable, Sendable {
    package var value: Int
    package var bound: Int
    package var served: Int

    package init(value: Int = 0, bound: Int = 0, served: Int = 0) {
        (self.value, self.bound, self.served) = (value, bound, served)
    }

    /// The share of the bound that may have been missed, from 0 to 1.
    package var gap: Double { bound > 0 ? 1 - Double(value) / Double(bound) : 0 }
}
