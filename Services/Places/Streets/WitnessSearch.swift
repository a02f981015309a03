import HeapModule

/// Looks for ways around a vertex, for a while: Dijkstra's algorithm that stops when it has found one that will do to each target, when what is left would be too
/// long for all others, or when it has seen so many vertices. What it does not find costs a shortcut that is not needed, never a wrong distance.
struct WitnessSearch {
    /// Vertices. More make fewer shortcuts and take longer.
    static let patience = 500

    private var costs: [UInt64]
    /// The run in which each of `costs` was found.
    private var runs: [UInt32]
    /// The run that looks for each vertex.
    private var wanted: [UInt32]
    /// What the way to each of these may cost.
    private var most: [UInt64]
    /// Those to which there is no such way yet, and some to which there is; the farthest last.
    private var open: [Label] = []
    private var run: UInt32 = 0
    private var queue = Heap<Label>()

    private struct Label: Comparable {
        var cost: UInt64
        var vertex: UInt32
        static func < (a: Label, b: Label) -> Bool { (a.cost, a.vertex) < (b.cost, b.vertex) }
    }

    init(vertexCount: Int) {
        costs = Array(repeating: Cost.unreachable, count: vertexCount)
        runs = Array(repeating: 0, count: vertexCount)
        wanted = runs
        most = costs
    }

    /// What the last run found, at most: the cheapest way may be cheaper.
    func cost(_ vertex: Int) -> UInt64 { runs[vertex] == run ? costs[vertex] : Cost.unreachable }

    /// - Parameters:
    ///   - start: Where the ways begin, `first` before the excluded vertex.
    ///   - targets: The excluded vertex's arcs, without those back to the start: a way around counts where it costs no more than the one by them.
    mutating func run(
        from start: Int, first: UInt64, to targets: [Contraction.Arc], without excluded: Int,
        in arcs: [[Contraction.Arc]]
    ) {
        beginRun()
        for target in targets where Int(target.vertex) != start {
            let cost = Cost.sum(first, target.cost)
            wanted[Int(target.vertex)] = run
            most[Int(target.vertex)] = cost
            open.append(Label(cost: cost, vertex: target.vertex))
        }
        open.sort()
        (costs[start], runs[start]) = (0, run)
        queue.insert(Label(cost: 0, vertex: UInt32(start)))
        var seen = 0
        while let limit = farthestOpen(), seen < Self.patience, let label = queue.popMin(), label.cost <= limit {
            let vertex = Int(label.vertex)
            guard label.cost == costs[vertex] else { continue }
            seen += 1
            for arc in arcs[vertex] where arc.vertex != UInt32(excluded) {
                let (cost, head) = (Cost.sum(label.cost, arc.cost), Int(arc.vertex))
                guard cost <= limit, cost < self.cost(head) else { continue }
                (costs[head], runs[head]) = (cost, run)
                // Found, at a price that will do, whether or not there is a better one.
                if wanted[head] == run, cost <= most[head] { wanted[head] = 0 }
                queue.insert(Label(cost: cost, vertex: arc.vertex))
            }
        }
    }

    /// What a way may cost to be of use to any target that has none yet; nil where all have one.
    private mutating func farthestOpen() -> UInt64? {
        while let last = open.last {
            if wanted[Int(last.vertex)] == run { return last.cost }
            open.removeLast()
        }
        return nil
    }

    private mutating func beginRun() {
        if run == .max {
            for vertex in runs.indices { (runs[vertex], wanted[vertex]) = (0, 0) }
            run = 0
        }
        run += 1
        // Their memory stays.
        open.removeAll(keepingCapacity: true)
        queue.removeAll { _ in true }
    }
}

/// The vertices by importance, the least first.
struct CandidateQueue {
    private var heap = Heap<Candidate>()

    private struct Candidate: Comparable {
        var priority: Int
        var vertex: Int
        static func < (a: Candidate, b: Candidate) -> Bool { (a.priority, a.vertex) < (b.priority, b.vertex) }
    }

    var least: (Int, Int)? { heap.min.map { ($0.priority, $0.vertex) } }

    mutating func push(_ priority: Int, _ vertex: Int) { heap.insert(Candidate(priority: priority, vertex: vertex)) }

    mutating func pop() -> (Int, Int)? { heap.popMin().map { ($0.priority, $0.vertex) } }
}
