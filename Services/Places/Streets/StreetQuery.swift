import WireProtocol

/// From a point of one street to points of others, in a profile's network; or from all of them to it.
struct StreetQuery {
    let network: ProfileNetwork
    let origin: Snap
    private let query: HierarchyQuery
    private let backwards: Bool

    init(from origin: Snap, in network: ProfileNetwork, with memory: QueryMemory, backwards: Bool = false) {
        (self.network, self.origin, self.backwards) = (network, origin, backwards)
        let ends = backwards ? network.entries(of: origin) : network.exits(of: origin)
        query = HierarchyQuery(from: ends.map(\.entry), in: network, with: memory, backwards: backwards)
    }

    /// - Returns: What the way along the streets costs, or `Cost.unreachable`.
    func cost(to target: Snap) -> UInt64 {
        var best = backwards ? network.direct(from: target, to: origin) : network.direct(from: origin, to: target)
        for end in backwards ? network.exits(of: target) : network.entries(of: target) {
            let cost = query.cost(to: end.vertex)
            if cost != Cost.unreachable { best = min(best, Cost.sum(cost, end.cost)) }
        }
        return best
    }

    /// The streets of the way forwards, one after the other; nil where there is none.
    func way(to target: Snap) -> [RoadPiece]? {
        let cost = cost(to: target)
        guard cost != Cost.unreachable, !backwards else { return nil }
        if network.direct(from: origin, to: target) == cost {
            return [RoadPiece(road: origin.road, begin: origin.before, end: target.before)]
        }
        for last in network.entries(of: target) where Cost.sum(query.cost(to: last.vertex), last.cost) == cost {
            guard let arcs = query.path(to: last.vertex), let roads = network.roads(of: arcs) else { return nil }
            let vertex = arcs.first?.from ?? last.vertex
            let exits = network.exits(of: origin).filter { $0.vertex == vertex }
            guard let first = exits.min(by: { $0.cost < $1.cost }) else { return nil }
            return [RoadPiece(road: origin.road, begin: origin.before, end: first.place)] + roads
                + [RoadPiece(road: target.road, begin: last.place, end: target.before)]
        }
        return nil
    }
}

/// One of the two ends of the street on which somebody is.
private struct StreetEnd {
    var vertex: Int
    /// Of getting there, or from there.
    var cost: UInt64
    /// Millimetres of the street.
    var place: UInt64

    var entry: Entry { Entry(vertex: vertex, cost: cost) }
}

extension ProfileNetwork {
    /// Where one comes from a point of a street, and at what cost. Who stands at a street's end is at the crossing already, whatever its direction.
    fileprivate func exits(of snap: Snap) -> [StreetEnd] { ends(of: snap, towardsTo: forward, towardsFrom: backward) }

    /// From where one comes to it.
    fileprivate func entries(of snap: Snap) -> [StreetEnd] { ends(of: snap, towardsTo: backward, towardsFrom: forward) }

    private func ends(
        of snap: Snap, towardsTo: UnsafeBufferPointer<UInt32>, towardsFrom: UnsafeBufferPointer<UInt32>
    ) -> [StreetEnd] {
        let (from, to) = (Int(from[snap.road]), Int(to[snap.road]))
        var found: [StreetEnd] = []
        if snap.before == 0 {
            found.append(StreetEnd(vertex: from, cost: 0, place: 0))
        } else if let cost = part(snap.before, of: snap.road, time: towardsFrom[snap.road]) {
            found.append(StreetEnd(vertex: from, cost: cost, place: 0))
        }
        let whole = UInt64(length[snap.road])
        if snap.after == 0 {
            found.append(StreetEnd(vertex: to, cost: 0, place: whole))
        } else if let cost = part(snap.after, of: snap.road, time: towardsTo[snap.road]) {
            found.append(StreetEnd(vertex: to, cost: cost, place: whole))
        }
        return found
    }

    /// Without leaving the street on which both are.
    fileprivate func direct(from origin: Snap, to target: Snap) -> UInt64 {
        guard origin.road == target.road else { return Cost.unreachable }
        if origin.before == target.before { return 0 }
        let isAhead = target.before > origin.before
        let distance = isAhead ? target.before - origin.before : origin.before - target.before
        return part(distance, of: origin.road, time: isAhead ? forward[origin.road] : backward[origin.road])
            ?? Cost.unreachable
    }

    /// The cost of some millimetres of a road; nil against its direction.
    private func part(_ millimetres: UInt64, of road: Int, time: UInt32) -> UInt64? {
        guard time != Roads.closed else { return nil }
        let whole = UInt64(max(length[road], 1))
        return Cost.of(millimetres: millimetres, centiseconds: UInt64(time) * millimetres / whole)
    }
}
