import WireProtocol

/// From a point of one street to points of others, in a profile's network.
struct StreetQuery {
    let network: ProfileNetwork
    let origin: Snap
    private let query: HierarchyQuery

    init(from origin: Snap, in network: ProfileNetwork, with memory: QueryMemory) {
        (self.network, self.origin) = (network, origin)
        query = HierarchyQuery(from: network.exits(of: origin), in: network, with: memory)
    }

    /// - Returns: What the way along the streets costs, or `Cost.unreachable`.
    func cost(to target: Snap) -> UInt64 {
        var best = network.direct(from: origin, to: target)
        for entry in network.entries(of: target) {
            let cost = query.cost(to: entry.vertex)
            if cost != Cost.unreachable { best = min(best, Cost.sum(cost, entry.cost)) }
        }
        return best
    }
}

extension ProfileNetwork {
    /// Where one comes from a point of a street, and at what cost. Who stands at a street's end is at the crossing already, whatever its direction.
    fileprivate func exits(of snap: Snap) -> [Entry] { ends(of: snap, towardsTo: forward, towardsFrom: backward) }

    /// From where one comes to it.
    fileprivate func entries(of snap: Snap) -> [Entry] { ends(of: snap, towardsTo: backward, towardsFrom: forward) }

    private func ends(
        of snap: Snap, towardsTo: UnsafeBufferPointer<UInt32>, towardsFrom: UnsafeBufferPointer<UInt32>
    ) -> [Entry] {
        let (from, to) = (Int(from[snap.road]), Int(to[snap.road]))
        var found: [Entry] = []
        if snap.before == 0 {
            found.append(Entry(vertex: from, cost: 0))
        } else if let cost = part(snap.before, of: snap.road, time: towardsFrom[snap.road]) {
            found.append(Entry(vertex: from, cost: cost))
        }
        if snap.after == 0 {
            found.append(Entry(vertex: to, cost: 0))
        } else if let cost = part(snap.after, of: snap.road, time: towardsTo[snap.road]) {
            found.append(Entry(vertex: to, cost: cost))
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
