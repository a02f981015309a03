@testable import MatchEngine

/// The best assignment by cheapest augmenting paths (Bellman and Ford's algorithm on what is left of the network): slow, short, and nothing in common with an auction.
struct ExactAssignment {
    private struct Arc {
        var head: Int
        var room: Int
        var cost: Int
    }
    private var arcs: [Arc] = []
    private var leaving: [[Int]]

    static func value(of problem: AssignmentProblem) -> Int {
        var network = ExactAssignment(problem)
        var value = 0
        while let gain = network.augment(), gain > 0 { value += gain }
        return value
    }

    // Source 0, sink 1, then orders, then deliverers.
    private init(_ problem: AssignmentProblem) {
        let deliverer = { 2 + problem.orderCount + $0 }
        leaving = Array(repeating: [], count: deliverer(problem.delivererCount))
        for order in 0..<problem.orderCount {
            connect(0, 2 + order, 0)
            for edge in problem.edges[problem.edges(of: order)] {
                connect(2 + order, deliverer(Int(edge.deliverer)), -Int(edge.value))
            }
        }
        for number in 0..<problem.delivererCount {
            for hand in problem.hands(of: number) { connect(deliverer(number), 1, Int(problem.reserves[hand])) }
        }
    }

    private mutating func connect(_ tail: Int, _ head: Int, _ cost: Int) {
        leaving[tail].append(arcs.count)
        arcs.append(Arc(head: head, room: 1, cost: cost))
        leaving[head].append(arcs.count)
        arcs.append(Arc(head: tail, room: 0, cost: -cost))
    }

    /// - Returns: what one more order brings, or nil where none can be served.
    private mutating func augment() -> Int? {
        var (costs, by) = ([Int](repeating: .max, count: leaving.count), [Int](repeating: -1, count: leaving.count))
        var (queue, isQueued, next) = ([0], [Bool](repeating: false, count: leaving.count), 0)
        costs[0] = 0
        while next < queue.count {
            let tail = queue[next]
            next += 1
            isQueued[tail] = false
            for arc in leaving[tail] where arcs[arc].room > 0 && costs[tail] + arcs[arc].cost < costs[arcs[arc].head] {
                let head = arcs[arc].head
                (costs[head], by[head]) = (costs[tail] + arcs[arc].cost, arc)
                if !isQueued[head] {
                    isQueued[head] = true
                    queue.append(head)
                }
            }
        }
        guard costs[1] < .max else { return nil }
        var vertex = 1
        while vertex != 0 {
            let arc = by[vertex]
            arcs[arc].room -= 1
            arcs[arc ^ 1].room += 1
            vertex = arcs[arc ^ 1].head
        }
        return -costs[1]
    }
}
