/// Makes a contraction hierarchy (Geisberger, Sanders, Schultes, Delling 2008): takes the vertices out of the network one after the other, the
/// least important first, and puts a shortcut in wherever the shortest way led through the one that is taken out.
///
/// How important a vertex is: how many levels are below it, how many shortcuts it would take for each arc that goes, and for how many original arcs these
/// stand (the terms that Dibbelt, Strasser and Wagner 2016 use). The order is a matter of speed alone: every order gives the same distances.
struct Contraction {
    private(set) var rank: [UInt32]
    private var outgoing: [[Arc]]
    private var incoming: [[Arc]]
    private var level: [Int]
    private var search: WitnessSearch

    struct Arc {
        var vertex: UInt32
        /// Original arcs that it stands for.
        var hops: UInt32
        var cost: UInt64
        var via: ArcVia
    }

    struct Shortcut {
        var from: UInt32
        var to: UInt32
        var hops: UInt32
        var cost: UInt64
        var via: ArcVia
    }

    init(of arcs: ArcTable) {
        let count = arcs.vertexCount
        rank = Array(repeating: 0, count: count)
        outgoing = Array(repeating: [], count: count)
        incoming = Array(repeating: [], count: count)
        level = Array(repeating: 0, count: count)
        search = WitnessSearch(vertexCount: count)
        for tail in 0..<count {
            for arc in arcs.arcs(of: tail) {
                put(
                    Shortcut(
                        from: UInt32(tail), to: arcs.heads[arc], hops: 1, cost: arcs.costs[arc], via: arcs.vias[arc]))
            }
        }
        contractAll()
    }

    /// The arcs that lead upwards from each vertex, and those that lead down to it (kept at their lower end), with vertices numbered by
    /// rank.
    func hierarchy() -> (up: ArcTable, down: ArcTable) {
        let table = { (arcs: [[Arc]]) -> ArcTable in
            var found: [ArcTable.Arc] = []
            for (vertex, list) in arcs.enumerated() {
                for arc in list.sorted(by: { rank[Int($0.vertex)] < rank[Int($1.vertex)] }) {
                    let via = arc.via.vertex.map { ArcVia.vertex(rank[$0]) } ?? arc.via
                    found.append(.init(tail: rank[vertex], head: rank[Int(arc.vertex)], cost: arc.cost, via: via))
                }
            }
            return ArcTable(vertexCount: rank.count, arcs: found)
        }
        return (table(outgoing), table(incoming))
    }

    // MARK: The order

    private mutating func contractAll() {
        var queue = CandidateQueue()
        var priority = [Int](repeating: 0, count: rank.count)
        var shortcuts: [Shortcut] = []
        for vertex in rank.indices {
            priority[vertex] = importance(of: vertex, &shortcuts)
            queue.push(priority[vertex], vertex)
        }
        var next: UInt32 = 0
        while let (known, vertex) = queue.pop() {
            // Of an earlier time.
            guard known == priority[vertex] else { continue }
            let now = importance(of: vertex, &shortcuts)
            priority[vertex] = now
            if let least = queue.least, least < (now, vertex) {
                queue.push(now, vertex)
                continue
            }
            rank[vertex] = next
            next += 1
            priority[vertex] = .min
            for neighbour in takeOut(vertex, leaving: shortcuts) where level[neighbour] <= level[vertex] {
                // What else has changed for it is found out when its turn comes.
                priority[neighbour] += 1000 * (level[vertex] + 1 - level[neighbour])
                level[neighbour] = level[vertex] + 1
                queue.push(priority[neighbour], neighbour)
            }
        }
    }

    /// - Parameter shortcuts: Becomes those that taking the vertex out would take.
    private mutating func importance(of vertex: Int, _ shortcuts: inout [Shortcut]) -> Int {
        findShortcuts(around: vertex, &shortcuts)
        let removed = outgoing[vertex].count + incoming[vertex].count
        guard removed > 0 else { return 1000 * level[vertex] }
        let hops = outgoing[vertex].reduce(0) { $0 + Int($1.hops) } + incoming[vertex].reduce(0) { $0 + Int($1.hops) }
        let added = shortcuts.reduce(0) { $0 + Int($1.hops) }
        return 1000 * level[vertex] + 1000 * shortcuts.count / removed + 1000 * added / hops
    }

    private mutating func findShortcuts(around vertex: Int, _ shortcuts: inout [Shortcut]) {
        shortcuts.removeAll(keepingCapacity: true)
        guard !outgoing[vertex].isEmpty else { return }
        for first in incoming[vertex] {
            search.run(
                from: Int(first.vertex), first: first.cost, to: outgoing[vertex], without: vertex, in: outgoing)
            for second in outgoing[vertex] where second.vertex != first.vertex {
                let cost = Cost.sum(first.cost, second.cost)
                if search.cost(Int(second.vertex)) > cost {
                    shortcuts.append(
                        Shortcut(
                            from: first.vertex, to: second.vertex, hops: first.hops &+ second.hops, cost: cost,
                            via: .vertex(UInt32(vertex))))
                }
            }
        }
    }

    // MARK: The network that remains

    /// - Returns: The neighbours, each once, in order.
    private mutating func takeOut(_ vertex: Int, leaving shortcuts: [Shortcut]) -> [Int] {
        let neighbours = Set(outgoing[vertex].map(\.vertex) + incoming[vertex].map(\.vertex)).sorted().map(Int.init)
        for arc in outgoing[vertex] { Self.remove(vertex, from: &incoming[Int(arc.vertex)]) }
        for arc in incoming[vertex] { Self.remove(vertex, from: &outgoing[Int(arc.vertex)]) }
        for shortcut in shortcuts { put(shortcut) }
        return neighbours
    }

    private static func remove(_ vertex: Int, from arcs: inout [Arc]) {
        if let place = arcs.firstIndex(where: { $0.vertex == UInt32(vertex) }) { arcs.remove(at: place) }
    }

    /// Of two arcs between the same two, the cheaper one stays.
    private mutating func put(_ arc: Shortcut) {
        func end(at vertex: UInt32) -> Arc { Arc(vertex: vertex, hops: arc.hops, cost: arc.cost, via: arc.via) }
        guard Self.put(end(at: arc.to), into: &outgoing[Int(arc.from)]) else { return }
        _ = Self.put(end(at: arc.from), into: &incoming[Int(arc.to)])
    }

    private static func put(_ arc: Arc, into arcs: inout [Arc]) -> Bool {
        guard let place = arcs.firstIndex(where: { $0.vertex == arc.vertex }) else {
            arcs.append(arc)
            return true
        }
        guard arc.cost < arcs[place].cost else { return false }
        arcs[place] = arc
        return true
    }
}
