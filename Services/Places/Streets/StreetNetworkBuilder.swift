import Crypto

/// Builds a network from OPL text, as `osmium tags-filter EXTRACT w/highway -f opl` writes it: nodes first, then ways, in pieces of any size.
///
/// OPL, because a line is an object and names the nodes of a way by their ids, which is what joins the ways into a network; GeoJSON has lost them.
package struct StreetNetworkBuilder {
    /// What was read, and what was left out.
    package struct Summary: Hashable, Sendable {
        package var nodes = 0
        package var ways = 0
        /// Ways that each profile may use.
        package var walkable = 0
        package var drivable = 0
        /// Nodes at which somebody must stop.
        package var barriers = 0
        /// Steps of used ways to a node that is not in the text, as at the edge of an extract. Both profiles' together.
        package var missingNodes = 0
        /// Steps between two nodes that are farther apart than any street: broken data, left out.
        package var overlongSteps = 0
    }

    package private(set) var summary = Summary()
    var nodes = SourceNodes()
    var ways: [SourceWay] = []
    /// The nodes of all `ways`, one after the other.
    var wayNodes: [Int64] = []
    private var digest = SHA256()
    private var line = 0
    private var unfinished: [UInt8] = []

    package init() {}

    /// Reads a further piece of the text.
    /// - Throws: `StreetNetworkError.malformedInput`; the builder is of no use then.
    package mutating func read(_ piece: [UInt8]) throws(StreetNetworkError) {
        digest.update(data: piece)
        var begin = piece.startIndex
        while let end = piece[begin...].firstIndex(of: UInt8(ascii: "\n")) {
            if unfinished.isEmpty {
                try take(piece[begin..<end])
            } else {
                unfinished += piece[begin..<end]
                let whole = unfinished
                unfinished.removeAll(keepingCapacity: true)
                try take(whole[...])
            }
            begin = end + 1
        }
        unfinished += piece[begin...]
        // The longest way has 2,000 nodes.
        guard unfinished.count < 16 << 20 else {
            throw .malformedInput(line: line + 1, reason: "it has no end")
        }
    }

    /// Makes the network of what was read. Takes seconds for a city.
    package consuming func finish() throws(StreetNetworkError) -> (StreetNetwork, Summary) {
        if !unfinished.isEmpty { try take(unfinished[...]) }
        nodes.sort()
        var writer = NetworkFileWriter(source: Array(digest.finalize()))
        for profile in TravelProfile.allCases {
            let roads = try Roads(of: profile, nodes: nodes, ways: ways, wayNodes: wayNodes, summary: &summary)
            writer.append(ProfileNetwork.Parts(roads: roads))
        }
        return (try StreetNetwork(contents: writer.finish()), summary)
    }

    private mutating func take(_ text: ArraySlice<UInt8>) throws(StreetNetworkError) {
        line += 1
        let object: OPLObject
        do { object = try OPLObject(line: text) } catch {
            throw .malformedInput(line: line, reason: error.reason)
        }
        switch object {
        case .node(let id, let point, let tags):
            summary.nodes += 1
            nodes.append(id: id, point: point)
            var stopped: Set<TravelProfile> = []
            for profile in TravelProfile.allCases where Barriers.stop(profile, tags) { stopped.insert(profile) }
            if !stopped.isEmpty {
                nodes.barriers[id] = stopped
                summary.barriers += 1
            }
        case .way(_, let path, let tags):
            summary.ways += 1
            let way = SourceWay(
                nodes: wayNodes.count..<wayNodes.count + path.count,
                walk: StreetRules.usage(of: tags, by: .walk), drive: StreetRules.usage(of: tags, by: .drive))
            guard path.count >= 2, !way.walk.isNone || !way.drive.isNone else { return }
            if !way.walk.isNone { summary.walkable += 1 }
            if !way.drive.isNone { summary.drivable += 1 }
            ways.append(way)
            wayNodes += path
        case .other: break
        }
    }
}

/// A way that somebody may use.
struct SourceWay {
    /// In `wayNodes`.
    var nodes: Range<Int>
    var walk: Usage
    var drive: Usage

    func usage(by profile: TravelProfile) -> Usage { profile == .walk ? walk : drive }
}

/// All nodes by id.
struct SourceNodes {
    private var ids: [Int64] = []
    private(set) var points: [GridPoint] = []
    var barriers: [Int64: Set<TravelProfile>] = [:]
    private var isSorted = true

    var count: Int { ids.count }

    mutating func append(id: Int64, point: GridPoint) {
        if let last = ids.last, last >= id { isSorted = false }
        ids.append(id)
        points.append(point)
    }

    /// osmium writes them in order; others need not. Of two with one id the first counts.
    mutating func sort() {
        guard !isSorted else { return }
        let order = ids.indices.sorted { (ids[$0], $0) < (ids[$1], $1) }
        ids = order.map { [ids] in ids[$0] }
        points = order.map { [points] in points[$0] }
        isSorted = true
    }

    func index(of id: Int64) -> Int? {
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low < ids.count && ids[low] == id ? low : nil
    }
}
