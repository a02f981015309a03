/// A vertex, and what it costs to get there or from there.
struct Entry: Hashable {
    var vertex: Int
    var cost: UInt64
}

/// Memory that a query needs, as large as the network: kept from one to the next.
// Unchecked: one query has it at a time (`StreetNetwork.Network.withMemory`), which the compiler cannot see: a pool hands it from thread to thread. As a value it would be
// checked, and every query that kept a second reference by mistake would copy megabytes.
final class QueryMemory: @unchecked Sendable {
    fileprivate var query: UInt32 = 0
    /// Costs from the origin, upwards only; and from the origin at all.
    fileprivate var upwards: [UInt64]
    fileprivate var costs: [UInt64]
    /// The query in which each of these was found.
    fileprivate var upwardsQuery: [UInt32]
    fileprivate var costsQuery: [UInt32]
    fileprivate var path: [(vertex: Int, next: Int, end: Int)] = []
    fileprivate var order: [Int] = []

    init(vertexCount: Int) {
        upwards = Array(repeating: 0, count: vertexCount)
        costs = upwards
        upwardsQuery = Array(repeating: 0, count: vertexCount)
        costsQuery = upwardsQuery
    }

    fileprivate func begin() {
        if query == .max {
            for vertex in upwardsQuery.indices { (upwardsQuery[vertex], costsQuery[vertex]) = (0, 0) }
            query = 0
        }
        query += 1
    }
}

/// One to many in a contraction hierarchy, as in RPHAST (Delling, Goldberg, Werneck 2011): the cheapest way goes up from the origin and then down to the target,
/// and neither half needs a priority queue, because arcs only lead to higher ranks. What is above the origin is gone through upwards once; what
/// is above the targets, together, downwards once.
///
/// Many to one is the same the other way round: each arc is kept at its lower end, whichever way it leads.
struct HierarchyQuery {
    let memory: QueryMemory
    let origins: [Entry]
    /// Those that are gone through upwards, and downwards.
    let up: ProfileNetwork.Arcs
    let down: ProfileNetwork.Arcs

    /// - Parameters:
    ///   - origins: Where one may begin; the costs are those of getting there.
    ///   - backwards: Whether costs are those to the origins, and the origins' own those from there.
    /// - Returns: A query that tells costs from there, until the next one with this memory.
    init(from origins: [Entry], in network: ProfileNetwork, with memory: QueryMemory, backwards: Bool = false) {
        (self.memory, self.origins) = (memory, origins)
        (up, down) = backwards ? (network.down, network.up) : (network.up, network.down)
        memory.begin()
        goUp()
    }

    /// Those that are above the origins, each after all that is above it.
    var order: [Int] { memory.order }

    /// What it costs to get to a vertex upwards only.
    func upwardsCost(_ vertex: Int) -> UInt64 {
        memory.upwardsQuery[vertex] == memory.query ? memory.upwards[vertex] : Cost.unreachable
    }

    private func goUp() {
        let (query, arcs) = (memory.query, up)
        memory.order.removeAll(keepingCapacity: true)
        for origin in origins where memory.upwardsQuery[origin.vertex] != query {
            enter(origin.vertex, of: arcs)
            memory.upwardsQuery[origin.vertex] = query
            memory.upwards[origin.vertex] = Cost.unreachable
            while let (vertex, next, end) = memory.path.last {
                guard next < end else {
                    memory.path.removeLast()
                    memory.order.append(vertex)
                    continue
                }
                memory.path[memory.path.count - 1].next += 1
                let head = Int(arcs.heads[next])
                guard memory.upwardsQuery[head] != query else { continue }
                memory.upwardsQuery[head] = query
                memory.upwards[head] = Cost.unreachable
                enter(head, of: arcs)
            }
        }
        for origin in origins { memory.upwards[origin.vertex] = min(memory.upwards[origin.vertex], origin.cost) }
        // Each was left after all that is above it: backwards, each comes before.
        for vertex in memory.order.reversed() where memory.upwards[vertex] != Cost.unreachable {
            let cost = memory.upwards[vertex]
            for arc in arcs.range(vertex) {
                let head = Int(arcs.heads[arc])
                memory.upwards[head] = min(memory.upwards[head], Cost.sum(cost, arcs.costs[arc]))
            }
        }
    }

    /// What it costs to get to a vertex, or `Cost.unreachable`.
    func cost(to target: Int) -> UInt64 {
        let (query, arcs) = (memory.query, down)
        guard memory.costsQuery[target] != query else { return memory.costs[target] }
        memory.costsQuery[target] = query
        enter(target, of: arcs)
        while let (vertex, next, end) = memory.path.last {
            if next < end {
                memory.path[memory.path.count - 1].next += 1
                let head = Int(arcs.heads[next])
                guard memory.costsQuery[head] != query else { continue }
                memory.costsQuery[head] = query
                enter(head, of: arcs)
                continue
            }
            memory.path.removeLast()
            // All that is above is known now.
            var cost = memory.upwardsQuery[vertex] == query ? memory.upwards[vertex] : Cost.unreachable
            for arc in arcs.range(vertex) {
                let above = memory.costs[Int(arcs.heads[arc])]
                if above != Cost.unreachable { cost = min(cost, Cost.sum(above, arcs.costs[arc])) }
            }
            memory.costs[vertex] = cost
        }
        return memory.costs[target]
    }

    @inline(__always) private func enter(_ vertex: Int, of arcs: ProfileNetwork.Arcs) {
        let range = arcs.range(vertex)
        memory.path.append((vertex, range.lowerBound, range.upperBound))
    }
}
