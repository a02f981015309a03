/// From one vertex to another, as the hierarchy has it.
struct PathArc: Hashable {
    var from: Int
    var to: Int
    var via: ArcVia
}

/// Some of a road, in millimetres from its beginning; against its direction where `end` comes before `begin`.
struct RoadPiece: Hashable {
    var road: Int
    var begin: UInt64
    var end: UInt64
}

extension HierarchyQuery {
    /// The arcs of the cheapest way from an origin to a vertex, forwards; nil where there is none.
    func path(to target: Int) -> [PathArc]? {
        guard cost(to: target) != Cost.unreachable else { return nil }
        var arcs: [PathArc] = []
        guard let top = goBackUp(from: target, &arcs), goBackDown(from: top, &arcs) else { return nil }
        return arcs.reversed()
    }

    /// - Returns: Where the way is highest.
    private func goBackUp(from target: Int, _ arcs: inout [PathArc]) -> Int? {
        var vertex = target
        while upwardsCost(vertex) != cost(to: vertex) {
            let cost = cost(to: vertex)
            let last = down.range(vertex).first { arc in
                let above = self.cost(to: Int(down.heads[arc]))
                return above != Cost.unreachable && Cost.sum(above, down.costs[arc]) == cost
            }
            guard let last else { return nil }
            let above = Int(down.heads[last])
            arcs.append(PathArc(from: above, to: vertex, via: down.vias[last]))
            vertex = above
        }
        return vertex
    }

    /// Whatever leads up to a vertex comes after it in `order`, so once through it is enough.
    private func goBackDown(from top: Int, _ arcs: inout [PathArc]) -> Bool {
        var vertex = top
        func isOrigin() -> Bool { origins.contains(Entry(vertex: vertex, cost: upwardsCost(vertex))) }
        if isOrigin() { return true }
        for below in order {
            let (before, cost) = (upwardsCost(below), upwardsCost(vertex))
            guard before != Cost.unreachable else { continue }
            let arc = up.range(below).first { Int(up.heads[$0]) == vertex && Cost.sum(before, up.costs[$0]) == cost }
            guard let arc else { continue }
            arcs.append(PathArc(from: below, to: vertex, via: up.vias[arc]))
            vertex = below
            if isOrigin() { return true }
        }
        return false
    }
}

extension ProfileNetwork {
    /// The roads that arcs stand for. Nil where the network is not what it should be: the cheapest way meets no vertex twice.
    func roads(of arcs: [PathArc]) -> [RoadPiece]? {
        var (pieces, open, steps) = ([RoadPiece](), Array(arcs.reversed()), 0)
        while let arc = open.popLast() {
            steps += 1
            guard steps <= 2 * vertexCount else { return nil }
            if let road = arc.via.road {
                guard let piece = piece(of: road, along: arc) else { return nil }
                pieces.append(piece)
            } else if let middle = arc.via.vertex {
                let first = down.range(middle).first { Int(down.heads[$0]) == arc.from }
                let second = up.range(middle).first { Int(up.heads[$0]) == arc.to }
                guard let first, let second else { return nil }
                open.append(PathArc(from: middle, to: arc.to, via: up.vias[second]))
                open.append(PathArc(from: arc.from, to: middle, via: down.vias[first]))
            }
        }
        return pieces
    }

    private func piece(of road: Int, along arc: PathArc) -> RoadPiece? {
        let (from, to, whole) = (Int(from[road]), Int(to[road]), UInt64(length[road]))
        if from == arc.from, to == arc.to { return RoadPiece(road: road, begin: 0, end: whole) }
        return from == arc.to && to == arc.from ? RoadPiece(road: road, begin: whole, end: 0) : nil
    }

    /// Point by point.
    func points(of piece: RoadPiece) -> [GridPoint] {
        let (low, high) = (min(piece.begin, piece.end), max(piece.begin, piece.end))
        let steps = Int(shapes[piece.road])..<Int(shapes[piece.road + 1]) - 1
        var found: [GridPoint] = []
        var before = 0.0
        for step in steps {
            let metres = point(step).metres(to: point(step + 1))
            let after = before + metres * 1000
            let isLast = step == steps.upperBound - 1
            // A step has both its ends, so that what lies between two crossings begins and ends there, whatever rounding says.
            func at(_ millimetres: UInt64) -> GridPoint {
                let share = after > before ? (Double(millimetres) - before) / (after - before) : 0
                return point(step).towards(point(step + 1), share: min(1, max(0, share)))
            }
            if found.isEmpty, Double(low) < after || isLast { found.append(at(low)) }
            if !found.isEmpty {
                if Double(high) <= after || isLast {
                    found.append(high == UInt64(length[piece.road]) && isLast ? point(step + 1) : at(high))
                    break
                }
                found.append(point(step + 1))
            }
            before = after
        }
        return piece.begin <= piece.end ? found : found.reversed()
    }
}

extension GridPoint {
    /// On the straight line to another one; over the date line where that is the shorter way.
    fileprivate func towards(_ other: GridPoint, share: Double) -> GridPoint {
        let east = (Double(x) + share * Self.eastward(from: Double(x), to: Double(other.x))).rounded()
        let turn = 360 * Self.unitsPerDegree
        let wrapped = east > turn / 2 ? east - turn : east < -turn / 2 ? east + turn : east
        return GridPoint(x: Int32(wrapped), y: Int32((Double(y) + share * Double(other.y - y)).rounded()))
    }
}
