/// One profile's network as it stands in memory: the arrays of the file, read in place.
struct ProfileNetwork {
    // Roads: see `Roads`. Vertices are numbered by their rank in the hierarchy.
    let from: UnsafeBufferPointer<UInt32>
    let to: UnsafeBufferPointer<UInt32>
    let length: UnsafeBufferPointer<UInt32>
    let forward: UnsafeBufferPointer<UInt32>
    let backward: UnsafeBufferPointer<UInt32>
    let shapes: UnsafeBufferPointer<UInt32>
    /// 1 where one comes from everywhere to everywhere in the largest part of the network.
    let isMain: UnsafeBufferPointer<UInt8>
    /// x and y in turns.
    let coordinates: UnsafeBufferPointer<Int32>
    // The grid: see `StreetGrid.index`.
    let cells: UnsafeBufferPointer<UInt64>
    let firstSteps: UnsafeBufferPointer<UInt32>
    let steps: UnsafeBufferPointer<UInt32>
    let up: Arcs
    let down: Arcs

    /// Arcs between vertices of the hierarchy, kept at the lower end of each.
    struct Arcs {
        let first: UnsafeBufferPointer<UInt32>
        let heads: UnsafeBufferPointer<UInt32>
        let costs: UnsafeBufferPointer<UInt64>
        let vias: UnsafeBufferPointer<ArcVia>

        @inline(__always) func range(_ vertex: Int) -> Range<Int> { Int(first[vertex])..<Int(first[vertex + 1]) }
    }

    var vertexCount: Int { up.first.count - 1 }
    var roadCount: Int { from.count }

    /// The same arrays while a network is being made.
    struct Parts {
        var roads: Roads
        var ranks: [UInt32]
        var isMain: [UInt8]
        var up: ArcTable
        var down: ArcTable

        init(roads: Roads) {
            self.roads = roads
            var arcs: [ArcTable.Arc] = []
            for road in 0..<roads.count {
                let (from, to, via) = (roads.from[road], roads.to[road], ArcVia.road(road))
                if let cost = roads.cost(road, backward: false) {
                    arcs.append(.init(tail: from, head: to, cost: cost, via: via))
                }
                if let cost = roads.cost(road, backward: true) {
                    arcs.append(.init(tail: to, head: from, cost: cost, via: via))
                }
            }
            let table = ArcTable(vertexCount: roads.vertexCount, arcs: arcs)
            let main = MainComponent(of: table)
            isMain = (0..<roads.count).map { road in
                main.contains[Int(roads.from[road])] && main.contains[Int(roads.to[road])] ? 1 : 0
            }
            let contraction = Contraction(of: table)
            ranks = contraction.rank
            (up, down) = contraction.hierarchy()
        }
    }

    func point(_ index: Int) -> GridPoint { GridPoint(x: coordinates[2 * index], y: coordinates[2 * index + 1]) }

    /// The road to which the step from point `step` to the next one belongs.
    func road(of step: Int) -> Int {
        var (low, high) = (0, roadCount)
        while high - low > 1 {
            let middle = (low + high) / 2
            if Int(shapes[middle]) <= step { low = middle } else { high = middle }
        }
        return low
    }
}
