/// The streets of one profile: each goes from one crossing (or end, or barrier) to the next, with its shape.
struct Roads {
    /// Hundredths of a second where a direction may not be used.
    static let closed = UInt32.max
    /// Metres. A road that has grown as long ends at its next node, and no single step is longer: so that costs have room in their bits.
    private static let longest = 100_000.0

    private(set) var vertexCount = 0
    private(set) var from: [UInt32] = []
    private(set) var to: [UInt32] = []
    /// Millimetres.
    private(set) var length: [UInt32] = []
    /// Hundredths of a second in each direction, or `closed`; 0 on foot, where length says all.
    private(set) var forward: [UInt32] = []
    private(set) var backward: [UInt32] = []
    /// Where each one's points begin in `points`; one more at the end.
    private(set) var shapes: [UInt32] = [0]
    private(set) var points: [GridPoint] = []

    var count: Int { from.count }

    init(
        of profile: TravelProfile, nodes: SourceNodes, ways: [SourceWay], wayNodes: [Int64],
        summary: inout StreetNetworkBuilder.Summary
    ) throws(StreetNetworkError) {
        var crossings = Crossings(of: profile, nodes: nodes, ways: ways, wayNodes: wayNodes)
        for way in ways where !way.usage(by: profile).isNone {
            let usage = way.usage(by: profile)
            var road: Draft?
            for id in wayNodes[way.nodes] {
                guard let node = nodes.index(of: id) else {
                    summary.missingNodes += 1
                    finish(&road, at: &crossings, usage: usage, profile: profile)
                    continue
                }
                let point = nodes.points[node]
                guard var open = road else {
                    road = Draft(from: crossings.vertex(at: node), at: node, point: point)
                    continue
                }
                // A way may name a node twice in a row.
                guard open.last != node else { continue }
                let step = open.points.last!.metres(to: point)
                guard step <= Self.longest else {
                    summary.overlongSteps += 1
                    finish(&road, at: &crossings, usage: usage, profile: profile)
                    road = Draft(from: crossings.vertex(at: node), at: node, point: point)
                    continue
                }
                open.extend(to: node, point: point, step: step)
                road = open
                if crossings.isCrossing(node) || open.metres >= Self.longest {
                    finish(&road, at: &crossings, usage: usage, profile: profile)
                    road = Draft(from: crossings.vertex(at: node), at: node, point: point)
                }
            }
            finish(&road, at: &crossings, usage: usage, profile: profile)
        }
        vertexCount = crossings.vertexCount
        guard points.count < Int(Int32.max), vertexCount < Int(Int32.max) else { throw .tooManyStreets }
    }

    private struct Draft {
        var from: UInt32
        var last: Int
        var points: [GridPoint]
        var metres = 0.0

        init(from: UInt32, at node: Int, point: GridPoint) {
            (self.from, last, points) = (from, node, [point])
        }

        mutating func extend(to node: Int, point: GridPoint, step: Double) {
            last = node
            points.append(point)
            metres += step
        }
    }

    private mutating func finish(
        _ draft: inout Draft?, at crossings: inout Crossings, usage: Usage, profile: TravelProfile
    ) {
        defer { draft = nil }
        guard let draft, draft.points.count > 1 else { return }
        let time = { (speed: Double?) -> UInt32 in
            guard let speed else { return Self.closed }
            return profile == .walk ? 0 : UInt32((draft.metres / speed * 100).rounded())
        }
        from.append(draft.from)
        to.append(crossings.vertex(at: draft.last))
        length.append(UInt32((draft.metres * 1000).rounded()))
        forward.append(time(usage.forward))
        backward.append(time(usage.backward))
        points += draft.points
        shapes.append(UInt32(truncatingIfNeeded: points.count))
    }

    /// What it costs to go a road's whole length; nil against its direction.
    func cost(_ road: Int, backward isBackward: Bool) -> UInt64? {
        let time = isBackward ? backward[road] : forward[road]
        return time == Self.closed
            ? nil : Cost.of(millimetres: UInt64(length[road]), centiseconds: UInt64(time))
    }
}

/// Which nodes are crossings of a profile's ways, and the vertices that they become.
private struct Crossings {
    private var uses: [UInt8]
    private var vertices: [UInt32]
    private let isBarrier: [Bool]
    private(set) var vertexCount = 0

    init(of profile: TravelProfile, nodes: SourceNodes, ways: [SourceWay], wayNodes: [Int64]) {
        var (uses, isBarrier) = (
            [UInt8](repeating: 0, count: nodes.count), [Bool](repeating: false, count: nodes.count)
        )
        for way in ways where !way.usage(by: profile).isNone {
            var last: Int?
            for id in wayNodes[way.nodes] {
                guard let node = nodes.index(of: id), node != last else { continue }
                uses[node] = min(2, uses[node] + 1)
                last = node
            }
        }
        for (id, stopped) in nodes.barriers where stopped.contains(profile) {
            if let node = nodes.index(of: id) { isBarrier[node] = true }
        }
        self.uses = uses
        self.isBarrier = isBarrier
        vertices = Array(repeating: .max, count: nodes.count)
    }

    /// Whether roads end there.
    func isCrossing(_ node: Int) -> Bool { uses[node] > 1 || isBarrier[node] }

    /// The vertex of a node. A barrier is another one for each road that ends there, so that nothing leads past it.
    mutating func vertex(at node: Int) -> UInt32 {
        if vertices[node] != .max, !isBarrier[node] { return vertices[node] }
        vertices[node] = UInt32(vertexCount)
        vertexCount += 1
        return vertices[node]
    }
}
