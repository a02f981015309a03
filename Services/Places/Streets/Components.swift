/// Arcs of a network, grouped by the vertex at which they begin.
struct ArcTable {
    /// Where each vertex's arcs begin; one more at the end.
    private(set) var first: [UInt32]
    private(set) var heads: [UInt32]
    private(set) var costs: [UInt64]
    private(set) var vias: [ArcVia]

    struct Arc {
        var tail: UInt32
        var head: UInt32
        var cost: UInt64
        var via: ArcVia
    }

    /// - Parameter arcs: In any order. Ones that end where they begin are left out: no way is shorter for them.
    init(vertexCount: Int, arcs: [Arc]) {
        first = Array(repeating: 0, count: vertexCount + 1)
        let arcs = arcs.filter { $0.tail != $0.head }
        for arc in arcs { first[Int(arc.tail) + 1] += 1 }
        for vertex in 0..<vertexCount { first[vertex + 1] += first[vertex] }
        var next = first
        heads = Array(repeating: 0, count: arcs.count)
        costs = Array(repeating: 0, count: arcs.count)
        vias = Array(repeating: .road(0), count: arcs.count)
        for arc in arcs {
            let place = Int(next[Int(arc.tail)])
            next[Int(arc.tail)] += 1
            (heads[place], costs[place], vias[place]) = (arc.head, arc.cost, arc.via)
        }
    }

    var vertexCount: Int { first.count - 1 }
    func arcs(of vertex: Int) -> Range<Int> { Int(first[vertex])..<Int(first[vertex + 1]) }
}

/// The largest part of a network in which one comes from everywhere to everywhere (its largest strongly connected component, by Tarjan's
/// algorithm, without recursion).
struct MainComponent {
    private(set) var contains: [Bool]

    init(of arcs: ArcTable) {
        let count = arcs.vertexCount
        var (component, sizes) = ([Int32](repeating: -1, count: count), [Int]())
        var (index, low) = ([Int32](repeating: -1, count: count), [Int32](repeating: 0, count: count))
        var (stack, path): ([UInt32], [(vertex: Int, next: Int)]) = ([], [])
        var clock: Int32 = 0
        for root in 0..<count where index[root] < 0 {
            path.append((root, arcs.arcs(of: root).lowerBound))
            while let (vertex, next) = path.last {
                if index[vertex] < 0 {
                    (index[vertex], low[vertex]) = (clock, clock)
                    clock += 1
                    stack.append(UInt32(vertex))
                }
                if next < arcs.arcs(of: vertex).upperBound {
                    path[path.count - 1].next += 1
                    let head = Int(arcs.heads[next])
                    if index[head] < 0 {
                        path.append((head, arcs.arcs(of: head).lowerBound))
                    } else if component[head] < 0 {
                        low[vertex] = min(low[vertex], index[head])
                    }
                    continue
                }
                path.removeLast()
                if let parent = path.last?.vertex { low[parent] = min(low[parent], low[vertex]) }
                guard low[vertex] == index[vertex] else { continue }
                var size = 0
                while let member = stack.popLast() {
                    component[Int(member)] = Int32(sizes.count)
                    size += 1
                    if Int(member) == vertex { break }
                }
                sizes.append(size)
            }
        }
        let largest = sizes.indices.max { (sizes[$0], -$0) < (sizes[$1], -$1) }
        contains = component.map { largest == Int($0) }
    }
}
